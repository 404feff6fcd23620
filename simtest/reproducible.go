package simtest

import (
	"context"
	"fmt"

	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/fairness"
)

// BeReproducible succeeds if a scenario's runs of every contestant on a seed
// have the same digest however often and with whatever else they are made. It
// catches contestants that use the wall clock or global randomness, and names
// them.
//
//	Expect(scenario).To(BeReproducible(ctx, 1))
func BeReproducible(ctx context.Context, seed uint64) types.GomegaMatcher {
	return &scenarioMatcher{what: "be reproducible", check: func(s experiment.Scenario) error {
		for _, c := range s.Contestants() {
			if err := fairness.Reproducible(ctx, s, c, seed); err != nil {
				return err
			}
		}
		return nil
	}}
}

// NotLeak succeeds if no contestant of a scenario can reach the scenario's
// world from what it is handed.
//
//	Expect(scenario).To(NotLeak(ctx, 1))
func NotLeak(ctx context.Context, seed uint64) types.GomegaMatcher {
	return &scenarioMatcher{what: "not leak", check: func(s experiment.Scenario) error {
		for _, c := range s.Contestants() {
			if err := fairness.NoLeak(ctx, s, c, seed); err != nil {
				return err
			}
		}
		return nil
	}}
}

// scenarioMatcher is a matcher about a scenario that is an error or none.
type scenarioMatcher struct {
	what  string
	check func(experiment.Scenario) error
	err   error
}

// Match implements the matcher.
func (m *scenarioMatcher) Match(actual any) (bool, error) {
	s, ok := actual.(experiment.Scenario)
	if !ok {
		return false, fmt.Errorf("expected an experiment.Scenario; got a %T", actual)
	}
	m.err = m.check(s)
	return m.err == nil, nil
}

// FailureMessage says what was found.
func (m *scenarioMatcher) FailureMessage(actual any) string {
	return fmt.Sprintf("Expected scenario %s to %s:\n    %v", actual.(experiment.Scenario).Name(), m.what, m.err)
}

// NegatedFailureMessage says that nothing was found.
func (m *scenarioMatcher) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("Expected scenario %s not to %s, but nothing was found", actual.(experiment.Scenario).Name(), m.what)
}
