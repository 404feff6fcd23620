package reports

import (
	"slices"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// ranking ranks the numbers of the baseline once more, to find out who beat
// whom: a file keeps only who won. It is nil if they cannot be ranked.
func (b *Baseline) ranking() *experiment.Ranking {
	d := experiment.Description{Name: b.Scenario, Fingerprint: b.Fingerprint, Contestants: b.Contestants, References: map[string]string{}}
	for _, c := range b.References {
		d.References[c] = "as committed"
	}
	for _, row := range b.Rows {
		d.Metrics = append(d.Metrics, experiment.Metric{
			Name: row.Metric, Unit: "any", Bench: row.Metric, Better: row.Better, Gated: row.Gated, Completion: row.Completion,
		})
	}
	r := &experiment.Result{Scenario: d, Contestants: b.Contestants, Seeds: b.Seeds}
	for c, contestant := range b.Contestants {
		for s, seed := range b.Seeds {
			run := experiment.Run{Contestant: contestant, Seed: seed, Values: map[string]float64{}}
			for _, row := range b.Rows {
				if v := row.Values[c][s]; isNumber(v) {
					run.Values[row.Metric] = v
				}
			}
			r.Runs = append(r.Runs, run)
		}
	}
	ranking, err := experiment.Rank(r, b.Rule)
	if err != nil {
		return nil
	}
	return ranking
}

// beatenBy are those who cost a contestant a row, in the order of contestants.
func beatenBy(k *experiment.Ranking, row *BaselineRow, contestant string) []string {
	if k == nil || row == nil || k.Row(row.Metric) == nil {
		return nil
	}
	var names []string
	for _, p := range k.Row(row.Metric).BeatenBy(contestant) {
		names = append(names, p.A)
	}
	slices.SortFunc(names, func(x, y string) int { return place(k, row, x) - place(k, row, y) })
	return names
}

// place is where a contestant stands in the list of those who were compared.
func place(k *experiment.Ranking, row *BaselineRow, contestant string) int {
	return slices.IndexFunc(k.Row(row.Metric).Eligible, func(s experiment.Standing) bool { return s.Contestant == contestant })
}
