package acquire

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/pool"
)

// failover makes one immediate try in each of its pools, in order, and then
// falls back on the first of them that exists.
type failover struct {
	names    []string // none: the request's own pool
	fallback Algorithm
}

func (f failover) Acquire(ctx context.Context, req Request) (*pool.Lease, error) {
	names := f.names
	if len(names) == 0 {
		names = []string{req.Pool.Name()}
	}
	var (
		room  [4]error // keeps the reasons off the heap while nothing has failed for good
		why   = room[:0]
		first *pool.Pool
	)
	for _, name := range names {
		p := req.pool(name)
		if p == nil {
			why = append(why, errUnknownPool)
			continue
		}
		if first == nil {
			first = p
		}
		lease, err := p.TryAcquire(ctx, req.Query)
		if err == nil {
			return lease, nil
		}
		why = append(why, err)
	}
	if first == nil {
		return nil, newFailoverError(names, why, req, fmt.Errorf("%w: none of the pools exists", pool.ErrUnavailable))
	}
	retry := req
	retry.Pool = first
	lease, err := f.fallback.Acquire(ctx, retry)
	if err != nil {
		return nil, newFailoverError(names, why, req, err)
	}
	return lease, nil
}

// pool finds a pool by name. The request's own needs no entry in Pools.
func (r *Request) pool(name string) *pool.Pool {
	if p := r.Pools[name]; p != nil {
		return p
	}
	if r.Pool != nil && r.Pool.Name() == name {
		return r.Pool
	}
	return nil
}

// errUnknownPool stands for the reason of a name that the request has no pool for.
var errUnknownPool = errors.New("unknown pool")

// FailoverError says why failover got no lease from any of its pools.
type FailoverError struct {
	// Pools are the names in the order of the tries, and Reasons, in the same
	// order, what came of each.
	Pools   []string
	Reasons []error
	// Fallback is the error of the last resort.
	Fallback error
}

func newFailoverError(names []string, why []error, req Request, last error) *FailoverError {
	e := &FailoverError{Pools: slices.Clone(names), Reasons: slices.Clone(why), Fallback: last}
	for i, err := range e.Reasons {
		if err == errUnknownPool {
			e.Reasons[i] = fmt.Errorf("unknown pool: the request has %q and is for %q",
				slices.Sorted(maps.Keys(req.Pools)), req.Pool.Name())
		}
	}
	return e
}

// Error gives the reason of every pool.
func (e *FailoverError) Error() string {
	var b strings.Builder
	b.WriteString("acquire: failover: ")
	for i, err := range e.Reasons {
		fmt.Fprintf(&b, "pool %q: %v; ", e.Pools[i], err)
	}
	fmt.Fprintf(&b, "fallback: %v", e.Fallback)
	return b.String()
}

// Unwrap returns the fallback's error and the reasons.
func (e *FailoverError) Unwrap() []error {
	return append([]error{e.Fallback}, e.Reasons...)
}
