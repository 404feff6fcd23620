package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Assumption is one thing that a scenario takes for granted.
type Assumption struct{ Key, Value string }

// Assumptions are what a scenario takes for granted, as a list of texts: what
// its fingerprint is made of, and what a changed fingerprint can be explained
// with. Keys are unique; dots name parts ("endpoint.metered.capacity").
type Assumptions []Assumption

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
	sorted := slices.Clone(a)
	slices.SortStableFunc(sorted, func(x, y Assumption) int { return strings.Compare(x.Key, y.Key) })
	var text strings.Builder
	for _, s := range sorted {
		text.WriteString(s.Key + "=" + s.Value + "\n")
	}
	return text.String()
}

// Fingerprint returns the SHA-256 of Text, in hexadecimal.
func (a Assumptions) Fingerprint() string {
	sum := sha256.Sum256([]byte(a.Text()))
	return hex.EncodeToString(sum[:])
}
