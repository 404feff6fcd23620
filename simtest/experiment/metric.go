package experiment

import (
	"fmt"
	"math"
)

// Direction says which way a metric gets better.
type Direction int8

// The directions. A neutral metric is shown and crowns nobody.
const (
	Neutral Direction = iota
	Higher
	Lower
)

// String returns "neutral", "higher" or "lower".
func (d Direction) String() string {
	switch d {
	case Neutral:
		return "neutral"
	case Higher:
		return "higher"
	case Lower:
		return "lower"
	}
	return fmt.Sprintf("Direction(%d)", int8(d))
}

// MarshalText returns the direction as [Direction.String] does.
func (d Direction) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *Direction) UnmarshalText(text []byte) error {
	for _, known := range []Direction{Neutral, Higher, Lower} {
		if known.String() == string(text) {
			*d = known
			return nil
		}
	}
	return fmt.Errorf("experiment: direction %q: must be neutral, higher or lower", text)
}

// Metric declares one number of a run, once, for every reader of it: the
// ranking, the tables, the JSON and the benchstat text.
type Metric struct {
	// Name is the key in Run.Values and in JSON: [a-z0-9_]+.
	Name string `json:"name"`
	// Unit is the unit of the value, for people ("ms", "ratio", "jobs").
	Unit string `json:"unit"`
	// Bench is the unit in benchstat text, unique in a scenario: durations
	// end in "-ns", ratios in "-%"; no spaces. Volatile metrics are not in
	// that text and need none.
	Bench string `json:"bench,omitempty"`
	// BenchScale turns the value into Bench's unit (1e6 for ms to ns, 100 for
	// a ratio to percent). 0 means 1.
	BenchScale float64 `json:"bench_scale,omitempty"`
	// Better is the direction.
	Better Direction `json:"better"`
	// Gated rows compare only contestants that pass the completion gate.
	Gated bool `json:"gated,omitempty"`
	// Completion marks the one metric that the completion gate looks at.
	Completion bool `json:"completion,omitempty"`
	// Headline rows are those that short tables show.
	Headline bool `json:"headline,omitempty"`
	// Volatile values may differ between two runs of the same thing (wall
	// time): they are in no digest, no baseline and no comparison.
	Volatile bool `json:"volatile,omitempty"`
	// Quantile is q if the value is a q-quantile of a sample (0.99 for a p99):
	// a sample of fewer than 1/(1-q) earns a warning. 0 if it is none.
	Quantile float64 `json:"quantile,omitempty"`
	// Meaning says in one sentence what the number is.
	Meaning string `json:"meaning,omitempty"`
}

// Directional reports whether the row can have a winner.
func (m Metric) Directional() bool { return m.Better != Neutral && !m.Volatile }

// Scale returns BenchScale, or 1 if it is not set.
func (m Metric) Scale() float64 {
	if m.BenchScale == 0 {
		return 1
	}
	return m.BenchScale
}

// validate checks what can be said about one metric without the others.
func (m Metric) validate() error {
	switch {
	case !isKey(m.Name):
		return fmt.Errorf("name %q: must be [a-z0-9_]+", m.Name)
	case m.Unit == "":
		return fmt.Errorf("metric %q: no unit: give the unit of its values, such as s, ratio or jobs", m.Name)
	case m.Bench == "" && !m.Volatile:
		return fmt.Errorf("metric %q: no benchstat unit: give one, such as job-latency-ns or refusal-%%", m.Name)
	case !isWord(m.Bench):
		return fmt.Errorf("metric %q: benchstat unit %q: must be without spaces and control characters", m.Name, m.Bench)
	case math.IsNaN(m.BenchScale) || m.BenchScale < 0 || m.BenchScale > 1e12:
		return fmt.Errorf("metric %q: benchstat scale %v: must be between 0 and 1e12", m.Name, m.BenchScale)
	case !(m.Quantile >= 0 && m.Quantile < 1):
		return fmt.Errorf("metric %q: quantile %v: must be from 0 to below 1; 0 says that it is none", m.Name, m.Quantile)
	case m.Better < Neutral || m.Better > Lower:
		return fmt.Errorf("metric %q: direction %d: must be Neutral, Higher or Lower", m.Name, m.Better)
	case m.Gated && !m.Directional():
		return fmt.Errorf("metric %q: gated, but the row crowns nobody: gate only rows with a direction", m.Name)
	case m.Completion && (m.Better != Higher || m.Volatile):
		return fmt.Errorf("metric %q: the completion metric must be better when higher, and not volatile", m.Name)
	case m.Completion && m.Gated:
		return fmt.Errorf("metric %q: the completion metric cannot be gated by itself", m.Name)
	}
	return nil
}

// validateMetrics checks the declaration of a whole scenario.
func validateMetrics(metrics []Metric) error {
	if len(metrics) == 0 {
		return fmt.Errorf("no metrics: declare at least one")
	}
	var completion, gated string
	names, units := map[string]bool{}, map[string]string{}
	for _, m := range metrics {
		if err := m.validate(); err != nil {
			return err
		}
		if names[m.Name] {
			return fmt.Errorf("metric %q: declared twice", m.Name)
		}
		names[m.Name] = true
		if m.Bench != "" {
			if other, ok := units[m.Bench]; ok {
				return fmt.Errorf("metric %q: benchstat unit %q: already the unit of %q", m.Name, m.Bench, other)
			}
			units[m.Bench] = m.Name
		}
		if m.Completion {
			if completion != "" {
				return fmt.Errorf("metric %q: %q is the completion metric already", m.Name, completion)
			}
			completion = m.Name
		}
		if m.Gated {
			gated = m.Name
		}
	}
	if gated != "" && completion == "" {
		return fmt.Errorf("metric %q: gated, but no metric is marked Completion", gated)
	}
	return nil
}
