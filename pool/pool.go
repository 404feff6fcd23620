package pool

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
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

// String returns "fifo" or "barging".
func (o Order) String() string {
	switch o {
	case FIFO:
		return "fifo"
	case Barging:
		return "barging"
	}
	return fmt.Sprintf("Order(%d)", int8(o))
}

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
//
// Whenever its lock is free the following holds. R are the published resources
// in order, W the waiting acquisitions in order, L(r) the leases of r that were
// granted and not released. open(r) says that r is ready, or dead and due for a
// probe, with active(r) < capacity(r) and no factory call under way.
//
//	active(r) = |L(r)|
//	active(r) <= capacity(r), unless capacity(r) was lowered
//	k = number of leases handed out; it never falls
//	until(r) > 0 only if r is degraded, or dead and waits for its probe
//	at most one lease in L(r) is a probe, and only while r is dead
//	soonest = min{until(r): r in R, until(r) > 0}, or never
//	W not empty and soonest < never: the cooldown alarm is set, for soonest or earlier
//	hopeful = |{r in R: r is ready or degraded, or dead and probed or with L(r) not empty}|
//	FIFO: no w in W admits an open r in R
//	Barging: a w in W that has not been woken since it looked last admits no r in R
//	         that was opened since then, unless the alarm is due, which wakes w
type Pool struct {
	name    string
	clk     clock.Clock
	options Options

	mu        sync.Mutex
	list      []*resource          // R, and revoked resources with leases out
	byID      map[string]*resource // R
	k         uint64
	soonest   time.Duration
	hopeful   int
	published bool // something was, once

	waiters waitList
	records sync.Pool // of *waiter, to use again
	holds   holdList
	subs    []*Subscription

	cooldown, slow, leak alarm

	ties  []int32 // scratch of pick
	chunk []Lease // leases allocated together; each is used once
	cut   int     // those of chunk that are in use or were
	busy  error   // what most failed attempts return
}

// never is later than every instant of a clock.
const never time.Duration = math.MaxInt64

// New returns an empty pool. The name appears in errors and reports.
func New(name string, clk clock.Clock, o Options) (*Pool, error) {
	if o.Health == (Health{}) {
		o.Health = DefaultHealth()
	}
	p := &Pool{name: name, clk: clk, options: o, byID: map[string]*resource{}, soonest: never}
	if err := p.validate(); err != nil {
		return nil, err
	}
	p.cooldown.ring, p.slow.ring, p.leak.ring = p.cooldownEnded, p.reportSlow, p.reportLeaks
	p.busy = fmt.Errorf("pool %q: %w", name, ErrUnavailable)
	return p, nil
}

func (p *Pool) validate() error {
	o := &p.options
	switch {
	case p.clk == nil:
		return fmt.Errorf("pool %q: field \"clk\": nil: must be a clock", p.name)
	case o.Order != FIFO && o.Order != Barging:
		return fmt.Errorf("pool %q: field \"Order\": %d: must be FIFO or Barging", p.name, o.Order)
	case o.SlowWait < 0:
		return fmt.Errorf("pool %q: field \"SlowWait\": %v: must not be negative", p.name, o.SlowWait)
	case o.LeakAfter < 0:
		return fmt.Errorf("pool %q: field \"LeakAfter\": %v: must not be negative", p.name, o.LeakAfter)
	}
	if err := o.Health.validate(); err != nil {
		return fmt.Errorf("pool %q: %w", p.name, err)
	}
	return nil
}

// Name returns the name of the pool.
func (p *Pool) Name() string { return p.name }

// Clock returns the clock of the pool.
func (p *Pool) Clock() clock.Clock { return p.clk }

// Health returns the pool's policy.
func (p *Pool) Health() Health { return p.options.Health }

// Publish adds a resource, behind all others in order. Publishing an id that is
// there already replaces the resource in its place and resets its state; leases
// of the old one stay valid and change nothing of the new one.
func (p *Pool) Publish(desc Resource) error {
	r, err := newResource(p, desc)
	if err != nil {
		return fmt.Errorf("pool %q: %w", p.name, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.byID[r.id]; old != nil {
		p.list[slices.Index(p.list, old)] = r
		p.withdraw(old)
	} else {
		p.list = append(p.list, r)
	}
	p.byID[r.id] = r
	p.published = true
	p.recount(r)
	p.emit(Event{Kind: Published, Resource: r.id})
	p.offer(r)
	return nil
}

// Revoke withdraws a resource: there will be no more leases of it; those that
// are out stay valid until they are returned. It fails with ErrRevoked if
// there is no such resource.
func (p *Pool) Revoke(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.byID[id]
	if r == nil {
		return p.unknown(id)
	}
	delete(p.byID, id)
	p.withdraw(r)
	p.unlistIfGone(r)
	p.emit(Event{Kind: Withdrawn, Resource: id})
	p.wakeAll()
	return nil
}

// SetCapacity changes the capacity of a resource to n, from 1 to 2^31 - 1. Growing it
// serves waiters at once; shrinking it takes no lease back. It fails with
// ErrRevoked if there is no such resource.
func (p *Pool) SetCapacity(id string, n int) error {
	if err := checkCapacity(id, n); err != nil {
		return fmt.Errorf("pool %q: %w", p.name, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.byID[id]
	if r == nil {
		return p.unknown(id)
	}
	r.capacity = n
	p.offer(r)
	return nil
}

// Snapshot returns the state of every resource in order of publication. A
// revoked one is listed while leases of it are out.
func (p *Pool) Snapshot() []Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clk.Elapsed()
	all := make([]Status, len(p.list))
	for i, r := range p.list {
		all[i] = r.status(now)
	}
	return all
}

// Doomed reports, in constant time, that no acquisition can succeed any more
// unless something is published: there were resources, and every one is revoked
// or dead with no probe to come and no lease out that could revive it.
func (p *Pool) Doomed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.published && p.hopeful == 0
}

// TryAcquire leases the best resource that matches q now. It never waits for a
// lease; a resource's factory, if it has yet to be called, may block. It fails
// with ctx's error if ctx has ended, and with an error that wraps ErrUnavailable
// if there is no candidate: a *CooldownError if every matching resource is
// cooling down, so that it is known when the first one returns.
func (p *Pool) TryAcquire(ctx context.Context, q Query) (*Lease, error) {
	if err := ctx.Err(); err != nil {
		return nil, p.ended(err)
	}
	l, err := p.next(&q, &tries{})
	if l != nil && l.opening {
		l, err = p.openAny(ctx, &q, l)
	}
	return l, err
}

// Acquire leases the best resource that matches q, and waits until there is
// one. It fails with ctx's error, wrapped, when ctx ends; at once with a
// *CooldownError if waiting is pointless (see Health.MaxRetryAfter and ctx's
// deadline, which is an instant of the pool's clock); and with ErrRevoked if
// q.ID is not, or no longer, published. An acquisition that fails holds
// nothing.
func (p *Pool) Acquire(ctx context.Context, q Query) (*Lease, error) {
	if err := ctx.Err(); err != nil {
		return nil, p.ended(err)
	}
	var at place
	l, w, err := p.begin(ctx, &q, &at)
	if err != nil || l != nil && !l.opening {
		return l, err
	}
	return p.acquire(ctx, q, at, l, w)
}

// withdraw ends the life of r.
func (p *Pool) withdraw(r *resource) {
	r.state, r.until, r.due, r.probe = Revoked, 0, false, nil
	p.recount(r)
	p.resetSoonest()
}

// unlistIfGone drops a revoked resource that has no lease out.
func (p *Pool) unlistIfGone(r *resource) {
	if r.active == 0 {
		if i := slices.Index(p.list, r); i >= 0 {
			p.list = slices.Delete(p.list, i, i+1)
		}
	}
}
