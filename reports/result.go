package reports

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Result is one scenario's sweep, the ranking that follows from it, and where
// they come from.
type Result struct {
	Sweep *experiment.Result
	Provenance
	// Ranking is made from Sweep by Rule.
	Ranking *experiment.Ranking
}

// Provenance says how a result came to be.
type Provenance struct {
	// Rule of the ranking.
	Rule experiment.Rule
	// Draws names the generator of the world's randomness; empty means
	// "default".
	Draws string
	// Partial says why this is not a full report: a filtered or aborted
	// suite, runs without a result. Empty means that it is full.
	Partial []string
}

// New ranks a sweep. A sweep with missing runs makes a partial result.
//
// An error means that the sweep cannot be reported: its values are not finite,
// names cannot be written (see [experiment.Result.Validate]), the rule is
// unknown.
func New(sweep *experiment.Result, p Provenance) (*Result, error) {
	if p.Draws == "" {
		p.Draws = "default"
	}
	if err := checkText("draws", p.Draws); err != nil {
		return nil, err
	}
	for _, why := range p.Partial {
		if err := checkText("partial", why); err != nil {
			return nil, err
		}
	}
	ranking, err := experiment.Rank(sweep, p.Rule)
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	for _, run := range sweep.Runs {
		for group := range run.Counts {
			if reserved[group] {
				return nil, fmt.Errorf("reports: scenario %q: contestant %q, seed %d: counts %q: must have another name than the fields of a run",
					sweep.Scenario.Name, run.Contestant, run.Seed, group)
			}
		}
	}
	if why := missing(sweep); why != "" && !slices.Contains(p.Partial, why) {
		p.Partial = append(slices.Clone(p.Partial), why)
	}
	return &Result{Sweep: sweep, Provenance: p, Ranking: ranking}, nil
}

// missing says which runs of a sweep have no result, "" if all have one.
func missing(sweep *experiment.Result) string {
	if sweep.Complete() {
		return ""
	}
	var parts []string
	for _, c := range sweep.Contestants {
		if seeds := sweep.Missing(c); len(seeds) > 0 {
			parts = append(parts, c+" on "+formatSeeds(seeds))
		}
	}
	return fmt.Sprintf("%d of %d runs have no result: %s",
		len(sweep.Contestants)*len(sweep.Seeds)-len(sweep.Runs), len(sweep.Contestants)*len(sweep.Seeds), strings.Join(parts, "; "))
}

// checkText checks that a text can be a part of one line.
func checkText(field, text string) error {
	if strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, ";") && field == "draws" {
		return fmt.Errorf("reports: field %q: %q: must be one line, and a name without semicolons if it is that of draws", field, text)
	}
	return nil
}

// String returns the headline rows as a table, for logs.
func (r *Result) String() string {
	var text strings.Builder
	if err := WriteTable(&text, r, TableOptions{Short: true}); err != nil {
		return err.Error()
	}
	return text.String()
}

// transport is a Result in JSON. The ranking is left out, since it follows.
type transport struct {
	Scenario    experiment.Description `json:"scenario"`
	Rule        experiment.Rule        `json:"rule"`
	Draws       string                 `json:"draws"`
	Partial     []string               `json:"partial,omitempty"`
	Contestants []string               `json:"contestants"`
	Seeds       seedList               `json:"seeds"`
	Runs        []experiment.Run       `json:"runs"`
}

// MarshalJSON writes all that a Result is made from. It cannot fail for a
// result that New accepted.
func (r *Result) MarshalJSON() ([]byte, error) {
	s := r.Sweep
	return json.Marshal(transport{s.Scenario, r.Rule, r.Draws, r.Partial, s.Contestants, s.Seeds, s.Runs})
}

// UnmarshalJSON reads what MarshalJSON wrote, checks it like New, and ranks.
func (r *Result) UnmarshalJSON(data []byte) error {
	var t transport
	if err := json.Unmarshal(data, &t); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	sweep := &experiment.Result{Scenario: t.Scenario, Contestants: t.Contestants, Seeds: t.Seeds, Runs: t.Runs}
	made, err := New(sweep, Provenance{t.Rule, t.Draws, t.Partial})
	if err != nil {
		return err
	}
	*r = *made
	return nil
}
