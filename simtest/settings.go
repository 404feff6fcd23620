package simtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// validate says what is wrong with the flags, all at once.
func (s *settings) validate(scenarios []string) error {
	errs := slices.Clone(s.errs)
	check := func(ok bool, name string, value any, want string) {
		if !ok {
			errs = append(errs, fmt.Errorf("simtest: flag -%s%s: %v: %s", prefix, name, value, want))
		}
	}
	const most = 1_000_000
	check(s.seeds >= 1 && s.seeds <= most, "seeds", s.seeds, fmt.Sprintf("must be from 1 to %d", most))
	check(s.jobs >= 0, "jobs", s.jobs, "must not be negative; 0 is the scenario's own")
	check(s.concurrency >= 0, "concurrency", s.concurrency, "must not be negative; 0 is the scenario's own")
	check(s.horizon >= 0, "horizon", s.horizon, "must not be negative; 0 is the scenario's own")
	check(s.wallBudget >= 0, "wall-budget", s.wallBudget, "must not be negative")
	check(s.draws == "default" || s.draws == "python", "draws", s.draws, "must be default or python")
	_, err := experiment.ParseRule(s.rule)
	check(err == nil, "rule", s.rule, fmt.Sprintf("must be %s or %s", experiment.Calibrated, experiment.Reference))
	check(s.firstSeed <= ^uint64(0)-uint64(max(s.seeds, 1)), "first-seed", s.firstSeed, "leaves no room for the seeds that follow it")
	_, err = reports.ParseLevel(s.gate)
	check(err == nil, "gate", s.gate, "must be ranking, exact, or a comma list of metrics")
	check(!s.update || s.standard(), "update", strings.Join(s.deviations(), " "), "must not be there: committed rankings are of the scenarios as they stand")
	for _, name := range s.scenarios {
		check(slices.Contains(scenarios, name), "scenarios", name, "is none of this suite; there are "+strings.Join(scenarios, ", "))
	}
	return errors.Join(errs...)
}

// selected reports whether a scenario is to be run.
func (s *settings) selected(name string) bool {
	return len(s.scenarios) == 0 || slices.Contains(s.scenarios, name)
}

// errNotAdjustable says that a scenario has no such thing as jobs or workers.
var errNotAdjustable = errors.New("simtest: the scenario cannot be what the flags ask for")

// adjust returns the scenario as the flags want it.
func (s *settings) adjust(scenario experiment.Scenario) (experiment.Scenario, error) {
	a := experiment.Adjustment{Jobs: s.jobs, Concurrency: s.concurrency, Horizon: s.horizon}
	if s.draws != "default" {
		a.Draws = s.draws
	}
	if a != (experiment.Adjustment{}) {
		adjustable, ok := scenario.(experiment.Adjustable)
		if !ok {
			return nil, fmt.Errorf("%w: scenario %q: leave out -simtest.jobs, -concurrency, -horizon and -draws", errNotAdjustable, scenario.Name())
		}
		adjusted, err := adjustable.Adjust(a)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errNotAdjustable, err)
		}
		scenario = adjusted
	}
	if e, ok := scenario.(experiment.Entrant); ok {
		for _, c := range s.algorithms {
			if err := e.CheckContestant(c); err != nil {
				return nil, fmt.Errorf("%w: flag -%salgorithms: scenario %q: %w", errNotAdjustable, prefix, scenario.Name(), err)
			}
		}
	}
	return scenario, nil
}

// options returns what a sweep of the scenario is to run.
func (s *settings) options(scenario experiment.Scenario) experiment.Options {
	first := uint64(1)
	if own, ok := scenario.(experiment.Seeded); ok {
		first = own.FirstSeed()
	}
	if s.given("first-seed") {
		first = s.firstSeed
	}
	o := experiment.Options{Contestants: s.algorithms, WallBudget: s.wallBudget}
	for i := range uint64(s.seeds) {
		o.Seeds = append(o.Seeds, first+i)
	}
	return o
}

// standard reports whether the flags ask for the scenarios as they are: only
// such results can be compared with committed ones.
func (s *settings) standard() bool { return len(s.deviations()) == 0 }

// deviations are the flags that ask for something else than the scenarios as
// they are.
func (s *settings) deviations() []string {
	var flags []string
	for _, name := range []string{"seeds", "first-seed", "algorithms", "jobs", "concurrency", "horizon", "rule", "draws"} {
		f := s.set.Lookup(prefix + name)
		// The default of the first seed is no seed.
		if s.given(name) && (f.Value.String() != f.DefValue || name == "first-seed") {
			flags = append(flags, "-"+f.Name+"="+f.Value.String())
		}
	}
	return flags
}

// checkSelection returns an error unless at least one selected scenario can be
// what the flags ask for: a suite that leaves out all of them tests nothing.
func (s *settings) checkSelection(scenarios []declaration) error {
	var errs []error
	for _, d := range scenarios {
		if !s.selected(d.name) {
			continue
		}
		scenario, err := d.build()
		if err != nil {
			return nil // a spec of its own says so
		}
		if _, err = s.adjust(scenario); err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
