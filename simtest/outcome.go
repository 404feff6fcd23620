package simtest

import (
	"fmt"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Outcome is what became of a scenario: the value that the matchers of this
// package are about. It is empty until the scenario's sweep has been made,
// which is before any of its specs runs.
type Outcome struct {
	// Scenario is the world, as the flags of the suite want it.
	Scenario experiment.Scenario
	// Result holds the runs, Ranking what they say.
	Result  *experiment.Result
	Ranking *experiment.Ranking
}

// GomegaString keeps failure messages short: they show the row in question.
func (o *Outcome) GomegaString() string {
	if o == nil || o.Result == nil {
		return "an outcome without runs"
	}
	return fmt.Sprintf("scenario %s, %d contestants, %d seeds", o.Result.Scenario.Name, len(o.Result.Contestants), len(o.Result.Seeds))
}

// row returns the ranking's row of a metric, or an error that lists the
// metrics.
func (o *Outcome) row(metric string) (*experiment.Row, error) {
	if o == nil || o.Ranking == nil {
		return nil, fmt.Errorf("there is no ranking: the sweep of the scenario has not been made, or failed")
	}
	if row := o.Ranking.Row(metric); row != nil {
		return row, nil
	}
	var names []string
	for _, r := range o.Ranking.Rows {
		names = append(names, r.Metric.Name)
	}
	return nil, fmt.Errorf("metric %q: scenario %q has none of that name; it has %s", metric, o.Result.Scenario.Name, strings.Join(names, ", "))
}

// contestant returns an error that lists the contestants if there is none of
// that name.
func (o *Outcome) contestant(name string) error {
	for _, c := range o.Result.Contestants {
		if c == name {
			return nil
		}
	}
	return fmt.Errorf("contestant %q did not run; these did: %s", name, strings.Join(o.Result.Contestants, ", "))
}

// outcomeOf checks what a matcher was handed.
func outcomeOf(actual any) (*Outcome, error) {
	o, ok := actual.(*Outcome)
	if !ok {
		return nil, fmt.Errorf("expected a *simtest.Outcome, which simtest.Scenario hands to its specs; got a %T", actual)
	}
	if o == nil || o.Result == nil {
		return nil, fmt.Errorf("the outcome is empty: use it inside of a spec (It), where the sweep has been made")
	}
	return o, nil
}

// table shows a row for a failure message: who took part, how they stand, and
// what beats whom.
func table(row *experiment.Row) string {
	var b strings.Builder
	unit := ""
	if row.Metric.Unit != "" {
		unit = ", " + row.Metric.Unit
	}
	fmt.Fprintf(&b, "%s (%s is better%s), %d seeds:\n", row.Metric.Name, row.Metric.Better, unit, len(row.Seeds))
	for _, s := range row.Eligible {
		mark := " "
		if row.Won(s.Contestant) {
			mark = "*"
		}
		fmt.Fprintf(&b, "  %s %-20s %12.6g", mark, s.Contestant, s.Mean)
		if lost := row.BeatenBy(s.Contestant); len(lost) > 0 {
			p := lost[0]
			fmt.Fprintf(&b, "   %s is better by %.4g ± %.2g, on %d of %d seeds", p.A, p.Mean, p.HalfWidth, p.Better, p.N)
		}
		b.WriteByte('\n')
	}
	for _, x := range row.Excluded {
		fmt.Fprintf(&b, "    %-20s excluded: completed %.1f %% of the best\n", x.Contestant, 100*x.Ratio)
	}
	for _, name := range row.NoValue {
		fmt.Fprintf(&b, "    %-20s has no value\n", name)
	}
	if row.Verdict != experiment.Decided {
		fmt.Fprintf(&b, "  nobody is crowned: %s\n", row.Verdict)
	}
	return b.String()
}
