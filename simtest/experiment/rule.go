package experiment

import (
	"fmt"
	"math"
)

// Rule decides which eligible contestants share a row.
type Rule string

// The rules; see the package comment.
const (
	// Calibrated is the default: equals are separated in at most 5 % of rows.
	Calibrated Rule = "calibrated"
	// Reference is what the reference prints.
	Reference Rule = "reference"
)

// ParseRule returns the rule of that name.
func ParseRule(name string) (Rule, error) {
	switch rule := Rule(name); rule {
	case Calibrated, Reference:
		return rule, nil
	}
	return "", fmt.Errorf("experiment: rule %q: must be %s or %s", name, Calibrated, Reference)
}

// String returns the name.
func (r Rule) String() string { return string(r) }

// Words says in one sentence who shares a row.
func (r Rule) Words() string {
	if r == Reference {
		return "a row is shared by all whose gap to the best mean is at most the larger of 1 % of it and 2 standard errors of the paired difference"
	}
	return "a row is shared by all that nobody beats by more than 1 % of the best mean and, in a paired t test at 95 % for the whole row, by more than chance"
}

const (
	// guard is the part of the best mean that no difference counts below.
	guard = 0.01
	// rowLevel is the probability, per row, of separating any equals.
	rowLevel = 0.05
	// completionLevel is the part of the best mean completion that a
	// contestant needs for gated rows.
	completionLevel = 0.9
	// enoughSeeds is where a warning about too few seeds ends: with fewer,
	// critical values are so large that only gross differences show.
	enoughSeeds = 6
)

// critical returns the number of standard errors that a paired difference
// among k contestants on n seeds must exceed, 0 if n < 2.
func (r Rule) critical(k, n int) float64 {
	switch {
	case n < 2 || k < 2:
		return 0
	case r == Reference:
		return 2
	}
	return StudentQuantile(n-1, 1-rowLevel/float64(k*(k-1)))
}

// floor returns what 1 % of the best mean is.
func (r Rule) floor(best float64) float64 {
	scale := math.Abs(best)
	if r == Reference && scale <= 1e-12 {
		scale = 1
	}
	return guard * scale
}
