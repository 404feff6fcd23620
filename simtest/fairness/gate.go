package fairness

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// CompletionGate checks that the gate works for every gated metric: a copy of
// the result, in which one contestant completed next to nothing and has the
// best value of the metric by far, must not crown it there. rank is how
// results are ranked.
func CompletionGate(result *experiment.Result, rank func(*experiment.Result) (*experiment.Ranking, error)) error {
	completion := ""
	for _, m := range result.Scenario.Metrics {
		if m.Completion {
			completion = m.Name
		}
	}
	var compared []string
	for _, c := range result.Contestants {
		if result.Scenario.Compared(c) {
			compared = append(compared, c)
		}
	}
	if completion == "" || len(compared) < 2 {
		return nil
	}
	idler := compared[0]
	for _, m := range result.Scenario.Metrics {
		if !m.Gated {
			continue
		}
		ranking, err := rank(withIdler(result, idler, completion, m))
		if err != nil {
			return fmt.Errorf("fairness: completion gate: %w", err)
		}
		if slices.Contains(ranking.Row(m.Name).Winners, idler) {
			return fmt.Errorf("fairness: completion gate: %s: %s completed next to nothing, and was crowned", m.Name, idler)
		}
	}
	return nil
}

// withIdler copies a result so that a contestant completes a thousandth of the
// best and has the best value of a metric.
func withIdler(result *experiment.Result, idler, completion string, m experiment.Metric) *experiment.Result {
	most, best := 0.0, 0.0
	for _, r := range result.Runs {
		most = max(most, r.Values[completion])
		best = max(best, math.Abs(r.Values[m.Name]))
	}
	fake := *result
	fake.Runs = slices.Clone(result.Runs)
	for i := range fake.Runs {
		r := &fake.Runs[i]
		values := maps.Clone(r.Values)
		if r.Contestant == idler {
			values[completion] = most / 1000
			values[m.Name] = 2*best + 1
			if m.Better == experiment.Lower {
				values[m.Name] = -2*best - 1
			}
		} else {
			values[completion] = most
		}
		r.Values = values
	}
	return &fake
}
