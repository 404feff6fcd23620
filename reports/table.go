package reports

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// TableOptions say how a table looks in a terminal.
type TableOptions struct {
	// Color marks winners and exclusions with colors too; see ColorFor.
	Color bool
	// Short leaves out rows that are not headlines, if there are headlines.
	Short bool
}

// ColorFor reports whether output to f should have colors: it is a terminal,
// and neither NO_COLOR (see no-color.org) nor TERM=dumb says otherwise.
func ColorFor(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// The escape codes for winners, exclusions, and back.
const (
	bold, faint, plain = "\x1b[1;32m", "\x1b[2m", "\x1b[0m"
)

// WriteTable prints the means of every contestant, a * on each winner, and
// below the table, in words, the rule, exclusions, stalls and warnings.
func WriteTable(w io.Writer, r *Result, o TableOptions) error {
	var text bytes.Buffer
	d := r.Sweep.Scenario
	fmt.Fprintf(&text, "%s: %s\n%s\n", d.Name, d.Summary, headline(r))
	if len(r.Partial) > 0 {
		text.WriteString("PARTIAL: this is not a full report, see below\n")
	}
	text.WriteByte('\n')

	t := newGrid(r, o)
	for i, line := range t.cells {
		for j, cell := range line {
			if j > 0 {
				text.WriteString("  ")
			}
			text.WriteString(t.pad(i, j, cell))
		}
		trimRight(&text)
		text.WriteByte('\n')
	}
	text.WriteByte('\n')
	for _, n := range notes(r) {
		fmt.Fprintf(&text, "%-8s%s\n", n.mark, n.text) // pads by runes
	}
	_, err := w.Write(text.Bytes())
	return err
}

// grid is a table as cells: a first line of heads, then a line per row.
type grid struct {
	cells     [][]string
	standings [][]standing
	widths    []int
	color     bool
}

// leftColumns are aligned to the left: arrow and metric, unit.
const leftColumns = 2

func newGrid(r *Result, o TableOptions) grid {
	heads, marks := []string{"  metric", "unit"}, make([]standing, leftColumns)
	shown := columns(r)
	for _, c := range shown {
		heads, marks = append(heads, c.title()+" "), append(marks, unmarked)
	}
	t := grid{cells: [][]string{heads}, standings: [][]standing{marks}, color: o.Color}

	metrics := r.Sweep.Scenario.Metrics
	short := o.Short && slices.ContainsFunc(metrics, func(m experiment.Metric) bool { return m.Headline })
	for _, m := range metrics {
		if short && !m.Headline {
			continue
		}
		row := r.Ranking.Row(m.Name)
		line, marks := []string{arrow(m) + " " + m.Name, m.Unit}, make([]standing, leftColumns)
		for _, c := range shown {
			text, s := c.cell(r, row, false)
			// The last place of a cell is for its mark, so that digits align.
			switch s {
			case winner:
				text += "*"
			case excluded:
				text = "(" + text + ")"
			default:
				text += " "
			}
			line, marks = append(line, text), append(marks, s)
		}
		t.cells, t.standings = append(t.cells, line), append(t.standings, marks)
	}
	t.widths = make([]int, len(heads))
	for _, line := range t.cells {
		for j, cell := range line {
			t.widths[j] = max(t.widths[j], utf8.RuneCountInString(cell))
		}
	}
	return t
}

// pad brings a cell to the width of its column and colors it.
func (t grid) pad(i, j int, cell string) string {
	space := strings.Repeat(" ", t.widths[j]-utf8.RuneCountInString(cell))
	if j < leftColumns {
		return cell + space
	}
	if t.color {
		switch t.standings[i][j] {
		case winner:
			return space + bold + cell + plain
		case excluded, noNumber:
			return space + faint + cell + plain
		}
	}
	return space + cell
}

// trimRight takes spaces off the end of what was written.
func trimRight(b *bytes.Buffer) { b.Truncate(len(bytes.TrimRight(b.Bytes(), " "))) }
