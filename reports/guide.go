package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// WriteGuide writes the page "which algorithm when": per scenario what it is,
// who claims each headline row, who was excluded, and the mechanism in a
// sentence; before that an overview of which contestant leads where alone. It
// is made of rankings only, not of numbers, so that it changes when an answer
// does.
func WriteGuide(w io.Writer, results []*Result) error {
	var text bytes.Buffer
	text.WriteString("# Which algorithm when\n\n" +
		"Written by the suite from its rankings; a spec holds that it is up to date. An answer is who claims a row: several names " +
		"could not be told apart on these seeds, by the rule below each scenario's table in the reports. \"Alone\" means that everybody else was beaten.\n\n")
	guideOverview(&text, results)
	for _, r := range results {
		guideScenario(&text, r)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// guideOverview lists, for each contestant, the scenarios that it leads alone
// in some headline row, and those where it is excluded.
func guideOverview(text *bytes.Buffer, results []*Result) {
	var order []string
	leads, excluded := map[string][]string{}, map[string][]string{}
	for _, r := range results {
		for _, c := range r.Sweep.Contestants {
			if !slices.Contains(order, c) {
				order = append(order, c)
			}
			var rows []string
			out := false
			for i := range r.Ranking.Rows {
				row := &r.Ranking.Rows[i]
				if row.Metric.Headline && len(row.Winners) == 1 && row.Winners[0] == c {
					rows = append(rows, row.Metric.Name)
				}
				_, x := row.ExcludedRatio(c)
				out = out || x
			}
			if rows != nil {
				leads[c] = append(leads[c], fmt.Sprintf("[%s](#%s) (%s)", r.Sweep.Scenario.Name, r.Sweep.Scenario.Name, strings.Join(rows, ", ")))
			}
			if out {
				excluded[c] = append(excluded[c], fmt.Sprintf("[%s](#%s)", r.Sweep.Scenario.Name, r.Sweep.Scenario.Name))
			}
		}
	}
	markdownHead(text, []string{"contestant", "leads alone in", "excluded, for little work, in"}, 3)
	for _, c := range order {
		markdownLine(text, []string{escape(c), orNone(leads[c]), orNone(excluded[c])})
	}
	text.WriteByte('\n')
}

func orNone(items []string) string {
	if len(items) == 0 {
		return "–"
	}
	return strings.Join(items, ", ")
}

func guideScenario(text *bytes.Buffer, r *Result) {
	d := r.Sweep.Scenario
	fmt.Fprintf(text, "## %s\n\n%s\n\n", d.Name, escape(d.Summary))
	if d.Mechanism != "" {
		fmt.Fprintf(text, "%s\n\n", escape(d.Mechanism))
	}
	markdownHead(text, []string{"headline row", "who claims it"}, 2)
	for i := range r.Ranking.Rows {
		row := &r.Ranking.Rows[i]
		if row.Metric.Headline && row.Metric.Directional() {
			markdownLine(text, []string{escape(arrow(row.Metric) + " " + row.Metric.Name), escape(claim(row))})
		}
	}
	text.WriteByte('\n')
	for i := range r.Ranking.Rows {
		if row := &r.Ranking.Rows[i]; row.Metric.Gated && len(row.Excluded) > 0 {
			var out []string
			for _, x := range row.Excluded {
				out = append(out, x.Contestant)
			}
			fmt.Fprintf(text, "Excluded from rows of quality, for too little work: %s.\n\n", escape(strings.Join(out, ", ")))
			break
		}
	}
}

// claim says who claims a row: one alone, some, or all who were compared.
func claim(row *experiment.Row) string {
	switch {
	case row.Verdict != experiment.Decided:
		if only := row.OnlyEligible(); only != "" {
			return "nobody: only " + only + " was eligible"
		}
		return "nobody: " + row.Verdict.String()
	case len(row.Winners) == 1:
		return row.Winners[0] + " alone"
	case len(row.Winners) == len(row.Eligible):
		return "cannot be separated: " + strings.Join(row.Winners, ", ")
	}
	return strings.Join(row.Winners, ", ")
}
