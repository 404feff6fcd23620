package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// metricChart is a metric seen seed by seed.
type metricChart struct {
	ID, Name, Unit, Arrow, Better, Meaning string
	// Verdict says in a sentence who claims the row, Explanations how each
	// contestant came out.
	Verdict      string
	Explanations []string

	Values     plot
	Difference *plot // to the rival, nil if nothing was compared
	Table      seedTable
}

// plot is a strip per contestant on one scale.
type plot struct {
	Label  string // what a screen reader says instead
	Rows   []plotRow
	Height int
	Ticks  []tick
	Seeds  []seedMarks
	// Zero and Band are a line and a range over all rows, if not empty.
	Zero, BandX, BandWidth string
	Marks                  []mark // of each contestant
}

type plotRow struct{ Name, Class, Text, Note string }

// mark is a path with a class, which decides how it looks.
type mark struct{ Class, Path string }

// seedMarks are what belongs to one seed: a link between its values, and the
// values.
type seedMarks struct {
	Seed uint64
	Link string
	Dots []mark
}

// rowHeight is the height of a contestant's strip in pixels.
const rowHeight = 28

// seedTable is the same as numbers.
type seedTable struct {
	Heads []string
	Rows  []seedLine
}

type seedLine struct {
	Seed  string
	Cells []string
}

func newMetricChart(r *sheet, row *experiment.Row) metricChart {
	m := row.Metric
	c := metricChart{
		ID: metricID(r, row), Name: m.Name, Unit: m.Unit, Arrow: strings.TrimSpace(arrow(m)), Better: betterWords(m),
		Meaning: sentence(m.Meaning), Verdict: verdict(row),
	}
	if m.Directional() {
		for _, name := range r.Sweep.Contestants {
			if r.Sweep.Scenario.Compared(name) {
				c.Explanations = append(c.Explanations, strings.Split(row.Explain(name), "\n")...)
			}
		}
	}
	shown := slices.DeleteFunc(columns(r.Result), func(c column) bool { return !slices.Contains(r.Sweep.Contestants, c.name) })
	c.Values = valuesPlot(r, row, shown)
	c.Difference = differencePlot(r, row, shown)
	c.Table = newSeedTable(r, m, shown)
	return c
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(text[size:], ".") + "."
}

// verdict says who claims a row.
func verdict(row *experiment.Row) string {
	switch n := len(row.Winners); {
	case row.OnlyEligible() != "":
		return "Only " + row.OnlyEligible() + " was eligible, and won against nobody."
	case n == 0:
		return "Nobody is crowned: " + strings.TrimPrefix(row.Verdict.String(), "neutral: ") + "."
	case n == 1:
		return row.Winners[0] + " is best."
	default:
		return strings.Join(row.Winners[:n-1], ", ") + " and " + row.Winners[n-1] + " share the row."
	}
}

// class returns how a contestant looks in a row.
func class(r *sheet, row *experiment.Row, c column) string {
	switch _, excluded := row.ExcludedRatio(c.name); {
	case c.unsuited:
		return "unsuited"
	case c.reference:
		return "reference"
	case excluded:
		return "excluded"
	case row.Won(c.name):
		return "winner"
	}
	return "plain"
}

// valuesPlot shows every value, with the values of a seed linked.
func valuesPlot(r *sheet, row *experiment.Row, shown []column) plot {
	p := plot{Height: rowHeight * len(shown)}
	s := valuesScale(r, row, shown)
	p.Ticks = s.ticks(4)
	var spoken []string
	for i, c := range shown {
		line := plotRow{Name: c.name, Class: class(r, row, c)}
		g, ok := r.Sweep.Aggregate(c.name, row.Metric.Name)
		if !ok {
			line.Text = "–"
			p.Rows = append(p.Rows, line)
			continue
		}
		line.Text = minus(experiment.FormatNumber(g.Mean))
		if !s.has(g.Min) || !s.has(g.Max) {
			line.Note = "off the scale"
		}
		p.Rows = append(p.Rows, line)
		y := rowHeight*i + rowHeight/2
		p.Marks = append(p.Marks, mark{line.Class, fmt.Sprintf("M%s %dv%d", s.x(g.Mean), y-10, 20)})
		spoken = append(spoken, fmt.Sprintf("%s mean %s, from %s to %s", c.name,
			experiment.FormatNumber(g.Mean), experiment.FormatNumber(g.Min), experiment.FormatNumber(g.Max)))
	}
	for _, seed := range r.Sweep.Seeds {
		marks := seedMarks{Seed: seed}
		next := "M" // a missing value interrupts the link
		for i, c := range shown {
			v, ok := r.value(c.name, seed, row.Metric.Name)
			if !ok {
				next = "M"
				continue
			}
			at := s.x(v) + " " + strconv.Itoa(rowHeight*i+rowHeight/2)
			marks.Link += next + at
			next = "L"
			marks.dot(p.Rows[i].Class, at)
		}
		p.Seeds = append(p.Seeds, marks)
	}
	p.Label = fmt.Sprintf("%s in %s, %s: %s", row.Metric.Name, row.Metric.Unit, count(len(r.Sweep.Seeds), "seed"), strings.Join(spoken, "; "))
	return p
}

// dot adds a dot to those of its class: a line without length and with round
// ends, since a circle would be stretched with the chart.
func (s *seedMarks) dot(class, at string) {
	i := slices.IndexFunc(s.Dots, func(m mark) bool { return m.Class == class })
	if i < 0 {
		i = len(s.Dots)
		s.Dots = append(s.Dots, mark{Class: class})
	}
	s.Dots[i].Path += "M" + at + "h0"
}

// valuesScale covers the contestants that are compared. Others are on it as
// long as they do not press the compared ones together.
func valuesScale(r *sheet, row *experiment.Row, shown []column) scale {
	const most = 3
	var values []float64
	for _, c := range shown {
		if k := class(r, row, c); k == "winner" || k == "plain" {
			values = append(values, r.Sweep.Values(c.name, row.Metric.Name)...)
		}
	}
	compared := newScale(values)
	for _, c := range shown {
		if k := class(r, row, c); k != "winner" && k != "plain" {
			all := append(slices.Clone(values), r.Sweep.Values(c.name, row.Metric.Name)...)
			if s := newScale(all); len(values) == 0 || s.hi-s.lo <= most*(compared.hi-compared.lo) {
				values = all
			}
		}
	}
	return newScale(values)
}

func newSeedTable(r *sheet, m experiment.Metric, shown []column) seedTable {
	var t seedTable
	for _, c := range shown {
		t.Heads = append(t.Heads, c.name)
	}
	for _, seed := range r.Sweep.Seeds {
		line := seedLine{Seed: strconv.FormatUint(seed, 10)}
		for _, c := range shown {
			text := "no value"
			if v, ok := r.value(c.name, seed, m.Name); ok {
				text = minus(experiment.FormatNumber(v))
			} else if r.runs[runKey{c.name, seed}] == nil {
				text = "no run"
			}
			line.Cells = append(line.Cells, text)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
