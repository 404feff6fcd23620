package simtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// HaveWinners succeeds if exactly these contestants share a row, in any order.
// With no contestants it succeeds if nobody is crowned.
//
//	Expect(outcome).To(HaveWinners("jobs_done", "sticky", "wait"))
func HaveWinners(metric string, contestants ...string) types.GomegaMatcher {
	return &rowMatcher{
		metric: metric, contestants: contestants,
		wanted: "to have the winners " + names(contestants),
		ok: func(row *experiment.Row) bool {
			return len(row.Winners) == len(contestants) && allIn(contestants, row.Winners)
		},
	}
}

// Crown succeeds if all of these contestants are among the winners of a row,
// alone or with others.
//
//	Expect(outcome).To(Crown("jobs_done", "sticky"))
//	Expect(outcome).NotTo(Crown("jobs_done", "quota_aware"))
func Crown(metric string, contestants ...string) types.GomegaMatcher {
	return &rowMatcher{
		metric: metric, contestants: contestants,
		wanted: "to crown " + names(contestants),
		ok:     func(row *experiment.Row) bool { return allIn(contestants, row.Winners) },
	}
}

// Separate succeeds if the row has a winner and not all who were compared
// share it. Its negation says that the front-runners cannot be told apart.
//
//	Expect(outcome).NotTo(Separate("error_rate", "wait", "sticky"))
//
// With contestants it is about them alone: whether any of them beats another.
func Separate(metric string, contestants ...string) types.GomegaMatcher {
	return &rowMatcher{
		metric: metric, contestants: contestants,
		wanted: "to separate " + names(contestants),
		ok: func(row *experiment.Row) bool {
			if len(contestants) == 0 {
				return row.Verdict == experiment.Decided && len(row.Winners) < len(row.Eligible)
			}
			for _, a := range contestants {
				for _, b := range contestants {
					if p, ok := row.Pair(a, b); ok && p.Beats() {
						return true
					}
				}
			}
			return false
		},
	}
}

func allIn(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

func names(contestants []string) string {
	if len(contestants) == 0 {
		return "nobody"
	}
	return strings.Join(contestants, ", ")
}

// rowMatcher is a matcher about one row of a ranking.
type rowMatcher struct {
	metric      string
	contestants []string
	wanted      string
	ok          func(*experiment.Row) bool
	row         *experiment.Row
}

// Match implements the matcher.
func (m *rowMatcher) Match(actual any) (bool, error) {
	o, err := outcomeOf(actual)
	if err != nil {
		return false, err
	}
	for _, c := range m.contestants {
		if err := o.contestant(c); err != nil {
			return false, err
		}
	}
	if m.row, err = o.row(m.metric); err != nil {
		return false, err
	}
	return m.ok(m.row), nil
}

// FailureMessage shows the row.
func (m *rowMatcher) FailureMessage(any) string {
	return fmt.Sprintf("Expected the row\n%s%s", table(m.row), m.wanted)
}

// NegatedFailureMessage shows the row.
func (m *rowMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected the row\n%snot %s", table(m.row), m.wanted)
}
