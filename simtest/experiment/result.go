package experiment

import (
	"fmt"
	"slices"
)

// Result is what a sweep measured, as plain data.
type Result struct {
	// Scenario describes the world.
	Scenario Description
	// Contestants that were asked for, in the order of every output.
	Contestants []string
	// Seeds that were asked for, in order.
	Seeds []uint64
	// Runs that succeeded, contestant by contestant, seed by seed.
	Runs []Run
}

// Complete reports whether every contestant has a run on every seed.
func (r *Result) Complete() bool { return len(r.Runs) == len(r.Contestants)*len(r.Seeds) }

// Run returns the run of a contestant on a seed.
func (r *Result) Run(contestant string, seed uint64) (Run, bool) {
	for i := range r.Runs {
		if r.Runs[i].Contestant == contestant && r.Runs[i].Seed == seed {
			return r.Runs[i], true
		}
	}
	return Run{}, false
}

// Missing returns the seeds on which a contestant has no run, in order.
func (r *Result) Missing(contestant string) []uint64 {
	found := make(map[uint64]bool, len(r.Seeds))
	for i := range r.Runs {
		if r.Runs[i].Contestant == contestant {
			found[r.Runs[i].Seed] = true
		}
	}
	var missing []uint64
	for _, seed := range r.Seeds {
		if !found[seed] {
			missing = append(missing, seed)
		}
	}
	return missing
}

// Values returns a contestant's values of a metric in the order of seeds,
// without the runs that have none.
func (r *Result) Values(contestant, metric string) []float64 {
	var values []float64
	for i := range r.Runs {
		if r.Runs[i].Contestant != contestant {
			continue
		}
		if v, ok := r.Runs[i].Values[metric]; ok {
			values = append(values, v)
		}
	}
	return values
}

// Aggregate summarises a contestant's values of a metric; false if it has none.
func (r *Result) Aggregate(contestant, metric string) (Aggregate, bool) {
	g := AggregateOf(r.Values(contestant, metric))
	return g, g.N > 0
}

// Validate checks a result that was put together by hand or read from a file:
// the description, the runs, and their order.
func (r *Result) Validate() error {
	if err := r.Scenario.Validate(); err != nil {
		return err
	}
	if err := r.validate(); err != nil {
		return fmt.Errorf("experiment: scenario %q: %w", r.Scenario.Name, err)
	}
	return nil
}

func (r *Result) validate() error {
	if err := checkAsked(r.Contestants, r.Seeds); err != nil {
		return err
	}
	places := make(map[uint64]int, len(r.Seeds))
	for i, seed := range r.Seeds {
		places[seed] = i
	}
	last := -1
	for _, run := range r.Runs {
		c := slices.Index(r.Contestants, run.Contestant)
		s, ok := places[run.Seed]
		if c < 0 || !ok {
			return fmt.Errorf("run of contestant %q on seed %d: must be one that was asked for", run.Contestant, run.Seed)
		}
		if at := c*len(r.Seeds) + s; at > last {
			last = at
		} else {
			return fmt.Errorf("run of contestant %q on seed %d: must come once, in the order of contestants and seeds", run.Contestant, run.Seed)
		}
		if err := r.Scenario.CheckRun(run); err != nil {
			return fmt.Errorf("contestant %q, seed %d: %w", run.Contestant, run.Seed, err)
		}
	}
	return nil
}

// checkAsked checks what a sweep is asked to run.
func checkAsked(contestants []string, seeds []uint64) error {
	if len(contestants) == 0 {
		return fmt.Errorf("no contestants: must have at least one")
	}
	if err := checkContestants(contestants); err != nil {
		return err
	}
	if len(seeds) == 0 {
		return fmt.Errorf("no seeds: must have at least one")
	}
	seen := make(map[uint64]bool, len(seeds))
	for _, seed := range seeds {
		if seen[seed] {
			return fmt.Errorf("seed %d: must be listed once", seed)
		}
		seen[seed] = true
	}
	return nil
}
