package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// rankTable is the ranking as a table: a body for the headline metrics, one
// for the others with a direction, and one for those that crown nobody.
type rankTable struct {
	Heads   []rankHead
	Bodies  []rankBody
	Columns int // with that of the metrics
}

type rankHead struct{ Name, Class string }

type rankBody struct {
	Title string
	Rows  []rankLine
}

type rankLine struct {
	ID, Name, Unit, Arrow, Better string
	Cells                         []rankCell
}

// rankCell is the mean of a contestant, and below it how it stands.
type rankCell struct{ Class, Text, Note string }

func newRankTable(r *sheet) rankTable {
	var t rankTable
	shown := columns(r.Result)
	for _, c := range shown {
		head := rankHead{Name: c.name}
		switch {
		case c.reference:
			head.Class = "reference"
		case c.unsuited:
			head.Class = "unsuited"
		}
		t.Heads = append(t.Heads, head)
	}
	t.Columns = 1 + len(t.Heads)
	bodies := []rankBody{{Title: "Headline metrics"}, {Title: "Further metrics"}, {Title: "Neutral: nobody is crowned"}}
	for i := range r.Ranking.Rows {
		row := &r.Ranking.Rows[i]
		if row.Metric.Volatile {
			continue // a page of the same runs must stay the same
		}
		line := rankLine{
			ID: metricID(r, row), Name: row.Metric.Name, Unit: row.Metric.Unit,
			Arrow: strings.TrimSpace(arrow(row.Metric)), Better: betterWords(row.Metric),
		}
		for _, c := range shown {
			line.Cells = append(line.Cells, newRankCell(r, row, c))
		}
		body := &bodies[1]
		switch {
		case !row.Metric.Directional():
			body = &bodies[2]
		case row.Metric.Headline:
			body = &bodies[0]
		}
		body.Rows = append(body.Rows, line)
	}
	t.Bodies = slices.DeleteFunc(bodies, func(b rankBody) bool { return b.Rows == nil })
	return t
}

func newRankCell(r *sheet, row *experiment.Row, c column) rankCell {
	text, s := c.cell(r.Result, row, false)
	cell := rankCell{Text: minus(text)}
	ratio, _ := row.ExcludedRatio(c.name)
	switch {
	case c.unsuited:
		cell.Class = "none"
	case s == noNumber:
		cell = rankCell{"none", "–", "no value"}
	case c.reference:
		cell.Class, cell.Note = "reference", "never crowned"
	case s == excluded:
		cell.Class, cell.Note = "excluded", fmt.Sprintf("excluded, did %.1f %%", 100*ratio)
	case row.OnlyEligible() == c.name:
		cell.Note = "only one eligible"
	case s == winner:
		cell.Class, cell.Note = "winner", "best"
		if len(row.Winners) > 1 {
			cell.Note = strings.TrimSuffix("tied "+difference(row, c.name), " ")
		}
	default:
		cell.Note = difference(row, c.name)
	}
	return cell
}

// rival returns whom a contestant is measured against: who beats it by most,
// or the leader of the row if nobody does.
func rival(row *experiment.Row, contestant string) (experiment.Pair, bool) {
	if row.Verdict != experiment.Decided {
		return experiment.Pair{}, false
	}
	against := row.Winners[0]
	if lost := row.BeatenBy(contestant); len(lost) > 0 {
		against = lost[0].A
	}
	return row.Pair(contestant, against)
}

// difference says by how much a contestant's mean differs from its rival's, in
// the direction of the metric: a lower latency is a negative difference.
func difference(row *experiment.Row, contestant string) string {
	p, ok := rival(row, contestant)
	if !ok {
		return ""
	}
	mean := raw(row.Metric, p.Mean)
	text := minus(experiment.FormatNumber(mean))
	if mean > 0 {
		text = "+" + text
	}
	half := experiment.FormatNumber(p.HalfWidth)
	if p.Best != 0 {
		scale := max(p.Best, -p.Best)
		text, half = signedPercent(mean/scale), strings.TrimLeft(signedPercent(p.HalfWidth/scale), "+")
		if p.N > 1 {
			text = strings.TrimSuffix(text, " %")
		}
	}
	if p.N > 1 {
		text += " ± " + half
	}
	if p.B != row.Winners[0] {
		text += " to " + p.B
	}
	return text
}

// raw turns a difference in the better direction into one of the values.
func raw(m experiment.Metric, better float64) float64 {
	if m.Better == experiment.Lower {
		return 0 - better
	}
	return better
}

func betterWords(m experiment.Metric) string {
	if !m.Directional() {
		return "neither more nor less is better"
	}
	return m.Better.String() + " is better"
}

// metricID names a metric on the page.
func metricID(r *sheet, row *experiment.Row) string {
	return r.Sweep.Scenario.Name + "--" + row.Metric.Name
}
