package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Baseline is the ranking of a scenario as it is committed, with all that is
// needed to say what became of it later: what the world took for granted, what
// was run, who won each row and on which numbers, and what each run was.
//
// Numbers are rounded to seven significant digits, or exact if whole, also
// those of a baseline that was never in a file: two of them compare alike
// wherever they come from. Runs are told apart by their digests, which are
// exact.
type Baseline struct {
	Scenario string
	// Fingerprint names all assumptions, and Assumptions lists them, sorted
	// by key, if the scenario does.
	Fingerprint string
	Assumptions experiment.Assumptions
	Rule        experiment.Rule
	Draws       string
	Seeds       []uint64
	// Contestants are those that took part, in order; unsuited ones do not.
	// References are those among them that are never crowned.
	Contestants, References []string
	// Rows are those that can have a winner, in the scenario's order.
	Rows []BaselineRow
	// Digests are by contestant and by seed.
	Digests [][]string
}

// BaselineRow is what a baseline knows of one metric.
type BaselineRow struct {
	Metric            string
	Better            experiment.Direction
	Gated, Completion bool
	// Winners and Excluded are in the order of contestants.
	Winners, Excluded []string
	// Values are by contestant and by seed, NaN where a run has none.
	Values [][]float64
}

// baselineDigits are the significant digits of a number that is not whole:
// changes far below the 1 % that a ranking minds can be read off, and a file
// stays small.
const baselineDigits = 7

// NewBaseline makes a baseline of a full result. A partial one is refused.
func NewBaseline(r *Result) (*Baseline, error) {
	d := r.Sweep.Scenario
	if len(r.Partial) > 0 {
		return nil, fmt.Errorf("reports: scenario %q: a partial result is no baseline: %s", d.Name, strings.Join(r.Partial, "; "))
	}
	b := &Baseline{
		Scenario: d.Name, Fingerprint: d.Fingerprint, Assumptions: d.Assumptions,
		Rule: r.Rule, Draws: r.Draws, Seeds: slices.Clone(r.Sweep.Seeds),
	}
	for _, c := range r.Sweep.Contestants {
		if _, unsuited := d.Unsuited[c]; unsuited {
			continue
		}
		b.Contestants = append(b.Contestants, c)
		if !d.Compared(c) {
			b.References = append(b.References, c)
		}
	}
	if b.Contestants == nil {
		return nil, fmt.Errorf("reports: scenario %q: nobody who ran is suited to it, so there is no ranking to keep", d.Name)
	}
	runs := make([][]experiment.Run, len(b.Contestants))
	for _, run := range r.Sweep.Runs {
		if c := slices.Index(b.Contestants, run.Contestant); c >= 0 {
			runs[c] = append(runs[c], run)
		}
	}
	for c, own := range runs {
		var digests []string
		for _, run := range own {
			if len(strings.Fields(run.Digest)) != 1 {
				return nil, fmt.Errorf("reports: scenario %q: contestant %q, seed %d: digest %q: must be one word to be kept in a baseline",
					d.Name, run.Contestant, run.Seed, run.Digest)
			}
			digests = append(digests, run.Digest)
		}
		if b.Contestants[c] == nothing {
			return nil, fmt.Errorf("reports: scenario %q: contestant %q: means nobody in a baseline; rename it", d.Name, nothing)
		}
		b.Digests = append(b.Digests, digests)
	}
	for i := range r.Ranking.Rows {
		if row := &r.Ranking.Rows[i]; row.Metric.Directional() {
			b.Rows = append(b.Rows, b.newRow(row, runs))
		}
	}
	return b, nil
}

func (b *Baseline) newRow(row *experiment.Row, runs [][]experiment.Run) BaselineRow {
	m := row.Metric
	out := BaselineRow{Metric: m.Name, Better: m.Better, Gated: m.Gated, Completion: m.Completion}
	for c, contestant := range b.Contestants {
		if row.Won(contestant) {
			out.Winners = append(out.Winners, contestant)
		}
		if _, excluded := row.ExcludedRatio(contestant); excluded {
			out.Excluded = append(out.Excluded, contestant)
		}
		values := make([]float64, len(b.Seeds))
		for s, run := range runs[c] {
			values[s] = math.NaN()
			if v, ok := run.Values[m.Name]; ok {
				values[s], _ = strconv.ParseFloat(formatValue(v), 64)
			}
		}
		out.Values = append(out.Values, values)
	}
	return out
}

// Row returns the row of a metric, or nil.
func (b *Baseline) Row(metric string) *BaselineRow {
	i := slices.IndexFunc(b.Rows, func(r BaselineRow) bool { return r.Metric == metric })
	if i < 0 {
		return nil
	}
	return &b.Rows[i]
}

// mean is that of the contestant's values; false if it has none.
func (r *BaselineRow) mean(contestant int) (float64, bool) {
	present := slices.DeleteFunc(slices.Clone(r.Values[contestant]), math.IsNaN)
	g := experiment.AggregateOf(present)
	return g.Mean, g.N > 0
}

// formatValue writes a number in the digits that a baseline keeps.
func formatValue(v float64) string {
	v += 0 // -0 is 0
	if v != math.Trunc(v) || math.Abs(v) >= 1<<53 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', baselineDigits, 64), 64)
	}
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1<<53) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
