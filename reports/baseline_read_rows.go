package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

func (p *baselineParser) rows(b *Baseline) error {
	for p.sees("row ") {
		declared, _ := p.field("row")
		row, err := parseRow(declared)
		if err != nil {
			return err
		}
		if b.Row(row.Metric) != nil {
			return fmt.Errorf("row %q: must come once", row.Metric)
		}
		if row.Winners, err = p.names("winners", b.Contestants); err != nil {
			return err
		}
		if row.Excluded, err = p.names("excluded", b.Contestants); err != nil {
			return err
		}
		for _, c := range b.Contestants {
			values, err := p.values(c, len(b.Seeds))
			if err != nil {
				return err
			}
			row.Values = append(row.Values, values)
		}
		b.Rows = append(b.Rows, row)
	}
	return nil
}

// parseRow reads the declaration of a metric.
func parseRow(text string) (BaselineRow, error) {
	words := strings.Fields(text)
	row := BaselineRow{}
	if len(words) > 1 {
		row.Metric = words[0]
		row.Gated, row.Completion = slices.Contains(words, "gated"), slices.Contains(words, "completion")
		if err := row.Better.UnmarshalText([]byte(words[1])); err != nil {
			return row, err
		}
	}
	if !slices.Equal(row.declaration(), words) || row.Better == experiment.Neutral {
		return row, fmt.Errorf("row %.40q: must be a metric, higher or lower, and what else is declared of it", text)
	}
	return row, nil
}

// names takes a line "  tag  names" off.
func (p *baselineParser) names(tag string, known []string) ([]string, error) {
	line := p.detail()
	text, ok := strings.CutPrefix(line, tag+" ")
	if !ok {
		return nil, fmt.Errorf("%.40q: must be %q and names", line, tag)
	}
	return parseNames(strings.TrimLeft(text, " "), known)
}

// values takes a contestant's line off: its name, the mean and, after a colon,
// a value for each seed. The mean is for people and follows from the values.
func (p *baselineParser) values(contestant string, seeds int) ([]float64, error) {
	line := p.detail()
	text, ok := strings.CutPrefix(line, contestant+" ")
	_, list, colon := strings.Cut(text, ":")
	words := strings.Fields(list)
	if !ok || !colon || len(words) != seeds {
		return nil, fmt.Errorf("%.40q: must be %q, a mean, a colon and %s", line, contestant, count(seeds, "value"))
	}
	values := make([]float64, seeds)
	for i, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		switch {
		case word == nothing:
			v = math.NaN()
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			return nil, fmt.Errorf("value %.40q: must be a finite number, or %s", word, nothing)
		}
		values[i] = v
	}
	return values, nil
}

func (p *baselineParser) runs(b *Baseline) error {
	if line, err := p.next(); err != nil || line != "runs" {
		return fmt.Errorf(`%.40q: must be a row or "runs"`, line)
	}
	for _, c := range b.Contestants {
		var digests []string
		for _, seed := range b.Seeds {
			line := p.detail()
			words := strings.Fields(line)
			if len(words) != 3 || words[0] != c || words[1] != strconv.FormatUint(seed, 10) {
				return fmt.Errorf("%.40q: must be the digest of %s on seed %d", line, c, seed)
			}
			digests = append(digests, words[2])
		}
		b.Digests = append(b.Digests, digests)
	}
	return nil
}
