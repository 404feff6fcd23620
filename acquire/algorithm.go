package acquire

import (
	"context"
	"errors"

	"github.com/ranktest/ranktest/pool"
)

// Algorithm is a way to get a lease when there may be none at the moment. A
// value holds no state of any acquisition and is safe for concurrent use: what
// an attempt remembers is in its Request.
//
// An Acquire that fails holds nothing. It returns promptly when ctx ends, and
// takes all its time from the clock of the pool.
type Algorithm interface {
	Acquire(ctx context.Context, req Request) (*pool.Lease, error)
}

// Request is all that an algorithm is handed.
type Request struct {
	// Pool is where to acquire. It must not be nil.
	Pool *pool.Pool
	// Pools are others that failover can be told to try, by name.
	Pools map[string]*pool.Pool
	// Query says which resources will do and who asks. An algorithm may narrow
	// it for a try of its own, and never widens it.
	Query pool.Query
	// Affinity is the memory of sticky; nil remembers nothing.
	Affinity *Affinity
	// Rand is the stream for jitter; nil is the process's global one.
	Rand Rand
}

// Draw returns the next number of Rand, for algorithms of one's own.
func (r *Request) Draw() float64 { return draw(r.Rand) }

// Affinity remembers the resource that one attempt has used, for sticky, which
// asks for it again in the request's own pool. The zero value remembers none. It
// belongs to one task at a time.
type Affinity struct {
	id string
}

// ErrTimeout says that an acquisition was given up because the algorithm's own
// limit (wait's timeout, backoff's max_wait) was reached or would have been.
// Such an error wraps pool.ErrUnavailable, too. A deadline of the caller is
// context.DeadlineExceeded instead.
var ErrTimeout = errors.New("acquire: the limit of the algorithm is reached")

// timeoutError is ErrTimeout with what happened.
type timeoutError struct {
	what string
	err  error
}

func (e *timeoutError) Error() string { return "acquire: " + e.what + ": " + e.err.Error() }

func (e *timeoutError) Unwrap() []error { return []error{ErrTimeout, pool.ErrUnavailable, e.err} }
