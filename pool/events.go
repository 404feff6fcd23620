package pool

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ranktest/ranktest/clock"
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
	Probing // a dead resource is leased, next, to see whether it lives
	Recovered
	FactoryFailed
	SlowWait          // an acquisition waits for longer than Options.SlowWait
	SuspectedDeadlock // a holder of a lease waits for another one
)

var kindNames = [...]string{
	"published", "revoked", "leased", "released", "leaked", "degraded", "dead",
	"probing", "recovered", "factory failed", "slow wait", "suspected deadlock",
}

// String returns the name of the kind.
func (k EventKind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// Event is something that happened in a pool. Fields without meaning for the
// kind are zero. Nothing in it shows a secret.
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
	// For is how long the lease is held, the wait has lasted, or the cooldown
	// will last.
	For time.Duration
	// Deadlock says, of a suspected deadlock, that it is one: every lease that
	// is out is held by a task that waits. None will be released unless one of
	// them gives up, or gets what comes from elsewhere: a resource that is
	// published, a cooldown that ends.
	Deadlock bool
	// Detail is a sentence for people: the error, the leases of a deadlock.
	Detail string
}

// String says it in one line: `30s leased "a", lease 7, holder "worker 1"`.
func (e Event) String() string {
	text := fmt.Sprintf("%v %v", e.At, e.Kind)
	if e.Resource != "" {
		text += fmt.Sprintf(" %q", e.Resource)
	}
	if e.Lease != 0 {
		text += fmt.Sprintf(", lease %d", e.Lease)
	}
	if e.Holder != "" {
		text += fmt.Sprintf(", holder %q", e.Holder)
	}
	if e.For != 0 {
		text += fmt.Sprintf(", for %v", e.For)
	}
	if e.Deadlock {
		text += ", a deadlock"
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// emit sends an event to all subscriptions, in order, with the pool locked.
func (p *Pool) emit(e Event) {
	if len(p.subs) == 0 {
		return
	}
	e.At, e.Pool = p.clk.Elapsed(), p.name
	for _, s := range p.subs {
		s.push(e)
	}
}

// Subscription receives events in order. It holds a bounded number of them: if
// the reader is slow the oldest are dropped and counted; the pool never waits.
type Subscription struct {
	pool    *Pool
	parking clock.Waiter
	limit   int

	mu      sync.Mutex
	ring    []Event // grows to limit, then is a ring that starts at first
	first   int
	n       int
	dropped uint64
	parked  bool
	closed  bool
}

// Subscribe returns a subscription to the pool's events from now on that holds
// up to n events, at least 1.
func (p *Pool) Subscribe(n int) *Subscription {
	s := &Subscription{pool: p, limit: max(1, n)}
	s.parking = p.clk.NewWaiter(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.subs = append(p.subs, s)
	return s
}

// String says what a reader of s waits for.
func (s *Subscription) String() string { return "an event of pool \"" + s.pool.name + "\"" }

// push adds an event, in place of the oldest if there are too many.
func (s *Subscription) push(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.n == s.limit:
		s.ring[s.first] = e
		s.first = (s.first + 1) % s.limit
		s.dropped++
	case s.n == len(s.ring):
		s.ring = append(slices.Concat(s.ring[s.first:], s.ring[:s.first]), e)
		s.first = 0
		s.n++
	default:
		s.ring[(s.first+s.n)%len(s.ring)] = e
		s.n++
	}
	if s.parked {
		s.parked = false
		s.parking.Wake()
	}
}

// Next removes and returns the oldest event, waiting for one if there is none.
// It fails with ctx.Err() when ctx ends, and with ErrClosed when nothing is
// left of a closed subscription. One task at a time may call it.
func (s *Subscription) Next(ctx context.Context) (Event, error) {
	for {
		if e, ok, err := s.poll(); ok || err != nil {
			return e, err
		}
		if err := s.parking.Park(ctx); err != nil {
			return Event{}, err
		}
	}
}

func (s *Subscription) poll() (e Event, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.n > 0:
		e = s.ring[s.first]
		s.first = (s.first + 1) % len(s.ring)
		s.n--
		return e, true, nil
	case s.closed:
		return e, false, ErrClosed
	}
	s.parked = true
	return e, false, nil
}

// Drain removes and returns all events held, oldest first. It does not wait.
func (s *Subscription) Drain() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Event, s.n)
	for i := range all {
		all[i] = s.ring[(s.first+i)%len(s.ring)]
	}
	s.first, s.n = 0, 0
	return all
}

// Dropped returns how many events were dropped so far.
func (s *Subscription) Dropped() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}

// Close ends the subscription. What it holds can still be read.
func (s *Subscription) Close() {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	p.subs = slices.DeleteFunc(p.subs, func(o *Subscription) bool { return o == s })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.parked {
		s.parked = false
		s.parking.Wake()
	}
}
