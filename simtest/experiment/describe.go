package experiment

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Description is everything that a scenario says about itself, as plain data:
// rankings and reports work from it alone, so that they can be made from a
// file just as well.
type Description struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	// Mechanism says in a sentence or two why the ranking comes out as it
	// does, if the scenario explains itself (see [Explained]).
	Mechanism   string `json:"mechanism,omitempty"`
	Fingerprint string `json:"fingerprint"`
	// Assumptions are what the fingerprint stands for, if the scenario lists
	// them (see [Assuming]), sorted by key.
	Assumptions Assumptions `json:"assumptions,omitempty"`
	// Metrics in report order.
	Metrics []Metric `json:"metrics"`
	// Contestants that the scenario is suited to, in order.
	Contestants []string `json:"contestants"`
	// Unsuited contestants with the reason.
	Unsuited map[string]string `json:"unsuited,omitempty"`
	// References are contestants that are shown but never crowned.
	References map[string]string `json:"references,omitempty"`
}

// Describe asks a scenario about itself and checks the answers.
func Describe(s Scenario) (Description, error) {
	if s == nil {
		return Description{}, errors.New("experiment: no scenario: must not be nil")
	}
	d := Description{
		Name:        s.Name(),
		Summary:     s.Summary(),
		Fingerprint: s.Fingerprint(),
		Metrics:     slices.Clone(s.Metrics()),
		Contestants: slices.Clone(s.Contestants()),
		Unsuited:    maps.Clone(s.Unsuited()),
	}
	if r, ok := s.(Referencer); ok {
		d.References = maps.Clone(r.References())
	}
	if e, ok := s.(Explained); ok {
		d.Mechanism = e.Mechanism()
	}
	if a, ok := s.(Assuming); ok {
		d.Assumptions = a.Assumptions().Sorted()
	}
	return d, d.Validate()
}

// Validate checks that names can be written everywhere, that metrics are
// declared soundly, and that every contestant has one role.
func (d Description) Validate() error {
	if !isKey(d.Name) {
		return fmt.Errorf("experiment: scenario %q: name: must be [a-z0-9_]+", d.Name)
	}
	if err := d.validate(); err != nil {
		return fmt.Errorf("experiment: scenario %q: %w", d.Name, err)
	}
	return nil
}

func (d Description) validate() error {
	if strings.ContainsAny(d.Summary+d.Mechanism, "\r\n") {
		return errors.New("summary and mechanism: must be one line each")
	}
	if d.Fingerprint == "" {
		return errors.New("no fingerprint: must name all assumptions, see Assumptions")
	}
	if !isWord(d.Fingerprint) {
		return fmt.Errorf("fingerprint %q: must be without spaces and control characters", d.Fingerprint)
	}
	if err := d.Assumptions.validate(); err != nil {
		return err
	}
	if err := validateMetrics(d.Metrics); err != nil {
		return err
	}
	if len(d.Contestants) == 0 {
		return errors.New("no contestants: must have at least one")
	}
	if err := checkContestants(d.Contestants); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(d.Unsuited)) {
		switch {
		case checkName(name) != nil:
			return fmt.Errorf("unsuited %w", checkName(name))
		case strings.TrimSpace(d.Unsuited[name]) == "":
			return fmt.Errorf("unsuited contestant %q: must have a reason", name)
		case slices.Contains(d.Contestants, name):
			return fmt.Errorf("unsuited contestant %q: must not be among the contestants", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.References)) {
		if !slices.Contains(d.Contestants, name) {
			return fmt.Errorf("reference contestant %q: must be among the contestants", name)
		}
	}
	return nil
}

// Metric returns the declaration of a metric.
func (d Description) Metric(name string) (Metric, bool) {
	i := slices.IndexFunc(d.Metrics, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}, false
	}
	return d.Metrics[i], true
}

// Compared reports whether a contestant takes part in comparisons: it is
// neither unsuited nor a reference. One that the scenario does not know (a
// variant of the user's own) takes part.
func (d Description) Compared(contestant string) bool {
	_, unsuited := d.Unsuited[contestant]
	_, reference := d.References[contestant]
	return !unsuited && !reference
}

// completion returns the name of the completion metric, or "".
func (d Description) completion() string {
	for _, m := range d.Metrics {
		if m.Completion {
			return m.Name
		}
	}
	return ""
}

// checkContestants checks a list of names.
func checkContestants(names []string) error {
	seen := map[string]bool{}
	for _, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
		if seen[name] {
			return fmt.Errorf("contestant %q: must be listed once", name)
		}
		seen[name] = true
	}
	return nil
}
