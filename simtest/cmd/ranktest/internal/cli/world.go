package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// world is what the flags make of a scenario: the same world in another size,
// or with other draws. Zero leaves it as it is.
type world struct {
	jobs, concurrency int
	horizon           time.Duration
	draws             string
}

// defaultDraws are the scenario's own.
const defaultDraws = "default"

func (w *world) declare(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&w.jobs, "jobs", 0, "`number` of jobs of each run (default: the scenario's own)")
	f.IntVar(&w.concurrency, "concurrency", 0, "`number` of workers of each run (default: the scenario's own)")
	f.DurationVar(&w.horizon, "horizon", 0, "simulated `time` after which no job is begun (default: the scenario's own)")
	choiceVar(cmd, &w.draws, "draws", "the world's randomness: default, or python for that of the reference", defaultDraws, "python")
	for _, name := range []string{"jobs", "concurrency", "horizon"} {
		complete(cmd, name, cobra.NoFileCompletions)
	}
}

func (w *world) validate() error {
	var errs []error
	for _, f := range []struct {
		name  string
		value any
		bad   bool
	}{
		{"jobs", w.jobs, w.jobs < 0},
		{"concurrency", w.concurrency, w.concurrency < 0},
		{"horizon", w.horizon, w.horizon < 0},
	} {
		if f.bad {
			errs = append(errs, fmt.Errorf("flag --%s: %v: must not be negative; 0 is the scenario's own", f.name, f.value))
		}
	}
	return errors.Join(errs...)
}

// adjust returns the scenario as the flags want it.
func (w *world) adjust(s experiment.Scenario) (experiment.Scenario, error) {
	a := experiment.Adjustment{Jobs: w.jobs, Concurrency: w.concurrency, Horizon: w.horizon}
	if w.draws != defaultDraws {
		a.Draws = w.draws
	}
	if a == (experiment.Adjustment{}) {
		return s, nil
	}
	adjustable, ok := s.(experiment.Adjustable)
	if !ok {
		return nil, fmt.Errorf("scenario %q: cannot be adjusted: leave out --jobs, --concurrency, --horizon and --draws", s.Name())
	}
	return adjustable.Adjust(a)
}

// checkContestant reports why a scenario cannot run a contestant, or nil.
func checkContestant(s experiment.Scenario, name string) error {
	_, unsuited := s.Unsuited()[name]
	if unsuited || slices.Contains(s.Contestants(), name) {
		return nil
	}
	if e, ok := s.(experiment.Entrant); ok {
		if err := e.CheckContestant(name); err != nil {
			return fmt.Errorf("scenario %q: %w", s.Name(), err)
		}
		return nil
	}
	return fmt.Errorf("scenario %q: contestant %q: unknown: must be one of %s", s.Name(), name,
		strings.Join(append(s.Contestants(), sortedKeys(s.Unsuited())...), ", "))
}

// takesSpecs reports whether contestants of the scenario are algorithms of
// package acquire, by their specs.
func takesSpecs(s experiment.Scenario) bool {
	e, ok := s.(experiment.Entrant)
	return ok && e.CheckContestant("wait(timeout=1h)") == nil
}

// firstSeed is the scenario's own, or 1.
func firstSeed(s experiment.Scenario) uint64 {
	if own, ok := s.(experiment.Seeded); ok {
		return own.FirstSeed()
	}
	return 1
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
