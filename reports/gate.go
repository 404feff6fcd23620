package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Drift is what became of a scenario since its baseline: which rows of the
// ranking moved, and all that differs and could be why. Runs are deterministic,
// so that what is called the same is the same, and what is called changed did
// change on these seeds; the intervals say what to expect on others.
type Drift struct {
	Before, Now *Baseline

	// Terms are the rule, the draws and the seeds, if they differ.
	Terms []Edit
	// Assumptions that differ, sorted by key. Unlisted says that the
	// fingerprint differs and no listed assumption explains it.
	Assumptions []Edit
	Unlisted    bool
	// Joined and Left are contestants that only one of the two has.
	Joined, Left []string
	// Changed are contestants that ran differently on a seed that both have,
	// and Same those that ran identically on all of these.
	Changed []ChangedRuns
	Same    []string
	// Declared are rows whose metric is declared otherwise.
	Declared []Edit
	// Formulas are metrics with other values in runs that are the same.
	Formulas []string
	// Rows are all rows, those that are gone at the end.
	Rows []RowDrift

	rankedBefore, rankedNow *experiment.Ranking
}

// Edit is something that was written down and is written otherwise now. A text
// that is "none" was or is not there.
type Edit struct{ What, Before, Now string }

const none = "none"

// ChangedRuns names the seeds, of all that are common, on which a contestant's
// run is not what it was.
type ChangedRuns struct {
	Contestant string
	Seeds      []uint64
	Common     int
}

// RowDrift is what became of a row. Before or Now is nil if there was or is no
// such row.
type RowDrift struct {
	Metric      string
	Before, Now *BaselineRow
	// Moves are of all contestants, those that left at the end.
	Moves []Move
}

// Changed reports whether winners or exclusions differ: whether the ranking
// does, and not only a number.
func (r *RowDrift) Changed() bool {
	return r.Before == nil || r.Now == nil || r.Before.Better != r.Now.Better ||
		!sameNames(r.Before.Winners, r.Now.Winners) || !sameNames(r.Before.Excluded, r.Now.Excluded)
}

// sameNames compares lists as sets: both have an order of their own, that of
// contestants, which may have changed.
func sameNames(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool { return !slices.Contains(b, name) })
}

// Gate compares a baseline with a later one of the same scenario.
func Gate(before, now *Baseline) (*Drift, error) {
	if before.Scenario != now.Scenario {
		return nil, fmt.Errorf("reports: the baseline is of scenario %q: must be of %q", before.Scenario, now.Scenario)
	}
	d := &Drift{Before: before, Now: now, rankedBefore: before.ranking(), rankedNow: now.ranking()}
	d.terms()
	d.assumptions()
	d.contestants()
	d.rows()
	d.formulas()
	return d, nil
}

// edit adds to a list what differs.
func edit(list *[]Edit, what, before, now string) {
	if before != now {
		*list = append(*list, Edit{what, before, now})
	}
}

func (d *Drift) terms() {
	edit(&d.Terms, "rule", d.Before.Rule.String(), d.Now.Rule.String())
	edit(&d.Terms, "draws", d.Before.Draws, d.Now.Draws)
	edit(&d.Terms, "seeds", formatSeeds(d.Before.Seeds), formatSeeds(d.Now.Seeds))
}

// assumptions merges the two lists, both of which are sorted.
func (d *Drift) assumptions() {
	a, b := d.Before.Assumptions, d.Now.Assumptions
	for len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Key < b[0].Key:
			edit(&d.Assumptions, a[0].Key, a[0].Value, none)
			a = a[1:]
		case len(a) == 0 || b[0].Key < a[0].Key:
			edit(&d.Assumptions, b[0].Key, none, b[0].Value)
			b = b[1:]
		default:
			edit(&d.Assumptions, a[0].Key, a[0].Value, b[0].Value)
			a, b = a[1:], b[1:]
		}
	}
	d.Unlisted = d.Before.Fingerprint != d.Now.Fingerprint && d.Assumptions == nil
}

func (d *Drift) contestants() {
	for _, c := range d.Before.Contestants {
		if !slices.Contains(d.Now.Contestants, c) {
			d.Left = append(d.Left, c)
		}
	}
	for i, c := range d.Now.Contestants {
		at := slices.Index(d.Before.Contestants, c)
		if at < 0 {
			d.Joined = append(d.Joined, c)
			continue
		}
		changed := ChangedRuns{Contestant: c}
		d.common(func(seed uint64, before, now int) {
			changed.Common++
			if d.Before.Digests[at][before] != d.Now.Digests[i][now] {
				changed.Seeds = append(changed.Seeds, seed)
			}
		})
		switch {
		case changed.Seeds != nil:
			d.Changed = append(d.Changed, changed)
		case changed.Common > 0:
			d.Same = append(d.Same, c)
		}
	}
}

// common calls f with every seed that both have, and its places.
func (d *Drift) common(f func(seed uint64, before, now int)) {
	places := make(map[uint64]int, len(d.Before.Seeds))
	for i, seed := range d.Before.Seeds {
		places[seed] = i
	}
	for i, seed := range d.Now.Seeds {
		if at, ok := places[seed]; ok {
			f(seed, at, i)
		}
	}
}

func (d *Drift) rows() {
	for i := range d.Now.Rows {
		now := &d.Now.Rows[i]
		before := d.Before.Row(now.Metric)
		if before != nil {
			edit(&d.Declared, now.Metric, strings.Join(before.declaration()[1:], " "), strings.Join(now.declaration()[1:], " "))
		} else {
			edit(&d.Declared, now.Metric, none, strings.Join(now.declaration()[1:], " "))
		}
		d.Rows = append(d.Rows, d.row(now.Metric, before, now))
	}
	for i := range d.Before.Rows {
		before := &d.Before.Rows[i]
		if d.Now.Row(before.Metric) == nil {
			edit(&d.Declared, before.Metric, strings.Join(before.declaration()[1:], " "), none)
			d.Rows = append(d.Rows, d.row(before.Metric, before, nil))
		}
	}
}

func (d *Drift) row(metric string, before, now *BaselineRow) RowDrift {
	row := RowDrift{Metric: metric, Before: before, Now: now}
	for _, c := range slices.Concat(d.Now.Contestants, d.Left) {
		row.Moves = append(row.Moves, d.move(c, before, now))
	}
	return row
}

// formulas finds metrics that changed in runs that did not. A digest covers
// what happened, and a metric is computed from it.
func (d *Drift) formulas() {
	for i := range d.Rows {
		row := &d.Rows[i]
		if slices.ContainsFunc(row.Moves, func(m Move) bool { return slices.Contains(d.Same, m.Contestant) && m.Seeds != nil }) {
			d.Formulas = append(d.Formulas, row.Metric)
		}
	}
}

// Suspect returns the run to look at first: of the contestant that changed, in
// the first row that did, the seed on which it moved most. It is false if no
// run changed.
func (d *Drift) Suspect() (contestant string, seed uint64, ok bool) {
	if len(d.Changed) == 0 {
		return "", 0, false
	}
	contestant, seed = d.Changed[0].Contestant, d.Changed[0].Seeds[0]
	for _, rows := range [][]RowDrift{d.changedRows(), d.Rows} {
		for _, row := range rows {
			for _, m := range row.Moves {
				if m.Contestant == contestant && m.Seeds != nil {
					return contestant, m.Most, true
				}
			}
		}
	}
	return contestant, seed, true
}

func (d *Drift) changedRows() []RowDrift {
	return slices.DeleteFunc(slices.Clone(d.Rows), func(r RowDrift) bool { return !r.Changed() })
}

// isNumber is false for the NaN that stands for no value.
func isNumber(v float64) bool { return !math.IsNaN(v) }

// betterOf is the direction of a row, of which at least one is there.
func betterOf(before, now *BaselineRow) experiment.Direction {
	if now != nil {
		return now.Better
	}
	return before.Better
}
