package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// note is one thing that must be said below a table.
type note struct {
	// mark is the sign in the table that it explains, or a word.
	mark string
	text string
}

// notes says in words what a table shows in signs, and what it cannot show.
func notes(r *Result) []note {
	k, d := r.Ranking, r.Sweep.Scenario
	var all []note
	add := func(mark, format string, args ...any) { all = append(all, note{mark, fmt.Sprintf(format, args...)}) }

	add("↑ ↓", "higher, lower is better; rows without an arrow crown nobody")
	add("*", "claims the row: %s", r.Rule.Words())
	if excluded := exclusions(k); excluded != "" {
		add("( )", "left out of gated rows, for a mean of %s below 90 %% of the best: %s", completionName(d), excluded)
	}
	for _, c := range sortedKeys(d.References) {
		add("[ ]", "shown, never crowned: %s (%s)", c, d.References[c])
	}
	for _, c := range sortedKeys(d.Unsuited) {
		add("N/A", "not suited to this scenario: %s (%s)", c, d.Unsuited[c])
	}
	for _, only := range groupRows(k, func(row *experiment.Row) string { return row.OnlyEligible() }) {
		add("only", "only %s was eligible, and won against nobody: %s", only.key, strings.Join(only.rows, ", "))
	}
	for _, none := range groupRows(k, func(row *experiment.Row) string { return strings.Join(row.NoValue, ", ") }) {
		add("-", "no value in any run of %s: %s", none.key, strings.Join(none.rows, ", "))
	}
	for _, none := range groupRows(k, verdictInWords) {
		add("none", "nobody is crowned, since %s: %s", none.key, strings.Join(none.rows, ", "))
	}
	if saved := pairing(r); saved != "" {
		add("paired", "the variance of a difference, relative to that with luck of one's own (the median pair): %s", saved)
	}
	for _, run := range r.Sweep.Runs {
		if run.Stall != nil {
			add("stalled", "%s, seed %d, after %v: %s", run.Contestant, run.Seed, roundTime(run.Stall.At), stallText(run.Stall))
		}
	}
	for _, w := range k.Warnings {
		add("warning", "%s", w)
	}
	for _, why := range r.Partial {
		add("PARTIAL", "%s", why)
	}
	return all
}

// pairing says, for each headline row, what sharing the world's luck is worth.
func pairing(r *Result) string {
	var parts []string
	for i := range r.Ranking.Rows {
		row := &r.Ranking.Rows[i]
		if !row.Metric.Headline || row.Verdict != experiment.Decided {
			continue
		}
		if ratio, ok := r.Sweep.Pairing(row); ok {
			parts = append(parts, fmt.Sprintf("%s %.2f", row.Metric.Name, ratio))
		}
	}
	return strings.Join(parts, ", ")
}

// verdictInWords names a reason why nobody is crowned that is worth saying: a
// neutral row needs no excuse.
func verdictInWords(row *experiment.Row) string {
	switch row.Verdict {
	case experiment.AllZero, experiment.NothingInCommon:
		return row.Verdict.String()
	case experiment.TooFew:
		if row.OnlyEligible() == "" {
			return row.Verdict.String()
		}
	}
	return ""
}

// rowGroup is a number of rows about which the same is to be said.
type rowGroup struct {
	key  string
	rows []string
}

// groupRows collects rows by a key, in the order of the first of each; rows
// with an empty key are left out.
func groupRows(k *experiment.Ranking, key func(*experiment.Row) string) []rowGroup {
	var groups []rowGroup
	for i := range k.Rows {
		row := &k.Rows[i]
		text := key(row)
		if text == "" {
			continue
		}
		at := slices.IndexFunc(groups, func(g rowGroup) bool { return g.key == text })
		if at < 0 {
			at = len(groups)
			groups = append(groups, rowGroup{key: text})
		}
		groups[at].rows = append(groups[at].rows, row.Metric.Name)
	}
	return groups
}

// exclusions names who was left out by the completion gate, with the ratio.
func exclusions(k *experiment.Ranking) string {
	for i := range k.Rows {
		if k.Rows[i].Excluded == nil {
			continue
		}
		var parts []string
		for _, x := range k.Rows[i].Excluded {
			parts = append(parts, fmt.Sprintf("%s %s %%", x.Contestant, experiment.FormatNumber(100*x.Ratio)))
		}
		return strings.Join(parts, ", ")
	}
	return ""
}

func completionName(d experiment.Description) string {
	for _, m := range d.Metrics {
		if m.Completion {
			return m.Name
		}
	}
	return "completion"
}

func stallText(s *experiment.Stall) string {
	text := s.Why
	if len(s.Resources) > 0 {
		text += "; resources: " + strings.Join(s.Resources, "; ")
	}
	if len(s.Tasks) > 0 {
		text += fmt.Sprintf("; %s parked, the first: %s", count(len(s.Tasks), "task"), s.Tasks[0])
	}
	return strings.Join(strings.Fields(text), " ")
}

// roundTime makes a simulated time short enough to read.
func roundTime(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(time.Millisecond)
	}
	return d
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
