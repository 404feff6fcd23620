package fairness

import (
	"fmt"

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
