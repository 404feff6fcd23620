package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Explain says in one or two lines how a contestant came out in the row: with
// whom it leads, who beats it and by how much, or why it was not compared.
func (r *Row) Explain(contestant string) string {
	compared := slices.ContainsFunc(r.Eligible, func(s Standing) bool { return s.Contestant == contestant })
	ratio, excluded := r.ExcludedRatio(contestant)
	switch {
	case excluded:
		return fmt.Sprintf("%s is excluded by the completion gate: it completed %s %% of the best mean, and %g %% is needed",
			contestant, FormatNumber(100*ratio), 100*completionLevel)
	case slices.Contains(r.NoValue, contestant):
		return contestant + " has no value in any run"
	case r.OnlyEligible() == contestant:
		return "only " + contestant + " was eligible, so it won against nobody"
	case r.Verdict != Decided:
		return "nobody is crowned: " + r.Verdict.String()
	case !compared:
		return contestant + " was not compared"
	case len(r.Winners) == 1 && r.Won(contestant):
		return contestant + " leads alone"
	case r.Won(contestant):
		others := slices.DeleteFunc(slices.Clone(r.Winners), func(c string) bool { return c == contestant })
		return contestant + " shares the row with " + strings.Join(others, ", ")
	}
	var lines []string
	for _, p := range r.BeatenBy(contestant) {
		lines = append(lines, p.Words(r.Metric.Unit))
	}
	return strings.Join(lines, "\n")
}

// Words says in one line how A and B compare, the better one first.
func (p Pair) Words(unit string) string {
	if p.Mean < 0 {
		return p.Reverse().Words(unit)
	}
	text := p.A + " is not separated from " + p.B + ": ahead"
	if p.Beats() {
		text = p.A + " beats " + p.B
	}
	text += fmt.Sprintf(" by %s %s", FormatNumber(p.Mean), unit)
	if p.Best != 0 {
		text += fmt.Sprintf(" (%s %% of the best mean)", FormatNumber(100*p.Mean/math.Abs(p.Best)))
	}
	if p.N > 1 {
		text += fmt.Sprintf(", interval %s to %s", FormatNumber(p.Mean-p.HalfWidth), FormatNumber(p.Mean+p.HalfWidth))
	}
	return text + fmt.Sprintf(", better on %d of %s", p.Better, count(p.N, "seed"))
}

// FormatNumber writes a value for people, in four significant digits or as a
// whole number if it is large: 0.07503, 1.608, 1405, 12184.
func FormatNumber(x float64) string {
	x += 0 // -0 is 0
	switch size := math.Abs(x); {
	case size >= 1e15 || (size > 0 && size < 1e-4):
		return strconv.FormatFloat(x, 'g', 4, 64)
	case size >= 1000 || x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	decimals := 3
	for size := math.Abs(x); size >= 10; size /= 10 {
		decimals--
	}
	for size := math.Abs(x); size < 1; size *= 10 {
		decimals++
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
