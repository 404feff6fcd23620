package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// maxMoves bounds the lines of contestants in a table; the rest is counted.
const maxMoves = 40

// String says what changed, for people: a table of the rows that a level of
// ranking minds, or, if there are none, of those in which a number moved; then
// what it is attributed to.
func (d *Drift) String() string {
	rows := d.changedRows()
	if len(rows) == 0 {
		rows = slices.DeleteFunc(slices.Clone(d.Rows), func(r RowDrift) bool {
			return !slices.ContainsFunc(r.Moves, func(m Move) bool { return m.Seeds != nil })
		})
	}
	var text strings.Builder
	text.WriteString(d.headline() + "\n")
	if table := d.table(rows); table != "" {
		text.WriteString("\n" + table)
	}
	for i, line := range d.Attribution() {
		if i == 0 {
			text.WriteString("\nAttribution:\n")
		}
		text.WriteString("  " + line + "\n")
	}
	return text.String()
}

// headline counts what the table shows.
func (d *Drift) headline() string {
	changed := len(d.changedRows())
	switch {
	case changed > 0:
		return fmt.Sprintf("%s: %d of %s have other winners or exclusions", d.Now.Scenario, changed, count(len(d.Rows), "row"))
	case d.Any():
		return fmt.Sprintf("%s: all %s have the same winners and exclusions, but not everything is the same", d.Now.Scenario, count(len(d.Rows), "row"))
	}
	return fmt.Sprintf("%s: nothing changed", d.Now.Scenario)
}

// table shows rows: of each its winners before and now, and below them the
// contestants that explain it.
func (d *Drift) table(rows []RowDrift) string {
	type line struct {
		title string
		cells []string
	}
	heads := []string{"", "before", "now", "mean change, 95 % interval", "seeds that moved", "standing"}
	var lines []line
	moves, excluded := 0, ""
	for i := range rows {
		row := &rows[i]
		lines = append(lines, line{title: row.title()})
		// The gate leaves the same contestants out of all gated rows.
		if title := row.exclusions(); title != "" && title != excluded {
			excluded = title
			lines = append(lines, line{title: strings.Repeat(" ", len(row.Metric)+3) + title})
		}
		for _, m := range row.telling() {
			if moves++; moves > maxMoves {
				continue
			}
			lines = append(lines, line{cells: m.cells()})
		}
	}
	if moves > 0 {
		lines = slices.Insert(lines, 0, line{cells: heads})
	}
	widths := make([]int, len(heads))
	for _, l := range lines {
		for i, cell := range l.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, l := range lines {
		out := l.title
		for i, cell := range l.cells {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 1 || i == 2 {
				out += space + cell + "  "
			} else {
				out += cell + space + "  "
			}
		}
		text.WriteString(strings.TrimRight(out, " ") + "\n")
	}
	if moves > maxMoves {
		fmt.Fprintf(&text, "    ... and %d more\n", moves-maxMoves)
	}
	return text.String()
}

// title says who won and wins.
func (r *RowDrift) title() string {
	mark := "↑ "
	if betterOf(r.Before, r.Now) == experiment.Lower {
		mark = "↓ "
	}
	switch {
	case r.Before == nil:
		return fmt.Sprintf("%s%s new row, winners: %s", mark, r.Metric, listNames(r.Now.Winners))
	case r.Now == nil:
		return fmt.Sprintf("%s%s row is gone, winners were: %s", mark, r.Metric, listNames(r.Before.Winners))
	case sameNames(r.Before.Winners, r.Now.Winners):
		return fmt.Sprintf("%s%s winners as before: %s", mark, r.Metric, listNames(r.Now.Winners))
	}
	return fmt.Sprintf("%s%s winners before: %s; now: %s", mark, r.Metric, listNames(r.Before.Winners), listNames(r.Now.Winners))
}

// exclusions says who was and is left out, "" if that did not change.
func (r *RowDrift) exclusions() string {
	if r.Before == nil || r.Now == nil || sameNames(r.Before.Excluded, r.Now.Excluded) {
		return ""
	}
	return fmt.Sprintf("excluded before: %s; now: %s", listNames(r.Before.Excluded), listNames(r.Now.Excluded))
}

func listNames(names []string) string {
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, ", ")
}

// telling are the moves that explain a row: of those whose place changed and
// of those whose numbers moved. If everybody's did, only places and winners
// tell anything.
func (r *RowDrift) telling() []Move {
	if r.Before == nil || r.Now == nil {
		return nil
	}
	all := !slices.ContainsFunc(r.Moves, func(m Move) bool { return m.Seeds == nil })
	return slices.DeleteFunc(slices.Clone(r.Moves), func(m Move) bool {
		switch {
		case m.Was != m.Is:
			return false
		case all && len(r.Moves) > 1:
			return m.Is != Wins
		}
		return m.Seeds == nil
	})
}

func (m Move) cells() []string {
	standing := m.Is.to(m.LosesTo)
	if m.Was != m.Is {
		standing = m.Was.to(m.LostTo) + " -> " + standing
	}
	return []string{"    " + m.Contestant, formatMean(m.MeanBefore), formatMean(m.MeanNow), m.change(), m.moved(), standing}
}

// to adds the rivals to a place that has some.
func (p Place) to(rivals []string) string {
	switch len(rivals) {
	case 0:
		return string(p)
	case 1, 2:
		return fmt.Sprintf("%s to %s", p, strings.Join(rivals, " and "))
	}
	return fmt.Sprintf("%s to %s and %d more", p, rivals[0], len(rivals)-1)
}

// change is the mean paired difference, in words that need no sign.
func (m Move) change() string {
	switch {
	case m.N == 0:
		return ""
	case m.Mean == 0 && m.Stdev == 0:
		return "the same"
	}
	word, mean := "better by", m.Mean
	if mean < 0 {
		word, mean = "worse by", -mean
	}
	text := word + " " + experiment.FormatNumber(mean)
	if m.N > 1 {
		text += fmt.Sprintf(" (%s to %s)", experiment.FormatNumber(mean-m.HalfWidth), experiment.FormatNumber(mean+m.HalfWidth))
	}
	if m.Base != 0 {
		text += fmt.Sprintf(", %s %%", shortPercent(100*mean/math.Abs(m.Base)))
	}
	return text
}

// moved counts seeds and names the one that moved most.
func (m Move) moved() string {
	switch {
	case m.Was == Absent || m.Is == Absent:
		return ""
	case m.Seeds == nil:
		return "none"
	}
	text := fmt.Sprintf("%d, most on %d", len(m.Seeds), m.Most)
	if m.N > 0 {
		text = fmt.Sprintf("%d of %d (%d worse), most on %d", len(m.Seeds), m.N, m.Worse, m.Most)
	}
	return text
}

func formatMean(mean float64) string {
	if !isNumber(mean) {
		return nothing
	}
	return experiment.FormatNumber(mean)
}

// shortPercent writes a percentage in two or three digits.
func shortPercent(p float64) string {
	switch size := math.Abs(p); {
	case size >= 10:
		return fmt.Sprintf("%.0f", p)
	case size >= 0.01:
		return fmt.Sprintf("%.2g", p)
	case p == 0:
		return "0"
	}
	return "< 0.01"
}
