package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// WriteBenchstat writes the runs as benchstat text, one line per run, the
// seeds of a contestant under one name and in order.
func WriteBenchstat(w io.Writer, results []*Result) error { return writeBench(w, results, false) }

// WriteSeeds writes the same with the seed in each name and all units declared
// exact, so that benchstat shows the delta of every seed.
func WriteSeeds(w io.Writer, results []*Result) error { return writeBench(w, results, true) }

func writeBench(w io.Writer, results []*Result, bySeed bool) error {
	var text bytes.Buffer
	names := map[string]string{}
	for _, r := range results {
		d := r.Sweep.Scenario
		name := benchName(d.Name)
		if other, ok := names[name]; ok {
			return fmt.Errorf("reports: scenario %q: benchmark name %s: already that of scenario %q; rename one", d.Name, name, other)
		}
		names[name] = d.Name
		if err := benchHeader(&text, r); err != nil {
			return err
		}
	}
	if err := benchUnits(&text, results, bySeed); err != nil {
		return err
	}
	text.WriteString("clock: virtual\n")
	for _, r := range results {
		text.WriteByte('\n')
		benchLines(&text, r, bySeed)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// maxSeedText bounds the seeds in one line: benchstat reads lines below 64 KiB.
const maxSeedText = 4000

// benchHeader writes what must be known of a scenario, in comments.
func benchHeader(text *bytes.Buffer, r *Result) error {
	s, d := r.Sweep, r.Sweep.Scenario
	seeds := splitText(formatSeeds(s.Seeds), maxSeedText)
	fmt.Fprintf(text, "%s%d; scenario %s; seeds %s; ranking rule %s; draws %s\n", headTag, jsonVersion, d.Name, seeds[0], r.Rule, r.Draws)
	line := func(tag, format string, args ...any) { fmt.Fprintf(text, tag+format+"\n", args...) }
	for _, more := range seeds[1:] {
		line(seedsTag, "%s", more)
	}
	line(fingerprintTag, "%s", d.Fingerprint)
	line(summaryTag, "%s", d.Summary)
	line(contestantsTag, "%s", strings.Join(d.Contestants, " "))
	if !slices.Equal(s.Contestants, d.Contestants) {
		line(askedTag, "%s", strings.Join(s.Contestants, " "))
	}
	for _, c := range sortedKeys(d.Unsuited) {
		line(unsuitedTag, "%s: %s", c, oneLine(d.Unsuited[c]))
	}
	for _, c := range sortedKeys(d.References) {
		line(referenceTag, "%s: %s", c, oneLine(d.References[c]))
	}
	for _, m := range d.Metrics {
		if m.Volatile {
			continue
		}
		m.Meaning = ""
		declaration, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("reports: metric %q: %w", m.Name, err)
		}
		line(metricTag, "%s", declaration)
	}
	for _, c := range s.Contestants {
		table := newBenchTable(r, c)
		if len(table.missing) > 0 {
			for _, part := range splitText(formatSeeds(table.missing), maxSeedText) {
				line(missingTag, "%s: %s", c, part)
			}
		}
		if len(table.zero) > 0 {
			line(zeroTag, "%s: %s", c, strings.Join(table.zero, " "))
		}
	}
	for _, run := range s.Runs {
		if run.Stall != nil {
			line(stalledTag, "%s %d %v: %s", run.Contestant, run.Seed, run.Stall.At, oneLine(run.Stall.Why))
		}
	}
	for _, why := range r.Partial {
		line(partialTag, "%s", why)
	}
	return nil
}

// benchUnits declares every unit once, in the order of its first use.
func benchUnits(text *bytes.Buffer, results []*Result, exact bool) error {
	type declared struct {
		better   experiment.Direction
		scenario string
	}
	seen := map[string]declared{}
	for _, r := range results {
		d := r.Sweep.Scenario
		for _, m := range benchMetrics(d) {
			if other, ok := seen[m.Bench]; ok {
				if other.better != m.Better {
					return fmt.Errorf("reports: scenario %q: metric %q: benchstat unit %q: better is %v, but %v in scenario %q; give one of them another unit",
						d.Name, m.Name, m.Bench, m.Better, other.better, other.scenario)
				}
				continue
			}
			seen[m.Bench] = declared{m.Better, d.Name}
			if m.Better != experiment.Neutral {
				fmt.Fprintf(text, "Unit %s better=%v\n", m.Bench, m.Better)
			}
			if exact {
				fmt.Fprintf(text, "Unit %s assume=exact\n", m.Bench)
			}
		}
	}
	return nil
}

func benchLines(text *bytes.Buffer, r *Result, bySeed bool) {
	for _, c := range r.Sweep.Contestants {
		t := newBenchTable(r, c)
		for k, run := range t.runs {
			fmt.Fprintf(text, "Benchmark%s/algorithm=%s", benchName(r.Sweep.Scenario.Name), c)
			if bySeed {
				fmt.Fprintf(text, "/seed=%d", run.Seed)
			}
			fmt.Fprintf(text, " %d", run.Iterations)
			for i, value := range t.values[k] {
				if value == "0" && isDuration(t.units[i]) {
					value = noTime
				}
				if value != "" {
					fmt.Fprintf(text, " %s %s", value, t.units[i])
				}
			}
			text.WriteByte('\n')
		}
	}
}
