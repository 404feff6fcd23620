package reports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// ReadBenchstat reads what WriteBenchstat or WriteSeeds wrote; file is its
// name in errors. Values come back in the metrics' own units, rounded as they
// were written; counts and digests are not in such a file.
//
// Contestants whose lines were taken out of the file have no runs, and those
// whose lines do not match the seeds lose them, since nothing says which line
// is which seed: both make the result partial.
func ReadBenchstat(r io.Reader, file string) ([]*Result, error) {
	p := parser{byName: map[string]*section{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	number := 0
	for lines.Scan() {
		number++
		if err := p.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("reports: %s:%d: %w", file, number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reports: %s:%d: %w", file, number+1, err)
	}
	if len(p.sections) == 0 {
		return nil, fmt.Errorf("reports: %s: no line begins with %q: must be a report of ranktest", file, strings.TrimSpace(headTag))
	}
	var results []*Result
	for _, s := range p.sections {
		made, err := s.result()
		if err != nil {
			return nil, fmt.Errorf("reports: %s: scenario %q: %w", file, s.sweep.Scenario.Name, err)
		}
		results = append(results, made)
	}
	return results, nil
}

// section is what a file says of one scenario.
type section struct {
	sweep      experiment.Result
	provenance Provenance
	missing    map[string][]uint64
	zero       map[string][]string // contestant -> units
	stalls     []experiment.Run    // runs with nothing but a stall
	lines      map[string][]benchLine
}

// benchLine is one line of results.
type benchLine struct {
	seed       uint64 // if named
	named      bool
	iterations int64
	values     map[string]float64 // by metric
}

type parser struct {
	sections []*section
	byName   map[string]*section // by benchmark name
}

func (p *parser) line(text string) error {
	switch {
	case strings.HasPrefix(text, headTag):
		return p.head(strings.TrimPrefix(text, headTag))
	case strings.HasPrefix(text, "#"):
		if len(p.sections) == 0 {
			return nil
		}
		return p.sections[len(p.sections)-1].comment(text)
	case strings.HasPrefix(text, "Benchmark"):
		return p.benchmark(strings.Fields(text))
	}
	return nil // units and keys say nothing that the comments do not say
}

// head begins a section: 1; scenario NAME; seeds LIST; ranking rule R; draws D.
func (p *parser) head(text string) error {
	s := &section{missing: map[string][]uint64{}, zero: map[string][]string{}, lines: map[string][]benchLine{}}
	fields := strings.Split(text, "; ")
	if fields[0] != strconv.Itoa(jsonVersion) {
		return fmt.Errorf("format %q: must be %d, the only one that this version reads", fields[0], jsonVersion)
	}
	for _, field := range fields[1:] {
		switch {
		case strings.HasPrefix(field, "scenario "):
			s.sweep.Scenario.Name = strings.TrimPrefix(field, "scenario ")
		case strings.HasPrefix(field, "seeds "):
			if err := s.addSeeds(strings.TrimPrefix(field, "seeds ")); err != nil {
				return err
			}
		case strings.HasPrefix(field, "ranking rule "):
			s.provenance.Rule = experiment.Rule(strings.TrimPrefix(field, "ranking rule "))
		case strings.HasPrefix(field, "draws "):
			s.provenance.Draws = strings.TrimPrefix(field, "draws ")
		}
	}
	name := benchName(s.sweep.Scenario.Name)
	if p.byName[name] != nil {
		return fmt.Errorf("scenario %q: must be in a file once", s.sweep.Scenario.Name)
	}
	p.byName[name] = s
	p.sections = append(p.sections, s)
	return nil
}

func (s *section) addSeeds(text string) error {
	seeds, err := parseSeeds(text)
	s.sweep.Seeds = append(s.sweep.Seeds, seeds...)
	if len(s.sweep.Seeds) > maxSeeds {
		return fmt.Errorf("seeds: must be at most %d", maxSeeds)
	}
	return err
}

// comment reads one of the comments that WriteBenchstat writes; others are
// anybody's.
func (s *section) comment(text string) error {
	for _, c := range []struct {
		tag  string
		read func(text string) error
	}{
		{seedsTag, s.addSeeds},
		{fingerprintTag, func(t string) error { s.sweep.Scenario.Fingerprint = t; return nil }},
		{summaryTag, func(t string) error { s.sweep.Scenario.Summary = t; return nil }},
		{contestantsTag, func(t string) error { s.sweep.Scenario.Contestants = strings.Fields(t); return nil }},
		{askedTag, func(t string) error { s.sweep.Contestants = strings.Fields(t); return nil }},
		{unsuitedTag, func(t string) error { return addReason(&s.sweep.Scenario.Unsuited, t) }},
		{referenceTag, func(t string) error { return addReason(&s.sweep.Scenario.References, t) }},
		{metricTag, s.addMetric},
		{missingTag, s.addMissing},
		{zeroTag, func(t string) error {
			contestant, units, err := cutReason(t)
			s.zero[contestant] = strings.Fields(units)
			return err
		}},
		{stalledTag, s.addStall},
		{partialTag, func(t string) error { s.provenance.Partial = append(s.provenance.Partial, t); return nil }},
	} {
		if strings.HasPrefix(text, c.tag) {
			return c.read(strings.TrimPrefix(text, c.tag))
		}
	}
	return nil
}

// cutReason splits "contestant: text".
func cutReason(text string) (contestant, reason string, err error) {
	contestant, reason, ok := strings.Cut(text, ": ")
	if !ok {
		return "", "", fmt.Errorf("%q: must be a contestant, a colon and a text", text)
	}
	return contestant, reason, nil
}

func addReason(to *map[string]string, text string) error {
	contestant, reason, err := cutReason(text)
	if *to == nil {
		*to = map[string]string{}
	}
	(*to)[contestant] = reason
	return err
}

func (s *section) addMetric(text string) error {
	var m experiment.Metric
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return fmt.Errorf("metric: %w", err)
	}
	s.sweep.Scenario.Metrics = append(s.sweep.Scenario.Metrics, m)
	return nil
}

func (s *section) addMissing(text string) error {
	contestant, list, err := cutReason(text)
	if err != nil {
		return err
	}
	seeds, err := parseSeeds(list)
	s.missing[contestant] = append(s.missing[contestant], seeds...)
	return err
}

// addStall reads "contestant seed duration: why".
func (s *section) addStall(text string) error {
	who, why, err := cutReason(text)
	if err != nil {
		return err
	}
	fields := strings.Fields(who)
	if len(fields) != 3 {
		return fmt.Errorf("stalled %q: must be a contestant, a seed and a duration", who)
	}
	seed, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return fmt.Errorf("stalled: seed %q: must be a whole number", fields[1])
	}
	at, err := time.ParseDuration(fields[2])
	if err != nil {
		return fmt.Errorf("stalled: %w", err)
	}
	s.stalls = append(s.stalls, experiment.Run{Contestant: fields[0], Seed: seed, Stall: &experiment.Stall{At: at, Why: why}})
	return nil
}

// benchmark reads a line of results: its name, iterations, values and units.
func (p *parser) benchmark(fields []string) error {
	parts := strings.Split(strings.TrimPrefix(fields[0], "Benchmark"), "/")
	s := p.byName[parts[0]]
	if s == nil {
		return fmt.Errorf("benchmark %q: no comment above says what scenario this is", parts[0])
	}
	if len(fields) < 4 || len(fields)%2 != 0 {
		return fmt.Errorf("benchmark %q: must be followed by iterations and pairs of value and unit", fields[0])
	}
	line := benchLine{values: map[string]float64{}}
	var contestant string
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "algorithm":
			contestant = value
		case "seed":
			seed, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				return fmt.Errorf("seed %q: must be a whole number", value)
			}
			line.seed, line.named = seed, true
		}
	}
	var err error
	if line.iterations, err = strconv.ParseInt(fields[1], 10, 64); err != nil {
		return fmt.Errorf("iterations %q: must be a whole number", fields[1])
	}
	for i := 2; i < len(fields); i += 2 {
		m := slices.IndexFunc(s.sweep.Scenario.Metrics, func(m experiment.Metric) bool { return m.Bench == fields[i+1] })
		if m < 0 {
			return fmt.Errorf("unit %q: no comment above says what metric this is", fields[i+1])
		}
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return fmt.Errorf("value %q: must be a number", fields[i])
		}
		line.values[s.sweep.Scenario.Metrics[m].Name] = v / s.sweep.Scenario.Metrics[m].Scale()
	}
	s.lines[contestant] = append(s.lines[contestant], line)
	return nil
}

// result pairs lines with seeds.
func (s *section) result() (*Result, error) {
	sweep := s.sweep
	if sweep.Contestants == nil {
		sweep.Contestants = sweep.Scenario.Contestants
	}
	for _, c := range sweep.Contestants {
		lines, seeds := s.lines[c], without(sweep.Seeds, s.missing[c])
		if len(lines) > 0 && lines[0].named {
			seeds = nil
			for _, line := range lines {
				seeds = append(seeds, line.seed)
			}
		}
		if len(lines) != len(seeds) && len(lines) > 0 {
			s.provenance.Partial = append(s.provenance.Partial,
				fmt.Sprintf("%s has %s in the file but %s, so that runs cannot be paired", c, count(len(lines), "line"), count(len(seeds), "seed")))
			continue
		}
		for k, line := range lines {
			sweep.Runs = append(sweep.Runs, s.run(c, seeds[k], line))
		}
	}
	return New(&sweep, s.provenance)
}

// without returns the seeds that are not missing.
func without(seeds, missing []uint64) []uint64 {
	gone := map[uint64]bool{}
	for _, seed := range missing {
		gone[seed] = true
	}
	return slices.DeleteFunc(slices.Clone(seeds), func(seed uint64) bool { return gone[seed] })
}

// run puts one run together.
func (s *section) run(contestant string, seed uint64, line benchLine) experiment.Run {
	run := experiment.Run{Contestant: contestant, Seed: seed, Values: line.values, Iterations: line.iterations}
	for _, m := range s.sweep.Scenario.Metrics {
		if slices.Contains(s.zero[contestant], m.Bench) {
			run.Values[m.Name] = 0
		}
	}
	for _, stalled := range s.stalls {
		if stalled.Contestant == contestant && stalled.Seed == seed {
			run.Stall = stalled.Stall
		}
	}
	return run
}
