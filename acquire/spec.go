package acquire

import (
	"errors"
	"fmt"
	"strings"
)

// Spec is an algorithm that was made from a spec string:
//
//	spec  = name [ "(" [ param { "," param } ] ")" ]
//	param = name "=" value
//
// where a value is written as its parameter's Kind says; spaces around names
// and values mean nothing. Examples: wait, backoff(base=100ms,cap=2s),
// failover(pools=a|b,fallback=backoff(max_wait=5s)).
type Spec struct {
	Algorithm
	text string
}

// String returns the canonical spelling: parameters in the order of their
// definition, without those that have their default value. Specs that mean the
// same have the same string, and Parse accepts it.
func (s *Spec) String() string { return s.text }

// maxDepth limits nesting, which has no use beyond two or three levels.
const maxDepth = 8

// Parse makes the algorithm that a spec string describes. A name or parameter
// that does not exist is an error that lists those that do.
func (r *Registry) Parse(text string) (*Spec, error) {
	spec, err := r.parse(text, 0)
	if err != nil {
		return nil, fmt.Errorf("acquire: spec %.80q: %w", text, err)
	}
	return spec, nil
}

func (r *Registry) parse(text string, depth int) (*Spec, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("more than %d algorithms inside each other", maxDepth)
	}
	name, params, err := split(text)
	if err != nil {
		return nil, err
	}
	def, err := r.lookup(name)
	if err != nil {
		return nil, err
	}
	given := map[string]string{}
	for _, param := range params {
		key, val, ok := strings.Cut(param, "=")
		key = strings.TrimSpace(key)
		if !ok {
			return nil, fmt.Errorf("algorithm %q: %.40q: must be name=value", name, key)
		}
		if _, twice := given[key]; twice {
			return nil, fmt.Errorf("algorithm %q: parameter %q: given twice", name, key)
		}
		if !def.has(key) {
			return nil, fmt.Errorf("algorithm %q: parameter %.40q: unknown: %s", name, key, mustBeOneOf(key, def.paramNames()))
		}
		given[key] = strings.TrimSpace(val)
	}
	return def.build(given, r, depth)
}

// split takes a spec apart at the top level: parentheses keep the commas of a
// nested spec together.
func split(text string) (name string, params []string, err error) {
	name, body, open := strings.Cut(strings.TrimSpace(text), "(")
	name = strings.TrimSpace(name)
	if !open {
		return name, nil, nil
	}
	depth, from := 1, 0
	for i := range len(body) {
		switch c := body[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if depth == 1 && body[i] == ',' || depth == 0 {
			params = append(params, strings.TrimSpace(body[from:i]))
			from = i + 1
		}
		if depth == 0 && i+1 < len(body) {
			return "", nil, fmt.Errorf("%.40q after the closing parenthesis: must be the end", body[i+1:])
		}
	}
	if depth > 0 {
		return "", nil, errors.New("a closing parenthesis is missing")
	}
	if len(params) == 1 && params[0] == "" {
		return name, nil, nil
	}
	return name, params, nil
}
