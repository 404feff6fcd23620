package provider

import (
	"math"
	"testing"
	"time"
)

// until returns the instants of all arrivals before the horizon.
func until(a Arrivals, horizon time.Duration, seed uint64) []time.Duration {
	var all []time.Duration
	for s := newArrivals(&a, horizon, seed); ; {
		at, _, ok := s.next()
		if !ok {
			return all
		}
		all = append(all, at)
	}
}

// between counts those in [from, to).
func between(all []time.Duration, from, to time.Duration) float64 {
	n := 0
	for _, at := range all {
		if at >= from && at < to {
			n++
		}
	}
	return float64(n)
}

func TestDeterministicArrivalsComeAtEqualIntervals(t *testing.T) {
	got := until(Arrivals{Every: 250 * time.Millisecond}, time.Second, 1)
	if len(got) != 4 || got[0] != 0 || got[1] != 250*time.Millisecond || got[3] != 750*time.Millisecond {
		t.Errorf("arrivals are at %v, want 0, 250 ms, 500 ms, 750 ms: none at the horizon", got)
	}
	if got := until(Arrivals{Every: 300 * 24 * time.Hour}, longest, 1); len(got) != 13 {
		t.Errorf("%d arrivals in ten years, want 13", len(got))
	}
}

func TestTraceIsFollowedToTheHorizon(t *testing.T) {
	a := Arrivals{Trace: &Trace{Name: "by hand", Arrivals: []Arrival{{At: 0, Size: 2}, {At: 5}, {At: 5}, {At: 9}}}}
	if got := until(a, 9, 1); len(got) != 3 || got[2] != 5 {
		t.Errorf("arrivals are at %v, want 0, 5, 5", got)
	}
	if _, size, _ := newArrivals(&a, 9, 1).next(); size != 2 {
		t.Errorf("the first size is %v, want 2", size)
	}
}

// The counts of a Poisson process have the variance of their mean, and its
// gaps the standard deviation of theirs.
func TestPoissonArrivals(t *testing.T) {
	const rate, span = 20.0, 10_000
	all := until(Arrivals{Rate: rate}, span*time.Second, 3)
	if n := float64(len(all)); math.Abs(n-rate*span) > 4*math.Sqrt(rate*span) {
		t.Errorf("%v arrivals, want %v ± %.0f", n, rate*span, 4*math.Sqrt(rate*span))
	}
	sum, squares, counts := 0.0, 0.0, map[time.Duration]float64{}
	for i, at := range all {
		counts[at/time.Second]++
		if i > 0 {
			gap := (at - all[i-1]).Seconds()
			sum, squares = sum+gap, squares+gap*gap
		}
	}
	mean := sum / float64(len(all)-1)
	if cv := math.Sqrt(squares/float64(len(all)-1)-mean*mean) / mean; math.Abs(cv-1) > 0.02 {
		t.Errorf("the coefficient of variation of the gaps is %.3f, want 1", cv)
	}
	variance := 0.0
	for s := range span {
		d := counts[time.Duration(s)] - rate
		variance += d * d / span
	}
	if dispersion := variance / rate; math.Abs(dispersion-1) > 0.06 {
		t.Errorf("the index of dispersion is %.3f, want 1", dispersion)
	}
}

// Two phases, of 10 s at 50/s and of 30 s at 2/s in the mean: 14/s in the long
// run, in bursts. Over windows that are short against the phases the index of
// dispersion is 1 + (variance of the rate) * window / (mean rate).
func TestModulatedArrivalsComeInBursts(t *testing.T) {
	a := Arrivals{Phases: []Phase{{Rate: 50, Mean: 10 * time.Second}, {Rate: 2, Mean: 30 * time.Second}}}
	const span = 200_000
	all := until(a, span*time.Second, 4)
	if rate := float64(len(all)) / span; math.Abs(rate-14) > 0.4 {
		t.Errorf("the mean rate is %.2f/s, want 14", rate)
	}
	counts := make([]float64, span)
	for _, at := range all {
		counts[at/time.Second]++
	}
	variance := 0.0
	for _, n := range counts {
		variance += (n - 14) * (n - 14) / span
	}
	// Variance of the rate: 1/4 (50-14)² + 3/4 (2-14)² = 432. A change of
	// phase within the second takes about 4 % of it away.
	if got, want := variance/14, 1+432.0/14; math.Abs(got-want) > 0.08*want {
		t.Errorf("the index of dispersion is %.1f, want %.1f", got, want)
	}
}

// The number of arrivals in a stretch is the area under the profile there.
func TestProfileGrowsAndEbbs(t *testing.T) {
	a := Arrivals{Profile: []RatePoint{
		{At: 100 * time.Second, Rate: 10}, {At: 200 * time.Second, Rate: 200},
		{At: 200 * time.Second, Rate: 50}, {At: 600 * time.Second, Rate: 0}, {At: 700 * time.Second, Rate: 20},
	}}
	all := until(a, 1000*time.Second, 5)
	for _, c := range []struct {
		from, to time.Duration
		area     float64
	}{
		{0, 100 * time.Second, 1000},
		{100 * time.Second, 150 * time.Second, 50 * (10 + 105) / 2},
		{150 * time.Second, 200 * time.Second, 50 * (105 + 200) / 2},
		{200 * time.Second, 600 * time.Second, 400 * 50 / 2},
		{600 * time.Second, 700 * time.Second, 1000},
		{700 * time.Second, 1000 * time.Second, 6000},
	} {
		if n := between(all, c.from, c.to); math.Abs(n-c.area) > 4*math.Sqrt(c.area) {
			t.Errorf("%v arrivals in [%v, %v), want %v ± %.0f", n, c.from, c.to, c.area, 4*math.Sqrt(c.area))
		}
	}
	for i := 1; i < len(all); i++ {
		if all[i] < all[i-1] {
			t.Fatalf("arrival %d is at %v, before the one at %v", i, all[i], all[i-1])
		}
	}
	if got := until(Arrivals{Profile: []RatePoint{{At: time.Second, Rate: 5}, {At: 2 * time.Second, Rate: 0}}}, longest, 6); len(got) > 40 {
		t.Errorf("%d arrivals, although the rate is 0 after two seconds", len(got))
	}
}

// A rate twice as high makes the same process in half the time: two worlds
// that differ in their load alone share their luck.
func TestRatesShareTheirLuck(t *testing.T) {
	one, two := until(Arrivals{Rate: 1}, 100*time.Second, 9), until(Arrivals{Rate: 2}, 50*time.Second, 9)
	if len(one) != len(two) || len(one) < 50 {
		t.Fatalf("%d and %d arrivals, want equally many", len(one), len(two))
	}
	for i := range one {
		if d := one[i] - 2*two[i]; d < -2 || d > 2 {
			t.Errorf("arrival %d is at %v and at %v", i, one[i], two[i])
		}
	}
}
