package simtest

import (
	"fmt"

	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Exclude succeeds if the completion gate leaves all of these contestants out
// of the gated rows, because they did too little of the work.
//
//	Expect(outcome).To(Exclude("immediate"))
func Exclude(contestants ...string) types.GomegaMatcher {
	return &excludeMatcher{contestants: contestants}
}

type excludeMatcher struct {
	contestants []string
	row         *experiment.Row
}

// Match implements the matcher. All gated rows leave out the same contestants,
// so the first one tells.
func (m *excludeMatcher) Match(actual any) (bool, error) {
	o, err := outcomeOf(actual)
	if err != nil {
		return false, err
	}
	for _, c := range m.contestants {
		if err := o.contestant(c); err != nil {
			return false, err
		}
	}
	for i := range o.Ranking.Rows {
		if m.row = &o.Ranking.Rows[i]; m.row.Metric.Gated {
			break
		}
	}
	if m.row == nil || !m.row.Metric.Gated {
		return false, fmt.Errorf("scenario %q has no gated metric, so nobody can be excluded", o.Result.Scenario.Name)
	}
	for _, c := range m.contestants {
		if _, out := m.row.ExcludedRatio(c); !out {
			return false, nil
		}
	}
	return true, nil
}

// FailureMessage shows a gated row.
func (m *excludeMatcher) FailureMessage(any) string {
	return fmt.Sprintf("Expected the gated row\n%sto exclude %s", table(m.row), names(m.contestants))
}

// NegatedFailureMessage shows a gated row.
func (m *excludeMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected the gated row\n%snot to exclude %s", table(m.row), names(m.contestants))
}
