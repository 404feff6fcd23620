package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Assumption is one thing that a scenario takes for granted.
type Assumption struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Assumptions are what a scenario takes for granted, as a list of texts: what
// its fingerprint is made of, and what a changed fingerprint can be explained
// with. Keys are unique; dots name parts ("endpoint.metered.capacity").
type Assumptions []Assumption

// Assuming is implemented by scenarios that can list their assumptions, so that
// a gate can name those that changed.
type Assuming interface {
	Assumptions() Assumptions
}

// Set adds an assumption, or replaces the one with that key. The value is
// written in a canonical form: numbers in their shortest exact form, durations
// like 1.5s, texts quoted, anything else by fmt's %v.
func (a *Assumptions) Set(key string, value any) {
	text := canonical(value)
	for i := range *a {
		if (*a)[i].Key == key {
			(*a)[i].Value = text
			return
		}
	}
	*a = append(*a, Assumption{key, text})
}

func canonical(value any) string {
	switch v := value.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case time.Duration:
		return v.String()
	case string:
		return strconv.Quote(v)
	}
	return strings.ReplaceAll(fmt.Sprintf("%v", value), "\n", `\n`)
}

// Text returns one line key=value per assumption, sorted by key, so that the
// order in which they were set does not matter.
func (a Assumptions) Text() string {
	var text strings.Builder
	for _, s := range a.Sorted() {
		text.WriteString(s.Key + "=" + s.Value + "\n")
	}
	return text.String()
}

// Sorted returns the assumptions in the order of their keys.
func (a Assumptions) Sorted() Assumptions {
	sorted := slices.Clone(a)
	slices.SortStableFunc(sorted, func(x, y Assumption) int { return strings.Compare(x.Key, y.Key) })
	return sorted
}

// validate checks that each assumption survives as a line key=value.
func (a Assumptions) validate() error {
	seen := map[string]bool{}
	for _, s := range a {
		switch {
		case s.Key == "" || strings.Contains(s.Key, "=") || strings.ContainsFunc(s.Key, unicode.IsControl):
			return fmt.Errorf("assumption %q: key: must be one line without =", s.Key)
		case seen[s.Key]:
			return fmt.Errorf("assumption %q: must be listed once", s.Key)
		case strings.ContainsFunc(s.Value, unicode.IsControl):
			return fmt.Errorf("assumption %q: value %q: must be one line without control characters", s.Key, s.Value)
		}
		seen[s.Key] = true
	}
	return nil
}

// Fingerprint returns the SHA-256 of Text, in hexadecimal.
func (a Assumptions) Fingerprint() string {
	sum := sha256.Sum256([]byte(a.Text()))
	return hex.EncodeToString(sum[:])
}
