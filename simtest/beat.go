package simtest

import (
	"fmt"

	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// HaveBeaten succeeds if, by the suite's rule, winner is better than loser in
// a row: by more than the guard and more than chance.
//
//	Expect(outcome).To(HaveBeaten("jobs_done", "wait", "quota_aware"))
func HaveBeaten(metric, winner, loser string) types.GomegaMatcher {
	m := &beatMatcher{}
	m.rowMatcher = rowMatcher{
		metric: metric, contestants: []string{winner, loser},
		wanted: fmt.Sprintf("to have %s beaten by %s", loser, winner),
		ok: func(row *experiment.Row) bool {
			p, ok := row.Pair(winner, loser)
			m.pair, m.compared = p, ok
			return ok && p.Beats()
		},
	}
	return m
}

type beatMatcher struct {
	rowMatcher
	pair     experiment.Pair
	compared bool
}

// FailureMessage adds the comparison of the two.
func (m *beatMatcher) FailureMessage(actual any) string {
	return m.rowMatcher.FailureMessage(actual) + m.why()
}

// NegatedFailureMessage adds the comparison of the two.
func (m *beatMatcher) NegatedFailureMessage(actual any) string {
	return m.rowMatcher.NegatedFailureMessage(actual) + m.why()
}

func (m *beatMatcher) why() string {
	if !m.compared {
		return "\nThe two are not compared in this row."
	}
	p := m.pair
	return fmt.Sprintf("\n%s is better than %s by %.4g ± %.2g (needed: more than %.4g), on %d of %d seeds; worse on %d.",
		p.A, p.B, p.Mean, p.HalfWidth, p.Margin(), p.Better, p.N, p.Worse)
}
