package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// jsonVersion is the value of "ranktest" in the JSON, and the version of the
// other formats too.
const jsonVersion = 1

// jsonReport and the types below are the JSON report.
type jsonReport struct {
	Ranktest  int            `json:"ranktest"`
	Scenarios []jsonScenario `json:"scenarios"`
}

type jsonScenario struct {
	Scenario    string                              `json:"scenario"`
	Summary     string                              `json:"summary"`
	Fingerprint string                              `json:"fingerprint"`
	Rule        experiment.Rule                     `json:"rule"`
	Draws       string                              `json:"draws"`
	Partial     bool                                `json:"partial"`
	PartialWhy  []string                            `json:"partial_why,omitempty"`
	Seeds       seedList                            `json:"seeds"`
	Runs        []jsonRun                           `json:"runs"`
	Aggregates  map[string]map[string]jsonAggregate `json:"aggregates"`
	Winners     map[string][]string                 `json:"winners"`
	Excluded    map[string][]jsonExclusion          `json:"excluded_by_completion"`
	NotCompared map[string]string                   `json:"not_compared"`
	Unsuited    map[string]string                   `json:"unsuited"`
	References  map[string]string                   `json:"references,omitempty"`
	Warnings    []string                            `json:"warnings"`
}

type jsonAggregate struct {
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Stdev float64 `json:"stdev"`
}

type jsonExclusion struct {
	Contestant string  `json:"contestant"`
	Ratio      float64 `json:"completion_ratio"`
}

type jsonRun struct {
	jsonRunFields
	counts map[string]map[string]int64 // each group is a field of its own
}

type jsonRunFields struct {
	Contestant string             `json:"contestant"`
	Seed       string             `json:"seed"`
	Metrics    map[string]float64 `json:"metrics"`
	Digest     string             `json:"digest"`
	Stalled    *jsonStall         `json:"stalled"`
}

// reserved are the names that a group of counts cannot have.
var reserved = map[string]bool{"contestant": true, "seed": true, "metrics": true, "digest": true, "stalled": true}

type jsonStall struct {
	AtSeconds float64  `json:"at_s"`
	Why       string   `json:"why"`
	Tasks     []string `json:"tasks,omitempty"`
	Resources []string `json:"resources,omitempty"`
}

// MarshalJSON writes the fields of a run and, after them, its counts.
func (r jsonRun) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(r.jsonRunFields)
	if err != nil || len(r.counts) == 0 {
		return text, err
	}
	counts, err := json.Marshal(r.counts)
	if err != nil {
		return nil, err
	}
	return append(append(text[:len(text)-1], ','), counts[1:]...), nil
}

// WriteJSON writes results for programs: every run with its metrics (volatile
// ones left out), aggregates, winners, exclusions and warnings. Every metric
// has a list of winners, empty if there are none; every gated one a list of
// exclusions. Seeds are texts.
func WriteJSON(w io.Writer, results []*Result) error {
	report := jsonReport{Ranktest: jsonVersion, Scenarios: []jsonScenario{}}
	for _, r := range results {
		report.Scenarios = append(report.Scenarios, newJSONScenario(r))
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(report); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	_, err := w.Write(text.Bytes())
	return err
}

func newJSONScenario(r *Result) jsonScenario {
	s, d := r.Sweep, r.Sweep.Scenario
	out := jsonScenario{
		Scenario: d.Name, Summary: d.Summary, Fingerprint: d.Fingerprint,
		Rule: r.Rule, Draws: r.Draws, Partial: len(r.Partial) > 0, PartialWhy: r.Partial,
		Seeds: s.Seeds, Runs: []jsonRun{}, Aggregates: map[string]map[string]jsonAggregate{},
		Winners: map[string][]string{}, Excluded: map[string][]jsonExclusion{}, NotCompared: map[string]string{},
		Unsuited: d.Unsuited, References: d.References, Warnings: []string{},
	}
	if out.Unsuited == nil {
		out.Unsuited = map[string]string{}
	}
	for _, run := range s.Runs {
		out.Runs = append(out.Runs, newJSONRun(d, run))
	}
	for _, c := range s.Contestants {
		aggregates := map[string]jsonAggregate{}
		for _, m := range d.Metrics {
			if g, ok := s.Aggregate(c, m.Name); ok && !m.Volatile {
				aggregates[m.Name] = jsonAggregate{g.Mean, g.Min, g.Max, g.Stdev}
			}
		}
		out.Aggregates[c] = aggregates
	}
	for i := range r.Ranking.Rows {
		row := &r.Ranking.Rows[i]
		out.Winners[row.Metric.Name] = append([]string{}, row.Winners...)
		if only := row.OnlyEligible(); only != "" {
			out.NotCompared[row.Metric.Name] = only
		}
		if row.Metric.Gated {
			excluded := []jsonExclusion{}
			for _, x := range row.Excluded {
				excluded = append(excluded, jsonExclusion{x.Contestant, x.Ratio})
			}
			out.Excluded[row.Metric.Name] = excluded
		}
	}
	for _, warning := range r.Ranking.Warnings {
		out.Warnings = append(out.Warnings, warning.String())
	}
	return out
}

func newJSONRun(d experiment.Description, run experiment.Run) jsonRun {
	out := jsonRun{
		jsonRunFields: jsonRunFields{
			Contestant: run.Contestant, Seed: strconv.FormatUint(run.Seed, 10), Metrics: map[string]float64{}, Digest: run.Digest,
		},
		counts: run.Counts,
	}
	for _, m := range d.Metrics {
		if v, ok := run.Values[m.Name]; ok && !m.Volatile {
			out.Metrics[m.Name] = v
		}
	}
	if s := run.Stall; s != nil {
		out.Stalled = &jsonStall{s.At.Seconds(), s.Why, s.Tasks, s.Resources}
	}
	return out
}
