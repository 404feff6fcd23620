package reports

import (
	"fmt"
	"slices"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// column is one contestant in a table.
type column struct {
	name      string
	reference bool
	unsuited  bool
}

// columns returns the contestants that a table shows: those that were asked
// for, and the unsuited ones too unless somebody chose a part.
func columns(r *Result) []column {
	d := r.Sweep.Scenario
	names := slices.Clone(r.Sweep.Contestants)
	chosen := slices.ContainsFunc(d.Contestants, func(c string) bool { return !slices.Contains(names, c) })
	for _, c := range sortedKeys(d.Unsuited) {
		if !chosen && !slices.Contains(names, c) {
			names = append(names, c)
		}
	}
	all := make([]column, len(names))
	for i, name := range names {
		_, reference := d.References[name]
		_, unsuited := d.Unsuited[name]
		all[i] = column{name, reference, unsuited}
	}
	return all
}

// title is the head of the column.
func (c column) title() string {
	if c.reference {
		return "[" + c.name + "]"
	}
	return c.name
}

// standing is how a contestant stands in a row.
type standing int

const (
	unmarked standing = iota
	winner
	excluded
	noNumber // unsuited, or without a value
)

// cell returns what stands in a row for a contestant; withStdev adds the
// standard deviation.
func (c column) cell(r *Result, row *experiment.Row, withStdev bool) (string, standing) {
	if c.unsuited {
		return "N/A", noNumber
	}
	g, ok := r.Sweep.Aggregate(c.name, row.Metric.Name)
	if !ok {
		return "-", noNumber
	}
	text := experiment.FormatNumber(g.Mean)
	if withStdev {
		text += " ± " + experiment.FormatNumber(g.Stdev)
	}
	if row.Won(c.name) {
		return text, winner
	}
	if _, out := row.ExcludedRatio(c.name); out {
		return text, excluded
	}
	return text, unmarked
}

// arrow shows which way a row gets better.
func arrow(m experiment.Metric) string {
	switch {
	case !m.Directional():
		return " "
	case m.Better == experiment.Higher:
		return "↑"
	}
	return "↓"
}

// headline says what was run.
func headline(r *Result) string {
	s := r.Sweep
	return fmt.Sprintf("%s on %s (%s), %s rule, %s draws, assumptions %.12s",
		count(len(s.Contestants), "contestant"), count(len(s.Seeds), "seed"), formatSeeds(s.Seeds), r.Rule, r.Draws, s.Scenario.Fingerprint)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
