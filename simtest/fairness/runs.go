package fairness

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Reproducible checks that a contestant's run on a seed has the same digest
// when it is repeated, and when several are made at the same time.
func Reproducible(ctx context.Context, s experiment.Scenario, contestant string, seed uint64) error {
	first, err := s.Run(ctx, contestant, seed)
	if err != nil {
		return fmt.Errorf("fairness: reproducible: %s, seed %d: %w", contestant, seed, err)
	}
	const together = 3
	again := make([]experiment.Run, together)
	errs := make([]error, together)
	var runs sync.WaitGroup
	for i := range together {
		runs.Go(func() { again[i], errs[i] = s.Run(ctx, contestant, seed) })
	}
	runs.Wait()
	for i, r := range again {
		if errs[i] != nil {
			return fmt.Errorf("fairness: reproducible: %s, seed %d, repeated: %w", contestant, seed, errs[i])
		}
		if r.Digest != first.Digest {
			return fmt.Errorf("fairness: reproducible: %s, seed %d: the run was %s and, repeated, %s: %s: does it use the wall clock, "+
				"global randomness, or the order of a map?", contestant, seed, first.Digest, r.Digest, firstDifference(s, first, r))
		}
	}
	return nil
}

// firstDifference names a metric in which two runs differ.
func firstDifference(s experiment.Scenario, a, b experiment.Run) string {
	for _, m := range s.Metrics() {
		if x, y := a.Values[m.Name], b.Values[m.Name]; x != y && !m.Volatile {
			return fmt.Sprintf("%s was %v and %v", m.Name, x, y)
		}
	}
	return "no metric differs, but what happened does"
}

// CompletionGate checks that the gate works for every gated metric: a copy of
// the result, in which one contestant completed next to nothing and has the
// best value of the metric by far, must not crown it there.
func CompletionGate(result *experiment.Result, rule experiment.Rule) error {
	completion := ""
	for _, m := range result.Scenario.Metrics {
		if m.Completion {
			completion = m.Name
		}
	}
	var compared []string
	for _, c := range result.Contestants {
		if result.Scenario.Compared(c) {
			compared = append(compared, c)
		}
	}
	if completion == "" || len(compared) < 2 {
		return nil
	}
	idler := compared[0]
	for _, m := range result.Scenario.Metrics {
		if !m.Gated {
			continue
		}
		ranking, err := experiment.Rank(withIdler(result, idler, completion, m), rule)
		if err != nil {
			return fmt.Errorf("fairness: completion gate: %w", err)
		}
		if slices.Contains(ranking.Row(m.Name).Winners, idler) {
			return fmt.Errorf("fairness: completion gate: %s: %s completed next to nothing, and was crowned", m.Name, idler)
		}
	}
	return nil
}

// withIdler copies a result so that a contestant completes a thousandth of the
// best and has the best value of a metric.
func withIdler(result *experiment.Result, idler, completion string, m experiment.Metric) *experiment.Result {
	most, best := 0.0, 0.0
	for _, r := range result.Runs {
		most = max(most, r.Values[completion])
		best = max(best, math.Abs(r.Values[m.Name]))
	}
	fake := *result
	fake.Runs = slices.Clone(result.Runs)
	for i := range fake.Runs {
		r := &fake.Runs[i]
		values := map[string]float64{}
		for name, v := range r.Values {
			values[name] = v
		}
		if r.Contestant == idler {
			values[completion] = most / 1000
			values[m.Name] = 2*best + 1
			if m.Better == experiment.Lower {
				values[m.Name] = -2*best - 1
			}
		} else {
			values[completion] = most
		}
		r.Values = values
	}
	return &fake
}

// Law is something that must hold in every run: the sum of the metrics on the
// left is the sum of those on the right plus Constant.
type Law struct {
	Left, Right []string
	Constant    float64
}

// Accountant is a world that says what its metrics add up to.
type Accountant interface {
	Laws() []Law
}

// WorkAddsUp checks a world's laws in every run.
func WorkAddsUp(w Accountant, result *experiment.Result) error {
	if len(result.Runs) == 0 {
		return fmt.Errorf("fairness: work adds up: there is no run to check")
	}
	for _, r := range result.Runs {
		for _, law := range w.Laws() {
			left, right := 0.0, law.Constant
			for _, name := range law.Left {
				left += r.Values[name]
			}
			for _, name := range law.Right {
				right += r.Values[name]
			}
			if left != right {
				return fmt.Errorf("fairness: work adds up: %s, seed %d: the sum of %v is %v, and should be %v", r.Contestant, r.Seed, law.Left, left, right)
			}
		}
	}
	return nil
}

// NothingHeld checks that a run gives everything back: the metrics that count
// what is held at the end are 0, and no goroutine is left.
func NothingHeld(ctx context.Context, s experiment.Scenario, held []string, contestant string, seed uint64) error {
	before := runtime.NumGoroutine()
	r, err := s.Run(ctx, contestant, seed)
	if err != nil {
		return fmt.Errorf("fairness: nothing held: %s, seed %d: %w", contestant, seed, err)
	}
	for _, name := range held {
		if v := r.Values[name]; v != 0 {
			return fmt.Errorf("fairness: nothing held: %s, seed %d: %s is %v at the end, and must be 0", contestant, seed, name, v)
		}
	}
	// Goroutines of other runs of this process may come and go; those of this
	// run must be gone within a moment.
	for try := 0; runtime.NumGoroutine() > before; try++ {
		if try == 100 {
			return fmt.Errorf("fairness: nothing held: %s, seed %d: %d goroutines before the run, %d after it", contestant, seed, before, runtime.NumGoroutine())
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}
