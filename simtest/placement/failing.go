package placement

import (
	"fmt"
	"math/big"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/pyrand"
)

// Failing replaces the outages of another source: Workers workers fail for
// Ticks ticks each. If Regional they are in one zone, the largest, and all fail
// at a third of the arrival phase; else they are a random sample, and each
// fails at a random time. Both take the same capacity-time away, up to the
// capacities of those hit.
type Failing struct {
	Source   Source
	Workers  int
	Ticks    int
	Regional bool
}

// Validate names the first field that makes no sense.
func (f Failing) Validate() error {
	switch {
	case f.Source == nil:
		return fieldError("Source", "missing", "must be a source of traces")
	case f.Workers < 0:
		return fieldError("Workers", f.Workers, "must not be negative")
	case f.Ticks < 1:
		return fieldError("Ticks", f.Ticks, "must be at least 1")
	}
	return f.Source.Validate()
}

// Assumptions lists all parameters.
func (f Failing) Assumptions() experiment.Assumptions {
	a := f.Source.Assumptions()
	a.Set("failing.workers", f.Workers)
	a.Set("failing.ticks", f.Ticks)
	a.Set("failing.regional", f.Regional)
	return a
}

// Trace makes the trace of a seed.
func (f Failing) Trace(seed *big.Int) (*Trace, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	t, err := f.Source.Trace(seed)
	if err != nil {
		return nil, err
	}
	if f.Workers > len(t.Workers) {
		return nil, fieldError("Workers", f.Workers, fmt.Sprintf("must be at most %d, the number of workers", len(t.Workers)))
	}
	if f.Ticks > t.Ticks-2 {
		return nil, fieldError("Ticks", f.Ticks, fmt.Sprintf("must be at most %d, so that an outage fits into the arrival phase", t.Ticks-2))
	}
	t.Outages = nil
	if f.Regional {
		err = f.region(t, seed)
	} else {
		f.sample(t, seed)
	}
	sortOutages(t.Outages)
	return t, err
}

func (f Failing) sample(t *Trace, seed *big.Int) {
	r := pyrand.New(new(big.Int).Mul(big.NewInt(10003), seed))
	for _, w := range r.Sample(nil, len(t.Workers), f.Workers) {
		start := r.Randint(1, t.Ticks-f.Ticks-1)
		t.Outages = append(t.Outages, Outage{w, start, start + f.Ticks})
	}
}

func (f Failing) region(t *Trace, seed *big.Int) error {
	members := map[string][]int{}
	for i := range t.Workers {
		zone := t.Workers[i].Zone
		members[zone] = append(members[zone], i)
	}
	var largest []int
	for _, zone := range zones {
		if len(members[zone]) > len(largest) {
			largest = members[zone]
		}
	}
	if f.Workers > len(largest) {
		return fieldError("Workers", f.Workers, fmt.Sprintf("must be at most %d, the workers of the largest zone", len(largest)))
	}
	order := byHash(len(largest), func(k int) string { return fmt.Sprintf("%d|regional-outage|%d", seed, largest[k]) })
	start := t.Ticks / 3
	for _, k := range order[:f.Workers] {
		t.Outages = append(t.Outages, Outage{largest[k], start, start + f.Ticks})
	}
	return nil
}
