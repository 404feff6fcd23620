package experiment_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Three bins of 2 s, the last cut off at 5 s.
func fiveSeconds() *experiment.Timeline {
	return &experiment.Timeline{Contestant: "wait", Seed: 7, Step: 2 * time.Second, End: 5 * time.Second}
}

func TestOccupancyIsTheMeanOverEachBin(t *testing.T) {
	line := fiveSeconds()
	busy := line.NewSeries("busy")
	line.Occupy(busy, time.Second, 4500*time.Millisecond)
	line.Occupy(busy, 0, time.Second)
	line.Occupy(busy, -time.Second, 500*time.Millisecond) // the run begins at 0
	line.Occupy(busy, 4*time.Second, time.Hour)           // and ends at 5 s
	line.Occupy(busy, 3*time.Second, 3*time.Second)
	line.Occupy(busy, 2*time.Second, time.Second)
	for i, want := range []float64{1.25, 1, 1.5} {
		if busy.Values[i] != want {
			t.Errorf("bin %d: %v, want %v", i, busy.Values[i], want)
		}
	}
}

// Occupancy is time, and time is neither lost nor made.
func TestOccupancyAddsUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		line := &experiment.Timeline{Step: time.Duration(1 + random.IntN(50)), End: time.Duration(1 + random.IntN(1000))}
		busy := line.NewSeries("busy")
		total := time.Duration(0)
		for range 20 {
			from := time.Duration(random.Int64N(int64(line.End)))
			to := from + time.Duration(random.Int64N(int64(line.End-from)+1))
			line.Occupy(busy, from, to)
			total += to - from
		}
		sum := 0.0
		for i, v := range busy.Values {
			begin := time.Duration(i) * line.Step
			sum += v * float64(min(begin+line.Step, line.End)-begin)
		}
		if math.Abs(sum-float64(total)) > 1e-6*float64(total) {
			t.Fatalf("step %v, end %v: %v in the bins, %v put in", line.Step, line.End, sum, total)
		}
	}
}

func TestCountsBelongToTheirBin(t *testing.T) {
	line := fiveSeconds()
	refused := line.NewSeries("refused")
	for _, at := range []time.Duration{0, 1999 * time.Millisecond, 2 * time.Second, 5 * time.Second, 5001 * time.Millisecond, -1} {
		line.Count(refused, at)
	}
	for i, want := range []float64{2, 1, 1} {
		if refused.Values[i] != want {
			t.Errorf("bin %d: %v, want %v", i, refused.Values[i], want)
		}
	}
	empty := &experiment.Timeline{Step: time.Second}
	empty.Count(empty.NewSeries("refused"), 0) // a run without length has no bin
}

func TestNiceSteps(t *testing.T) {
	for length, want := range map[time.Duration]time.Duration{
		0: 1, 374: 1, 375: 2, time.Second: 5 * time.Millisecond, 10 * time.Minute: 2 * time.Second, 621 * time.Second: 2 * time.Second,
		24 * time.Hour: 500 * time.Second, math.MaxInt64: 50_000_000 * time.Second,
	} {
		if got := experiment.NiceStep(length); got != want {
			t.Errorf("%v: %v, want %v", length, got, want)
		}
	}
}

func TestTimelinesThatCannotBeShown(t *testing.T) {
	for says, damage := range map[string]func(*experiment.Timeline){
		"step 0s":                             func(l *experiment.Timeline) { l.Step = 0 },
		"end -1ns":                            func(l *experiment.Timeline) { l.End = -1 },
		"10000 bins":                          func(l *experiment.Timeline) { l.Step = 1 },
		`series "limit": 1 values: must be 3`: func(l *experiment.Timeline) { l.Lanes[0].Limit = []float64{1} },
		`series "busy": bin 1: NaN`:           func(l *experiment.Timeline) { l.Lanes[0].Levels[0].Values[1] = math.NaN() },
		`series "refused": bin 2: -1`:         func(l *experiment.Timeline) { l.Lanes[0].Counts[0].Values[2] = -1 },
		"storm from 2s to 1s":                 func(l *experiment.Timeline) { l.Lanes[0].Weather[0].To = time.Second },
	} {
		line := fiveSeconds()
		line.Lanes = []experiment.Lane{{
			Name: "north", Levels: []experiment.Series{line.NewSeries("busy")}, Counts: []experiment.Series{line.NewSeries("refused")},
			Weather: []experiment.Span{{Name: "storm", From: 2 * time.Second, To: 3 * time.Second}},
		}}
		if err := line.Validate(); err != nil {
			t.Fatal(err)
		}
		damage(line)
		if err := line.Validate(); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), `contestant "wait", seed 7`) {
			t.Errorf("error %v does not say %q", err, says)
		}
	}
}
