package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// WriteGuide writes the page "which algorithm when": per scenario what it is,
// who claims each headline row, who was excluded, and the mechanism in a
// sentence; before that an overview of all. It is made of rankings only, not of
// numbers, so that it changes when an answer does.
func WriteGuide(w io.Writer, results []*Result) error {
	var text bytes.Buffer
	text.WriteString("# Which algorithm when\n\n" +
		"Written by the suite from its rankings; a spec holds that it is up to date. An answer is who claims a row: several names " +
		"could not be told apart on these seeds. \"Alone\" means that everybody else was beaten.\n\n")
	guideOverview(&text, results)
	for _, r := range results {
		guideScenario(&text, r)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// answer is a scenario's ranking in one line: who does the most work, who leads
// how many headline rows alone, and who does too little to be compared.
type answer struct {
	scenario, work   string
	alone, tooLittle []string
}

func answerOf(r *Result) answer {
	a := answer{scenario: r.Sweep.Scenario.Name, work: "nobody is shown to be better", tooLittle: excludedNames(r)}
	alone, total := map[string]int{}, 0
	for i := range r.Ranking.Rows {
		row := &r.Ranking.Rows[i]
		if row.Metric.Completion && row.Verdict == experiment.Decided {
			a.work = strings.Join(row.Winners, ", ")
			if len(row.Winners) == len(row.Eligible) {
				a.work = "all alike"
			}
		}
		if row.Metric.Headline && row.Metric.Directional() {
			total++
			if len(row.Winners) == 1 {
				alone[row.Winners[0]]++
			}
		}
	}
	for _, c := range r.Sweep.Contestants {
		if n := alone[c]; n > 0 {
			a.alone = append(a.alone, fmt.Sprintf("%s %d of %d", c, n, total))
		}
	}
	return a
}

// WriteOverview writes a line per scenario: the answers, for the end of a log.
func WriteOverview(w io.Writer, results []*Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "scenario\tmost work\talone in front (headline rows)")
	for _, r := range results {
		a := answerOf(r)
		alone := strings.Join(a.alone, ", ")
		if alone == "" {
			alone = "–"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", a.scenario, a.work, alone)
	}
	return t.Flush()
}

func guideOverview(text *bytes.Buffer, results []*Result) {
	markdownHead(text, []string{"scenario", "most work", "alone in front (headline rows)", "excluded"}, 4)
	for _, r := range results {
		a := answerOf(r)
		markdownLine(text, []string{fmt.Sprintf("[%s](#%s)", a.scenario, a.scenario), escape(a.work), orNone(a.alone), orNone(a.tooLittle)})
	}
	text.WriteByte('\n')
}

func orNone(items []string) string {
	if len(items) == 0 {
		return "–"
	}
	return escape(strings.Join(items, ", "))
}

// excludedNames are those whom the completion gate leaves out of gated rows.
func excludedNames(r *Result) []string {
	var names []string
	for i := range r.Ranking.Rows {
		for _, x := range r.Ranking.Rows[i].Excluded {
			if !slices.Contains(names, x.Contestant) {
				names = append(names, x.Contestant)
			}
		}
	}
	return names
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
	if out := excludedNames(r); out != nil {
		fmt.Fprintf(text, "Excluded from rows of quality, for too little work: %s.\n\n", escape(strings.Join(out, ", ")))
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
