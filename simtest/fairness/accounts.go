package fairness

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Law is something that must hold in every run: the sum of the metrics on the
// left is the sum of those on the right plus Constant.
type Law struct {
	Left, Right []string
	Constant    float64
}

// Accountant is a world that says what its metrics add up to. A metric that
// counts what is held at the end is a law of its own: it is 0.
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

// NothingHeld checks that no goroutine outlives a run. Leases and the like are
// counted by metrics, see Accountant.
func NothingHeld(ctx context.Context, s experiment.Scenario, contestant string, seed uint64) error {
	before := runtime.NumGoroutine()
	if _, err := s.Run(ctx, contestant, seed); err != nil {
		return fmt.Errorf("fairness: nothing held: %s, seed %d: %w", contestant, seed, err)
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
