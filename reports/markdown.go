package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// WriteMarkdown writes a section per scenario: a table of mean ± sample
// standard deviation with the winners in bold and named in the last column,
// the runs' counts per group as means, and the notes of the terminal table.
func WriteMarkdown(w io.Writer, results []*Result) error {
	var text bytes.Buffer
	for i, r := range results {
		if i > 0 {
			text.WriteByte('\n')
		}
		markdownScenario(&text, r)
	}
	_, err := w.Write(text.Bytes())
	return err
}

func markdownScenario(text *bytes.Buffer, r *Result) {
	d := r.Sweep.Scenario
	fmt.Fprintf(text, "## %s\n\n%s\n\n", d.Name, escape(d.Summary))
	if len(r.Partial) > 0 {
		text.WriteString("**Partial: this is not a full report, see below.**\n\n")
	}
	fmt.Fprintf(text, "%s. Mean ± standard deviation.\n\n", escape(headline(r)))

	shown := columns(r)
	heads := []string{"metric", "unit"}
	for _, c := range shown {
		heads = append(heads, escape(c.title()))
	}
	markdownHead(text, append(heads, "best"), 2)
	for i := range r.Ranking.Rows {
		row := &r.Ranking.Rows[i]
		cells := []string{escape(strings.TrimSpace(arrow(row.Metric) + " " + row.Metric.Name)), escape(row.Metric.Unit)}
		for _, c := range shown {
			cell, s := c.cell(r, row, !row.Metric.Volatile)
			switch {
			case row.Metric.Volatile && s != noNumber:
				cell = "varies" // a page of the same runs must stay the same
			case s == winner:
				cell = "**" + cell + "**"
			case s == excluded:
				cell = "(" + cell + ")"
			}
			cells = append(cells, cell)
		}
		markdownLine(text, append(cells, escape(best(row))))
	}
	markdownCounts(text, r)
	text.WriteByte('\n')
	for _, n := range notes(r) {
		fmt.Fprintf(text, "- `%s` %s\n", n.mark, escape(n.text))
	}
}

// best is the last column: the winners, or who was left without a rival.
func best(row *experiment.Row) string {
	if only := row.OnlyEligible(); only != "" {
		return "only " + only + " was eligible"
	}
	return strings.Join(row.Winners, ", ")
}

// markdownCounts writes a table per group of counts.
func markdownCounts(text *bytes.Buffer, r *Result) {
	groups := map[string]map[string]bool{}
	for _, run := range r.Sweep.Runs {
		for group, counts := range run.Counts {
			if groups[group] == nil {
				groups[group] = map[string]bool{}
			}
			for key := range counts {
				groups[group][key] = true
			}
		}
	}
	for _, group := range sortedKeys(groups) {
		if len(groups[group]) == 0 {
			continue
		}
		fmt.Fprintf(text, "\nMean per run of %s:\n\n", escape(group))
		heads := []string{escape(group)}
		for _, c := range r.Sweep.Contestants {
			heads = append(heads, escape(c))
		}
		markdownHead(text, heads, 1)
		for _, key := range sortedKeys(groups[group]) {
			cells := []string{escape(key)}
			for _, c := range r.Sweep.Contestants {
				cells = append(cells, meanCount(r.Sweep, c, group, key))
			}
			markdownLine(text, cells)
		}
	}
}

// meanCount is a contestant's mean of a count, 0 in runs that do not name it.
func meanCount(s *experiment.Result, contestant, group, key string) string {
	var counts []float64
	for _, run := range s.Runs {
		if run.Contestant == contestant {
			counts = append(counts, float64(run.Counts[group][key]))
		}
	}
	if counts == nil {
		return "-"
	}
	return experiment.FormatNumber(experiment.AggregateOf(counts).Mean)
}

// markdownHead writes the head of a table whose first columns are texts, and
// whose others are numbers.
func markdownHead(text *bytes.Buffer, heads []string, texts int) {
	markdownLine(text, heads)
	for i := range heads {
		if i < texts || heads[i] == "best" {
			text.WriteString("|---")
		} else {
			text.WriteString("|---:")
		}
	}
	text.WriteString("|\n")
}

func markdownLine(text *bytes.Buffer, cells []string) {
	text.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// escape keeps texts from being read as markdown or HTML.
var escape = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "]", `\]`, "&", "&amp;").Replace
