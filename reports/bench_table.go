package reports

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// benchMetrics returns the metrics that the text has, the completion metric
// first: benchstat prints tables in the order of first use.
func benchMetrics(d experiment.Description) []experiment.Metric {
	var first, others []experiment.Metric
	for _, m := range d.Metrics {
		switch {
		case m.Completion:
			first = append(first, m)
		case !m.Volatile:
			others = append(others, m)
		}
	}
	return append(first, others...)
}

// benchTable is what the text says of one contestant.
type benchTable struct {
	units   []string // of each metric
	runs    []experiment.Run
	values  [][]string // run by run, metric by metric; "" is absent
	missing []uint64   // seeds without a line
	zero    []string   // units left out of the lines
}

func newBenchTable(r *Result, contestant string) benchTable {
	var t benchTable
	metrics := benchMetrics(r.Sweep.Scenario)
	for _, m := range metrics {
		t.units = append(t.units, m.Bench)
	}
	t.missing = r.Sweep.Missing(contestant)
	for _, run := range r.Sweep.Runs {
		if run.Contestant != contestant {
			continue
		}
		values := make([]string, len(metrics))
		found := false
		for i, m := range metrics {
			if v, ok := run.Values[m.Name]; ok {
				values[i], found = formatBench(v, m), true
			}
		}
		if !found { // a line must have a value
			t.missing = append(t.missing, run.Seed)
			continue
		}
		t.runs, t.values = append(t.runs, run), append(t.values, values)
	}
	t.dropZeros()
	return t
}

// dropZeros takes out the units that are 0 in all runs, unless that would
// leave a line without a value.
func (t *benchTable) dropZeros() {
	if len(t.values) == 0 {
		return
	}
	zero := make([]bool, len(t.units))
	for i := range zero {
		zero[i] = !slices.ContainsFunc(t.values, func(line []string) bool { return line[i] != "0" })
	}
	for _, line := range t.values {
		left := false
		for i, v := range line {
			left = left || v != "" && !zero[i]
		}
		if !left {
			return
		}
	}
	for i, unit := range t.units {
		if zero[i] {
			t.zero = append(t.zero, unit)
			for _, line := range t.values {
				line[i] = ""
			}
		}
	}
}

// formatBench writes a value in its benchstat unit: nanoseconds as a whole
// number, others with ten significant digits, which is more than any
// difference that matters and less than a math library can change.
func formatBench(v float64, m experiment.Metric) string {
	v = float64(v * m.Scale())
	if isDuration(m.Bench) {
		v = math.RoundToEven(v)
	}
	v += 0 // -0 is 0
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 10, 64), 64)
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// isDuration reports whether a unit is one of nanoseconds.
func isDuration(unit string) bool { return strings.HasSuffix(unit, "-ns") }

// noTime is how a duration of 0 is written. benchstat turns nanoseconds into
// seconds, but leaves a 0 in nanoseconds and so puts it into a table of its
// own, apart from the other samples. A picosecond is rounded away when read.
const noTime = "0.001"

// benchName turns bursty_provider into BurstyProvider.
func benchName(scenario string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(scenario, "_") {
		if word != "" {
			name.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return name.String()
}

// splitText cuts a list at commas into pieces of about size bytes.
func splitText(list string, size int) []string {
	var pieces []string
	for len(list) > size {
		at := strings.LastIndexByte(list[:size], ',')
		pieces, list = append(pieces, list[:at]), list[at+1:]
	}
	return append(pieces, list)
}

// oneLine folds white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
