package pool

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// Resource describes something that can be leased. The pool copies it; changes
// of its maps after Publish have no effect.
type Resource struct {
	// ID is unique in the pool and not empty.
	ID string
	// Kind is a free word for filters and reports ("endpoint", "key").
	Kind string
	// Capacity is the number of concurrent leases, from 1 to 2^31 - 1.
	Capacity int
	// Tags are what filters look at. Options are settings for the factory's
	// use and for reports. Values under keys that look like secrets are
	// redacted wherever the pool shows them, except to filters.
	Tags, Options map[string]string
	// Quota declares how much of a unit ("tokens") the resource has; finite
	// and not negative. It is a hint for ranking, never a limit.
	Quota map[string]float64
	// Factory makes the client object that leases of this resource share. It
	// is called when the first lease is granted, in the task and with the
	// context of the acquirer, and may block on the pool's clock; until it
	// returns nobody else gets a lease of the resource. A failure counts like
	// a failed report, is remembered until a cooldown has passed, and sends
	// the acquirer to the next best resource; if ctx has ended it counts for
	// nothing. Nil means that leases carry no client.
	Factory func(ctx context.Context) (any, error)
}

// resource is the state of one published Resource. Publishing an id again makes
// a new one, so that leases of the old one cannot touch the new one's state.
// All fields below capacity are guarded by the pool's lock; client is written
// once, before any lease that shows it is handed out.
type resource struct {
	pool    *Pool
	id      string
	kind    string
	tags    map[string]string
	options map[string]string
	factory func(context.Context) (any, error)

	capacity int
	active   int
	opening  bool // its factory is being called
	opened   bool // client is what the factory made
	due      bool // dead, and the next lease is the probe
	hopeful  bool // counted in Pool.hopeful
	state    State
	failures int
	until    time.Duration // end of the cooldown, or of the wait for the next probe; 0 is neither
	probe    *Lease        // the probe that is out
	client   any
	failed   error // what the factory said, until a cooldown has passed
	latency  float64
	amounts  []amount
}

// amount is the quota and the usage of one unit.
type amount struct {
	unit     string
	declared bool
	quota    float64
	used     float64
}

func newResource(p *Pool, d Resource) (*resource, error) {
	if d.ID == "" {
		return nil, fmt.Errorf("resource: field \"ID\": empty: must be a name")
	}
	if err := checkCapacity(d.ID, d.Capacity); err != nil {
		return nil, err
	}
	r := &resource{
		pool: p, id: d.ID, kind: d.Kind, capacity: d.Capacity, factory: d.Factory, opened: d.Factory == nil,
		tags: maps.Clone(d.Tags), options: maps.Clone(d.Options),
	}
	for _, unit := range slices.Sorted(maps.Keys(d.Quota)) {
		quota := d.Quota[unit]
		if math.IsNaN(quota) || math.IsInf(quota, 0) || quota < 0 {
			return nil, fmt.Errorf("resource %q: field \"Quota\": %q: %v: must be finite and not negative", d.ID, unit, quota)
		}
		r.amounts = append(r.amounts, amount{unit: unit, declared: true, quota: quota})
	}
	return r, nil
}

// checkCapacity keeps capacities in a range in which the product of two of them
// is an int.
func checkCapacity(id string, n int) error {
	if n < 1 || n > math.MaxInt32 {
		return fmt.Errorf("resource %q: field \"Capacity\": %d: must be from 1 to %d", id, n, math.MaxInt32)
	}
	return nil
}

// open reports whether a lease can be granted now.
func (r *resource) open() bool {
	return r.active < r.capacity && (r.state == Ready || r.due) && !r.opening
}

// measure adds an outcome's latency and usage.
func (r *resource) measure(o *Outcome) {
	if o.Latency > 0 {
		if x := float64(o.Latency); r.latency == 0 {
			r.latency = x
		} else {
			r.latency = float64(0.7*r.latency) + float64(0.3*x)
		}
	}
	if len(o.Usage) > 0 {
		r.use(o.Usage)
	}
}

// use adds usage by unit. Units that are known are looked up, which is cheaper
// than to walk through the map.
func (r *resource) use(usage map[string]float64) {
	known := 0
	for i := range r.amounts {
		if n, ok := usage[r.amounts[i].unit]; ok {
			r.amounts[i].add(n)
			known++
		}
	}
	if known == len(usage) {
		return
	}
	for unit, n := range usage {
		if r.amount(unit) == nil {
			r.amounts = append(r.amounts, amount{unit: unit})
			r.amount(unit).add(n)
		}
	}
}

// amount finds a unit; nil if it is not known.
func (r *resource) amount(unit string) *amount {
	for i := range r.amounts {
		if r.amounts[i].unit == unit {
			return &r.amounts[i]
		}
	}
	return nil
}

// add ignores what is no amount: a sum could not recover from it.
func (a *amount) add(n float64) {
	if n >= 0 && !math.IsInf(n, 1) {
		a.used += n
	}
}
