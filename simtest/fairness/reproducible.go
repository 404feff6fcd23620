package fairness

import (
	"context"
	"fmt"
	"sync"

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
