package placement

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Rare makes traces in which every task requires one extra capability that
// only Able of the workers have. Who has it follows from a hash of the seed and
// the worker, so that the able workers of a smaller number are among those of
// a larger one, and nothing else in the trace changes with the number.
type Rare struct {
	Generator Generator
	// Capability is the extra one.
	Capability string
	// Able is the number of workers that have it, from 1 to all.
	Able int
}

// Validate names the first field that makes no sense.
func (r Rare) Validate() error {
	if err := r.Generator.Validate(); err != nil {
		return err
	}
	switch {
	case r.Able < 1 || r.Able > r.Generator.Workers:
		return fieldError("Able", r.Able, fmt.Sprintf("must be from 1 to %d, the number of workers", r.Generator.Workers))
	case r.Capability == "" || slices.Contains(capabilities, r.Capability):
		return fieldError("Capability", fmt.Sprintf("%q", r.Capability), "must be a name that the generator does not use")
	}
	return nil
}

// Assumptions lists all parameters.
func (r Rare) Assumptions() experiment.Assumptions {
	a := r.Generator.Assumptions()
	a.Set("rare.capability", r.Capability)
	a.Set("rare.able", r.Able)
	return a
}

// Trace makes the trace of a seed.
func (r Rare) Trace(seed *big.Int) (*Trace, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	t, err := r.Generator.Trace(seed)
	if err != nil {
		return nil, err
	}
	order := byHash(len(t.Workers), func(i int) string { return fmt.Sprintf("%d|%s|%s", seed, r.Capability, t.Workers[i].ID) })
	for _, i := range order[:r.Able] {
		w := &t.Workers[i]
		w.Capabilities = slices.Sorted(slices.Values(append(slices.Clone(w.Capabilities), r.Capability)))
	}
	for i := range t.Tasks {
		t.Tasks[i].Capability = r.Capability
	}
	return t, nil
}

// byHash returns 0 to n-1 in the order of the SHA-256 of their names: a
// shuffle that does not depend on n or on any stream of random numbers.
func byHash(n int, name func(int) string) []int {
	type hashed struct {
		sum [sha256.Size]byte
		i   int
	}
	all := make([]hashed, n)
	for i := range all {
		all[i] = hashed{sha256.Sum256([]byte(name(i))), i}
	}
	slices.SortFunc(all, func(a, b hashed) int { return bytes.Compare(a.sum[:], b.sum[:]) })
	order := make([]int, n)
	for k, h := range all {
		order[k] = h.i
	}
	return order
}
