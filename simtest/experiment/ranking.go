package experiment

import (
	"cmp"
	"slices"
)

// Ranking says, metric by metric, who may claim to be best.
type Ranking struct {
	Rule Rule
	// Rows in the order of the scenario's metrics, one for each.
	Rows []Row
	// Warnings are for people who read the ranking.
	Warnings []Warning
}

// Row returns the row of a metric, or nil.
func (r *Ranking) Row(metric string) *Row {
	for i := range r.Rows {
		if r.Rows[i].Metric.Name == metric {
			return &r.Rows[i]
		}
	}
	return nil
}

// Rank ranks the runs of a result by a rule. It is a pure function of both. An
// error means that the result is not sound (see [Result.Validate]) or the rule
// unknown.
//
// A contestant that has a value of a metric on some seeds only shortens the
// row to the seeds that all eligible contestants have in common, with a
// warning; one that has none at all is not in the row.
func Rank(result *Result, rule Rule) (*Ranking, error) {
	if _, err := ParseRule(string(rule)); err != nil {
		return nil, err
	}
	if err := result.Validate(); err != nil {
		return nil, err
	}
	k := newRanker(result, rule)
	ranking := &Ranking{Rule: rule, Rows: make([]Row, 0, len(result.Scenario.Metrics))}
	for _, m := range result.Scenario.Metrics {
		ranking.Rows = append(ranking.Rows, k.row(m))
	}
	ranking.Warnings = warnings(result, ranking)
	return ranking, nil
}

// ranker holds what all rows of a ranking have in common.
type ranker struct {
	result   *Result
	rule     Rule
	compared []string    // who takes part at all, in order
	runs     [][]*Run    // of those, seed by seed; nil where missing
	excluded []Exclusion // from gated rows, best ratio first
	critical map[[2]int]float64
}

func newRanker(result *Result, rule Rule) *ranker {
	k := &ranker{result: result, rule: rule, critical: map[[2]int]float64{}}
	seed := make(map[uint64]int, len(result.Seeds))
	for i, s := range result.Seeds {
		seed[s] = i
	}
	place := map[string]int{}
	for _, c := range result.Contestants {
		if result.Scenario.Compared(c) {
			place[c] = len(k.compared)
			k.compared = append(k.compared, c)
			k.runs = append(k.runs, make([]*Run, len(result.Seeds)))
		}
	}
	for i := range result.Runs {
		run := &result.Runs[i]
		if c, ok := place[run.Contestant]; ok {
			k.runs[c][seed[run.Seed]] = run
		}
	}
	k.gate()
	return k
}

// gate finds who did too little work for gated rows. The ratio is that of the
// means in the tables, each over all runs of the contestant.
func (k *ranker) gate() {
	completion := k.result.Scenario.completion()
	means, best := map[string]float64{}, 0.0
	for _, c := range k.compared {
		if g, ok := k.result.Aggregate(c, completion); ok {
			means[c] = g.Mean
			best = max(best, g.Mean)
		}
	}
	if best <= 0 {
		return
	}
	for _, c := range k.compared {
		if mean, ok := means[c]; ok && mean/best < completionLevel {
			k.excluded = append(k.excluded, Exclusion{c, mean / best})
		}
	}
	slices.SortStableFunc(k.excluded, func(a, b Exclusion) int { return cmp.Compare(b.Ratio, a.Ratio) })
}

// row ranks by one metric.
func (k *ranker) row(m Metric) Row {
	row := Row{Metric: m, rule: k.rule}
	if m.Volatile || m.Better == Neutral {
		row.Verdict = NeutralRow
		if m.Volatile {
			row.Verdict = VolatileRow
		}
		return row
	}
	if m.Gated {
		row.Excluded = slices.Clone(k.excluded)
	}
	var places []int
	for i, c := range k.compared {
		if _, out := row.ExcludedRatio(c); out {
			continue
		}
		if !slices.ContainsFunc(k.runs[i], func(r *Run) bool { _, ok := r.value(m.Name); return ok }) {
			row.NoValue = append(row.NoValue, c)
			continue
		}
		places = append(places, i)
		row.Eligible = append(row.Eligible, Standing{Contestant: c})
	}
	values := make([][]float64, len(places))
	for s, seed := range k.result.Seeds {
		if slices.ContainsFunc(places, func(i int) bool { _, ok := k.runs[i][s].value(m.Name); return !ok }) {
			continue
		}
		row.Seeds = append(row.Seeds, seed)
		for e, i := range places {
			v, _ := k.runs[i][s].value(m.Name)
			values[e] = append(values[e], v)
		}
	}
	switch {
	case len(places) < 2:
		row.Verdict = TooFew
		if len(places) == 1 {
			row.Eligible[0].Mean = AggregateOf(values[0]).Mean
		} else {
			row.Seeds = nil
		}
	case len(row.Seeds) == 0:
		row.Verdict = NothingInCommon
	default:
		row.compare(values, k.criticalValue(len(places), len(row.Seeds)))
	}
	return row
}

// criticalValue asks the rule once for each size of a comparison.
func (k *ranker) criticalValue(contestants, seeds int) float64 {
	key := [2]int{contestants, seeds}
	v, ok := k.critical[key]
	if !ok {
		v = k.rule.critical(contestants, seeds)
		k.critical[key] = v
	}
	return v
}
