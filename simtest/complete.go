package simtest

import (
	"fmt"

	"github.com/onsi/gomega/matchers"
	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// HaveMean succeeds if a contestant's mean of a metric over all seeds matches:
// a number stands for "at least that much", a matcher for itself.
//
//	Expect(outcome).To(HaveMean("wait", "jobs_done", 1900))
//	Expect(outcome).To(HaveMean("wait", "refusal_rate", BeNumerically("<", 0.2)))
func HaveMean(contestant, metric string, expected any) types.GomegaMatcher {
	m, ok := expected.(types.GomegaMatcher)
	if !ok {
		m = &matchers.BeNumericallyMatcher{Comparator: ">=", CompareTo: []any{expected}}
	}
	return &meanMatcher{contestant: contestant, metric: metric, inner: m}
}

// CompleteAtLeast succeeds if a contestant's mean of the scenario's completion
// metric is at least n.
//
//	Expect(outcome).To(CompleteAtLeast("wait", 1900))
func CompleteAtLeast(contestant string, n float64) types.GomegaMatcher {
	return HaveMean(contestant, "", n)
}

type meanMatcher struct {
	contestant, metric string // "" is the completion metric
	inner              types.GomegaMatcher
	aggregate          experiment.Aggregate
	lowest             *experiment.Run
}

// Match implements the matcher.
func (m *meanMatcher) Match(actual any) (bool, error) {
	o, err := outcomeOf(actual)
	if err != nil {
		return false, err
	}
	if err := o.contestant(m.contestant); err != nil {
		return false, err
	}
	for _, metric := range o.Result.Scenario.Metrics {
		if m.metric == "" && metric.Completion {
			m.metric = metric.Name
		}
	}
	if _, err := o.row(m.metric); err != nil {
		return false, err
	}
	ok := false
	if m.aggregate, ok = o.Result.Aggregate(m.contestant, m.metric); !ok {
		return false, fmt.Errorf("%s has no value of %s in any run", m.contestant, m.metric)
	}
	for _, r := range o.Result.Runs {
		if v, has := r.Values[m.metric]; r.Contestant == m.contestant && has && (m.lowest == nil || v < m.lowest.Values[m.metric]) {
			m.lowest = &r
		}
	}
	return m.inner.Match(m.aggregate.Mean)
}

// FailureMessage names the lowest seed.
func (m *meanMatcher) FailureMessage(any) string {
	return m.describe() + m.inner.FailureMessage(m.aggregate.Mean)
}

// NegatedFailureMessage names the lowest seed.
func (m *meanMatcher) NegatedFailureMessage(any) string {
	return m.describe() + m.inner.NegatedFailureMessage(m.aggregate.Mean)
}

func (m *meanMatcher) describe() string {
	return fmt.Sprintf("%s of %s: mean %.6g, from %.6g to %.6g over %d seeds; lowest with seed %d.\n", m.metric, m.contestant,
		m.aggregate.Mean, m.aggregate.Min, m.aggregate.Max, m.aggregate.N, m.lowest.Seed)
}
