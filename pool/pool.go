package pool

import (
	"context"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// Order is an order of service for those who wait.
type Order int8

const (
	// FIFO hands freed capacity to the longest waiting task that can use it. A
	// newcomer never overtakes a waiter that could take the same resource.
	FIFO Order = iota
	// Barging lets whoever asks first after a release have it, the releasing
	// task included. Woken waiters look again in the order in which they began
	// to wait, and keep their places if they find nothing.
	Barging
)

// Options configure a pool. The zero value is DefaultHealth, FIFO, no reports
// about slow waits or leaks.
type Options struct {
	// Health is the policy; the zero Health stands for DefaultHealth().
	Health Health
	// Order is the order of service.
	Order Order
	// SlowWait is after how long a wait is reported as a SlowWait event; 0 is
	// never.
	SlowWait time.Duration
	// LeakAfter is after how long a lease that is still out is reported as a
	// Leaked event; 0 is never. The lease is not taken back.
	LeakAfter time.Duration
}

// Pool shares resources among tasks.
type Pool struct{}

// New returns an empty pool. The name appears in errors and reports.
func New(name string, clk clock.Clock, o Options) (*Pool, error) { panic("todo") }

// Name returns the name of the pool.
func (p *Pool) Name() string { panic("todo") }

// Clock returns the clock of the pool.
func (p *Pool) Clock() clock.Clock { panic("todo") }

// Publish adds a resource, behind all others in order. Publishing an id that is
// there already replaces the resource in its place and resets its state; leases
// of the old one stay valid and change nothing of the new one.
func (p *Pool) Publish(r Resource) error { panic("todo") }

// Revoke withdraws a resource: there will be no more leases of it; those that
// are out stay valid until they are returned. It fails with ErrRevoked if
// there is no such resource.
func (p *Pool) Revoke(id string) error { panic("todo") }

// SetCapacity changes the capacity of a resource to n, at least 1. Growing it
// serves waiters at once; shrinking it takes no lease back. It fails with
// ErrRevoked if there is no such resource.
func (p *Pool) SetCapacity(id string, n int) error { panic("todo") }

// Snapshot returns the state of every resource in order of publication. A
// revoked one is listed while leases of it are out.
func (p *Pool) Snapshot() []Status { panic("todo") }

// Doomed reports, in constant time, that no acquisition can succeed any more
// unless something is published: there were resources, and every one is revoked
// or dead with no probe to come and no lease out that could revive it.
func (p *Pool) Doomed() bool { panic("todo") }

// TryAcquire leases the best resource that matches q now. It never waits for a
// lease; a resource's factory, if it has yet to be called, may block. It fails
// with ctx's error if ctx has ended, with an error that wraps ErrUnavailable if
// there is no candidate: a *CooldownError if every matching resource is cooling
// down, so that it is known when the first one returns.
func (p *Pool) TryAcquire(ctx context.Context, q Query) (*Lease, error) { panic("todo") }

// Acquire leases the best resource that matches q, and waits until there is
// one. It fails with ctx's error, wrapped, when ctx ends; at once with a
// *CooldownError if waiting is pointless (see Health.MaxRetryAfter and ctx's
// deadline, which is an instant of the pool's clock); and with ErrRevoked if
// q.ID is not, or no longer, published. An acquisition that fails holds
// nothing.
func (p *Pool) Acquire(ctx context.Context, q Query) (*Lease, error) { panic("todo") }

type resource struct{}
