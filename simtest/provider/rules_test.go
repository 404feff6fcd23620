package provider

import (
	"math"
	"testing"
	"time"
)

// The base scenario's cycle: from 0.35 to 1 and back within two minutes.
var baseCycle = Cycle{Period: 2 * time.Minute, Trough: 0.35, Peak: 1}

func TestCycleGoesFromTroughToPeakAndBack(t *testing.T) {
	for _, c := range []struct {
		at   time.Duration
		want float64
	}{
		{0, 0.35}, {30 * time.Second, 0.675}, {time.Minute, 1}, {90 * time.Second, 0.675}, {2 * time.Minute, 0.35},
		{1000*time.Hour + time.Minute, 1},
	} {
		if got := baseCycle.Factor(c.at); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("at %v the factor is %v, want %v", c.at, got, c.want)
		}
	}
	shifted := baseCycle
	shifted.Phase = 30 * time.Second
	if got := shifted.Factor(30 * time.Second); math.Abs(got-0.35) > 1e-12 {
		t.Errorf("a phase of 30 s puts the trough there: got %v", got)
	}
	if got := (Cycle{Peak: 0.8}).Factor(17 * time.Second); got != 0.8 {
		t.Errorf("without a period it is always at the peak: got %v", got)
	}
}

// Nominal 6, 14.4 and 4: what is enforced at trough, mean and peak.
func TestEnforcedCapacityRoundsHalfToEvenAndIsAtLeastOne(t *testing.T) {
	for _, c := range []struct {
		nominal            float64
		trough, mean, peak int
	}{
		{6, 2, 4, 6}, {float64(12 * 1.2), 5, 10, 14}, {4, 1, 3, 4}, {0.1, 1, 1, 1},
	} {
		for at, want := range map[time.Duration]int{0: c.trough, 30 * time.Second: c.mean, time.Minute: c.peak} {
			if got := baseCycle.enforced(c.nominal, at); got != want {
				t.Errorf("of %v, %d is enforced at %v, want %d", c.nominal, got, at, want)
			}
		}
	}
	half := Cycle{Peak: 0.5}
	for nominal, want := range map[float64]int{5: 2, 7: 4, 9: 4} { // 2.5, 3.5, 4.5
		if got := half.enforced(nominal, 0); got != want {
			t.Errorf("half of %v is enforced as %d, want %d", nominal, got, want)
		}
	}
}

// The closed form against the sum of many thin slices.
func TestIntegralIsTheAreaUnderTheFactor(t *testing.T) {
	for _, c := range []Cycle{baseCycle, {Period: 70 * time.Second, Phase: 11 * time.Second, Trough: 0.1, Peak: 2}, {Peak: 0.7}} {
		const step = 10 * time.Millisecond
		area, at := 0.0, time.Duration(0)
		for _, end := range []time.Duration{13 * time.Second, 120 * time.Second, 605 * time.Second} {
			for ; at < end; at += step {
				area += c.Factor(at+step/2) * step.Seconds()
			}
			if got := c.integral(end); math.Abs(got-area) > 1e-6*area {
				t.Errorf("%+v: integral to %v is %v, want %v", c, end, got, area)
			}
		}
	}
}

// A bucket of 6 tokens a minute, burst 2: 12 at first, one every 10 s.
func TestBucketRefillsWithItsAllowance(t *testing.T) {
	b := Bucket{PerWindow: 6, Window: time.Minute, Burst: 2, Tightening: 0.5, Floor: 0.25, Recovery: 1}
	s := bucketState{tokens: b.size(), allowance: 1}
	step := func(at time.Duration, take, tokens, allowance float64) {
		t.Helper()
		s.refill(&b, at)
		s.tokens -= take
		if math.Abs(s.tokens-tokens) > 1e-12 || math.Abs(s.allowance-allowance) > 1e-12 {
			t.Errorf("at %v: %v tokens, allowance %v; want %v, %v", at, s.tokens, s.allowance, tokens, allowance)
		}
	}
	step(0, 12, 0, 1)
	step(10*time.Second, 0, 1, 1)
	s.tighten(&b)
	s.tighten(&b)
	s.tighten(&b) // 0.5, 0.25, and not below the floor
	// Six seconds bring back a tenth of the allowance, and the new one counts
	// for the whole interval: 0.6 tokens times 0.35.
	step(16*time.Second, 0, 1.21, 0.35)
	step(16*time.Second, 0, 1.21, 0.35) // no time, no refill
	step(200*time.Second, 0, 12, 1)     // full, and not more
	if (Bucket{PerWindow: 2, Burst: 0.1}).size() != 1 {
		t.Error("a bucket holds at least one token")
	}
}

// fixedStorms rolls 0 (a storm starts) in the given windows, else 1.
type fixedStorms struct {
	worldDraws
	windows map[uint64]bool
}

func (f fixedStorms) storm(_ int, window uint64) float64 {
	if f.windows[window] {
		return 0
	}
	return 1
}

func TestStormsCoverTheirDurationFromTheWindowsStart(t *testing.T) {
	w := weather{
		storm: Storm{Rate: 0.5, Duration: 30 * time.Second},
		draws: fixedStorms{windows: map[uint64]bool{1: true, 2: true, 9: true}},
	}
	for _, c := range []struct {
		at   time.Duration
		want bool
	}{
		{0, false}, {10*time.Second - 1, false}, {10 * time.Second, true},
		{40 * time.Second, true}, {50*time.Second - 1, true}, {50 * time.Second, false},
		{89 * time.Second, false}, {119 * time.Second, true}, {120 * time.Second, false},
	} {
		if got := w.stormy(c.at); got != c.want {
			t.Errorf("storm at %v: %v, want %v", c.at, got, c.want)
		}
	}
}

func TestFateFollowsTheRolls(t *testing.T) {
	e := Endpoint{ErrorRate: 0.1, Storm: Storm{ErrorRate: 0.6}}
	for _, c := range []struct {
		failure, kind float64
		stormy        bool
		want          Outcome
	}{
		{0.1, 0, false, Served}, {0.099, 0.49, false, Failed503}, {0.099, 0.5, false, FailedReset},
		{0.099, 0.8, false, FailedTimeout}, {0.3, 0.2, true, Failed503}, {0.6, 0.2, true, Served},
	} {
		if got := e.fate(rolls{failure: c.failure, kind: c.kind}, c.stormy); got != c.want {
			t.Errorf("%+v: %v, want %v", c, got, c.want)
		}
	}
}

func TestLatencyIsLogNormalWithATail(t *testing.T) {
	e := Endpoint{Median: 2 * time.Second, Sigma: 0.5, TailRate: 0.1, TailFactor: 4}
	for _, c := range []struct {
		r    rolls
		want time.Duration
	}{
		{rolls{z: 0, tail: 0.5}, 2 * time.Second},
		{rolls{z: 0, tail: 0.09}, 8 * time.Second},
		{rolls{z: 2 * math.Ln2, tail: 0.1}, 4 * time.Second},
	} {
		if got := e.latency(c.r); got != c.want {
			t.Errorf("%+v: %v, want %v", c.r, got, c.want)
		}
	}
	huge := Endpoint{Median: longest, Sigma: 10}
	if got := huge.latency(rolls{z: 8}); got <= 0 {
		t.Errorf("a latency beyond what fits is %v", got)
	}
}

// An endpoint keeps its luck when others are added or reordered.
func TestDrawsBelongToTheEndpointsName(t *testing.T) {
	one := World{Endpoints: []Endpoint{{ID: "a"}, {ID: "b"}}}
	two := World{Endpoints: []Endpoint{{ID: "b"}, {ID: "c"}, {ID: "a"}}}
	for _, d := range []struct{ one, two worldDraws }{
		{newKeyedDraws(&one, 5), newKeyedDraws(&two, 5)},
		{newPythonDraws(&one, 5), newPythonDraws(&two, 5)},
	} {
		if d.one.request(0, 17) != d.two.request(2, 17) || d.one.storm(1, 3) != d.two.storm(0, 3) {
			t.Errorf("%T: the rolls depend on the position", d.one)
		}
		if d.one.request(0, 17) == d.one.request(1, 17) || d.one.request(0, 17) == d.one.request(0, 18) {
			t.Errorf("%T: two identities have the same rolls", d.one)
		}
	}
}
