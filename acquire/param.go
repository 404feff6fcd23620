package acquire

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Kind is the type of a parameter, and with it the way it is written.
type Kind uint8

const (
	DurationKind Kind = iota // 100ms, 1.5s: not negative, never a bare number
	LimitKind                // a duration above zero, or none
	NumberKind               // 0.05, 2: anything but NaN
	WordKind                 // one of Param.Choices, or any word if there are none
	WordsKind                // a|b|c: words in order, none twice
	NestedKind               // another algorithm's spec, with its parameters
)

// Param is a parameter of an algorithm.
type Param struct {
	Name    string // [a-z][a-z0-9_]*, unique in the definition
	Kind    Kind
	Default string   // as it would be written in a spec
	Choices []string // of a WordKind
	Help    string   // what it means, in a few words
}

// Args are the values of all parameters of a definition, given or default.
type Args struct {
	name   string
	values map[string]value
}

// value is a parsed parameter; text is its canonical spelling.
type value struct {
	text string
	v    any
}

// Duration returns the value of a DurationKind or LimitKind; no limit is 0. Like the
// other methods of Args it panics if the definition has no such parameter.
func (a Args) Duration(name string) time.Duration { return arg[time.Duration](a, name) }

// Number returns the value of a NumberKind.
func (a Args) Number(name string) float64 { return arg[float64](a, name) }

// Word returns the value of a WordKind.
func (a Args) Word(name string) string { return arg[string](a, name) }

// Words returns the value of a WordsKind, nil if it is empty.
func (a Args) Words(name string) []string { return arg[[]string](a, name) }

// Algorithm returns the value of a NestedKind.
func (a Args) Algorithm(name string) Algorithm { return arg[*Spec](a, name) }

func arg[T any](a Args, name string) T {
	v, ok := a.values[name].v.(T)
	if !ok {
		panic(fmt.Sprintf("acquire: definition of %q has no parameter %q of type %T", a.name, name, v))
	}
	return v
}

// parse reads the text of a value. Nested algorithms are looked up in r.
func (p Param) parse(text string, r *Registry, depth int) (value, error) {
	switch p.Kind {
	case DurationKind, LimitKind:
		return p.parseDuration(text)
	case NumberKind:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) {
			return value{}, fmt.Errorf("%.40q: must be a number such as 0.5", text)
		}
		return value{strconv.FormatFloat(x, 'g', -1, 64), x}, nil
	case WordKind:
		if len(p.Choices) > 0 && !slices.Contains(p.Choices, text) {
			return value{}, fmt.Errorf("%.40q: %s", text, mustBeOneOf(text, p.Choices))
		}
		if !isWord(text) {
			return value{}, fmt.Errorf("%.40q: must be a word, without spaces or any of %s", text, reserved)
		}
		return value{text, text}, nil
	case WordsKind:
		return p.parseWords(text)
	default:
		spec, err := r.parse(text, depth+1)
		if err != nil {
			return value{}, err
		}
		return value{spec.text, spec}, nil
	}
}

func (p Param) parseDuration(text string) (value, error) {
	if p.Kind == LimitKind && text == "none" {
		return value{"none", time.Duration(0)}, nil
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return value{}, fmt.Errorf("%.40q: must be a duration with its unit, such as 100ms or 1.5s", text)
	case d < 0:
		return value{}, fmt.Errorf("%v: must not be negative", d)
	case d == 0 && p.Kind == LimitKind:
		return value{}, fmt.Errorf("%v: must be more than 0, or none", d)
	}
	return value{shortDuration(d), d}, nil
}

func (p Param) parseWords(text string) (value, error) {
	if text == "" {
		return value{"", []string(nil)}, nil
	}
	words := strings.Split(text, "|")
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
		if !isWord(words[i]) {
			return value{}, fmt.Errorf("%.40q: must be words separated by |, without spaces or any of %s", text, reserved)
		}
		if slices.Contains(words[:i], words[i]) {
			return value{}, fmt.Errorf("%.40q: %q is listed twice", text, words[i])
		}
	}
	return value{strings.Join(words, "|"), words}, nil
}

// reserved are the characters with a meaning in spec strings.
const reserved = "( ) , = |"

func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return strings.ContainsRune("(),=|", r) || r == unicode.ReplacementChar || !unicode.IsPrint(r) || unicode.IsSpace(r)
	})
}

// shortDuration is d.String() without its zeros: 2m, not 2m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
