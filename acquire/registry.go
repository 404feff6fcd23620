package acquire

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Definition describes an algorithm: to Parse, which makes it from a spec
// string, and to people, who read its rule and parameters in a listing.
type Definition struct {
	Name   string // [a-z][a-z0-9_]*
	Rule   string // what it does, in one sentence
	Params []Param

	// New makes the algorithm. It checks what the kinds of the parameters
	// cannot: `field "x": value: what would be right`.
	New func(Args) (Algorithm, error)
}

// Usage returns the spec string with every parameter at its default.
func (d Definition) Usage() string {
	if len(d.Params) == 0 {
		return d.Name
	}
	var params []string
	for _, p := range d.Params {
		params = append(params, p.Name+"="+p.Default)
	}
	return d.Name + "(" + strings.Join(params, ",") + ")"
}

func (d Definition) has(param string) bool { return slices.Contains(d.paramNames(), param) }

func (d Definition) paramNames() []string {
	var names []string
	for _, p := range d.Params {
		names = append(names, p.Name)
	}
	return names
}

// build makes the algorithm from the texts of the parameters that were given.
func (d Definition) build(given map[string]string, r *Registry, depth int) (*Spec, error) {
	args := Args{name: d.Name, values: map[string]value{}}
	var spelled []string
	for _, p := range d.Params {
		val, err := p.parse(p.Default, r, 0)
		if err != nil {
			return nil, fmt.Errorf("algorithm %q: parameter %q: default %w", d.Name, p.Name, err)
		}
		if text, ok := given[p.Name]; ok {
			usual := val.text
			if val, err = p.parse(text, r, depth); err != nil {
				return nil, fmt.Errorf("algorithm %q: parameter %q: %w", d.Name, p.Name, err)
			}
			if val.text != usual {
				spelled = append(spelled, p.Name+"="+val.text)
			}
		}
		args.values[p.Name] = val
	}
	algorithm, err := d.New(args)
	if err != nil {
		return nil, fmt.Errorf("algorithm %q: %w", d.Name, err)
	}
	if algorithm == nil {
		return nil, fmt.Errorf("algorithm %q: its New returned nil", d.Name)
	}
	text := d.Name
	if len(spelled) > 0 {
		text += "(" + strings.Join(spelled, ",") + ")"
	}
	return &Spec{algorithm, text}, nil
}

// Registry holds definitions by name. It is safe for concurrent use.
type Registry struct {
	mu   sync.RWMutex
	defs []Definition // in order of registration
}

// NewRegistry returns a registry of the seven algorithms of this package.
func NewRegistry() *Registry {
	r := &Registry{}
	for _, d := range builtin() {
		if err := r.Register(d); err != nil {
			panic(err) // a mistake in builtin, found by any test
		}
	}
	return r
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Register adds a definition. It fails if the name is taken, if a default does
// not parse, or if New refuses the defaults.
func (r *Registry) Register(d Definition) error {
	d.Params = slices.Clone(d.Params)
	if err := r.check(d); err != nil {
		return fmt.Errorf("acquire: register %q: %w", d.Name, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.defs, func(other Definition) bool { return other.Name == d.Name }) {
		return fmt.Errorf("acquire: register %q: the name is taken: choose another one", d.Name)
	}
	r.defs = append(r.defs, d)
	return nil
}

func (r *Registry) check(d Definition) error {
	if !identifier.MatchString(d.Name) {
		return fmt.Errorf("name: must match %v", identifier)
	}
	if d.New == nil {
		return errors.New("field New: must not be nil")
	}
	for i, p := range d.Params {
		if !identifier.MatchString(p.Name) {
			return fmt.Errorf("parameter %q: name: must match %v", p.Name, identifier)
		}
		if slices.Contains(d.paramNames()[:i], p.Name) {
			return fmt.Errorf("parameter %q: listed twice", p.Name)
		}
	}
	_, err := d.build(nil, r, 0)
	return err
}

// Definitions returns all definitions in order of registration, for listings.
func (r *Registry) Definitions() []Definition {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.defs)
}

func (r *Registry) lookup(name string) (Definition, error) {
	defs := r.Definitions()
	var names []string
	for _, d := range defs {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return Definition{}, fmt.Errorf("algorithm %.40q: unknown: %s", name, mustBeOneOf(name, names))
}

// standard is what the functions of the package work on: a program has one set
// of algorithms, as it has one set of image formats.
var standard = NewRegistry()

// Parse makes the algorithm that a spec string describes; see Spec.
func Parse(text string) (*Spec, error) { return standard.Parse(text) }

// Register adds an algorithm for Parse; see Registry.Register.
func Register(d Definition) error { return standard.Register(d) }

// Definitions returns all algorithms that Parse knows, in order of registration.
func Definitions() []Definition { return standard.Definitions() }
