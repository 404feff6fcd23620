package pool

import (
	"context"
	"time"
)

// EventKind says what happened.
type EventKind int8

// The kinds of events.
const (
	Published EventKind = iota
	Withdrawn           // a resource was revoked
	Leased
	Released
	Leaked // a lease is out for longer than Options.LeakAfter
	WentDegraded
	WentDead
	Probing // a dead resource was leased to see whether it lives
	Recovered
	FactoryFailed
	SlowWait          // an acquisition waits for longer than Options.SlowWait
	SuspectedDeadlock // a holder of a lease waits for another one
)

// Event is something that happened in a pool. Fields without meaning for the
// kind are zero. Nothing in it holds a secret in clear.
type Event struct {
	// At is the time on the pool's clock since it started.
	At   time.Duration
	Kind EventKind
	Pool string
	// Resource is the id of the resource.
	Resource string
	// Lease is the number of the lease in this pool, from 1.
	Lease uint64
	// Holder is who holds the lease or waits for one.
	Holder string
	// For is how long the lease was held, the wait has lasted, or the cooldown
	// will last.
	For time.Duration
	// Detail is a sentence for people: the error, the leases of a deadlock.
	Detail string
}

// Subscription receives events in order. It holds a bounded number of them: if
// the reader is slow the oldest are dropped and counted; the pool never waits.
type Subscription struct{}

// Subscribe returns a subscription to the pool's events from now on that holds
// up to n events, at least 1.
func (p *Pool) Subscribe(n int) *Subscription { panic("todo") }

// Next removes and returns the oldest event, waiting for one if there is none.
// It fails with ctx.Err() when ctx ends. One task at a time may call it.
func (s *Subscription) Next(ctx context.Context) (Event, error) { panic("todo") }

// Drain removes and returns all events held, oldest first. It does not wait.
func (s *Subscription) Drain() []Event { panic("todo") }

// Dropped returns how many events were dropped so far.
func (s *Subscription) Dropped() uint64 { panic("todo") }

// Close ends the subscription. Events held can still be drained.
func (s *Subscription) Close() { panic("todo") }
