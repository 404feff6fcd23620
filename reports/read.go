package reports

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

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
		unit := fields[i+1]
		at := slices.IndexFunc(s.sweep.Scenario.Metrics, func(m experiment.Metric) bool { return m.Bench == unit })
		if at < 0 {
			return fmt.Errorf("unit %q: no comment above says what metric this is", unit)
		}
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return fmt.Errorf("value %q: must be a number", fields[i])
		}
		if isDuration(unit) {
			v = math.RoundToEven(v)
		}
		m := s.sweep.Scenario.Metrics[at]
		line.values[m.Name] = v / m.Scale()
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
