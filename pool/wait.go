package pool

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// waiter is a waiting acquisition. Records are used again, so that waiting
// allocates nothing. The pool's lock guards all of it; lease is read without.
type waiter struct {
	pool       *Pool
	parking    clock.Waiter
	query      Query
	place      place
	lease      atomic.Pointer[Lease] // handed to it, as the last thing that is done to it
	queued     bool
	woken      bool // and has not looked since
	slow       bool // reported as such
	prev, next *waiter
}

// place is a place in the line. It is kept if an acquisition has to wait again.
type place struct {
	ticket uint64        // 0 is none yet
	since  time.Duration // for SlowWait
}

// String says what is waited for. It is called when something went wrong, so it
// does not insist on the lock.
func (w *waiter) String() string {
	text := fmt.Sprintf("a lease of pool %q", w.pool.name)
	if !w.pool.mu.TryLock() {
		return text
	}
	defer w.pool.mu.Unlock()
	if w.query.ID != "" {
		text += fmt.Sprintf(", resource %q", w.query.ID)
	}
	if w.query.Holder != "" {
		text += fmt.Sprintf(", for %q", w.query.Holder)
	}
	return text
}

// begin reserves the best resource for q or gets in line for it, in one locked
// section, so that nobody can slip in between. Waiting begins with making sure
// that the earliest cooldown is waited for.
func (p *Pool) begin(ctx context.Context, q *Query, at *place) (*Lease, *waiter, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refresh()
	if l := p.take(q); l != nil {
		p.changed(l.r)
		return l, nil, nil
	}
	if err := p.pointless(ctx, q); err != nil {
		return nil, nil, err
	}
	var now time.Duration
	if p.options.SlowWait > 0 || p.soonest != never { // otherwise time does not matter
		now = p.clk.Elapsed()
	}
	if at.ticket == 0 {
		p.waiters.tickets++
		*at = place{p.waiters.tickets, now}
	}
	w, _ := p.records.Get().(*waiter)
	if w == nil {
		w = &waiter{pool: p}
		w.parking = p.clk.NewWaiter(w)
	}
	w.query, w.place = *q, *at
	p.waiters.insert(w)
	p.suspect(w)
	p.armSlow(w, now)
	p.armCooldown(now)
	return nil, w, nil
}

// wait waits in line until w is handed, or finds, a reserved resource.
func (p *Pool) wait(ctx context.Context, w *waiter) (*Lease, error) {
	done := false
	defer func() {
		if !done {
			p.abandon(w)
		}
	}()
	for {
		err := w.parking.Park(ctx)
		if err == nil {
			err = ctx.Err() // a lease that came in the same instant goes back
		}
		if err != nil {
			return nil, p.ended(err)
		}
		l := w.lease.Load()
		if l == nil {
			if l, err = p.look(ctx, w); err != nil {
				return nil, err
			}
		}
		if l != nil {
			// Nobody but this task knows the record any more, and its wake-up
			// has been used up.
			done = true
			p.reuse(w)
			return l, nil
		}
	}
}

// look is what a waiter does when it is woken.
func (p *Pool) look(ctx context.Context, w *waiter) (*Lease, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.woken = false
	p.refresh()
	if l := w.lease.Load(); l != nil {
		return l, nil
	}
	if l := p.take(&w.query); l != nil {
		p.waiters.remove(w)
		return l, nil
	}
	return nil, p.pointless(ctx, &w.query)
}

// abandon ends a wait that failed. A lease that was handed over goes back.
func (p *Pool) abandon(w *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.queued {
		p.waiters.remove(w)
	}
	if l := w.lease.Load(); l != nil {
		p.release(l)
	}
	if !w.woken { // otherwise a wake-up may be left in it
		p.reuse(w)
	}
}

func (p *Pool) reuse(w *waiter) {
	w.query = Query{}
	w.lease.Store(nil)
	w.woken, w.slow = false, false
	p.records.Put(w)
}

// offer lets those who wait know that r may be open.
func (p *Pool) offer(r *resource) {
	if p.waiters.head == nil || r.state == Revoked {
		return
	}
	if p.options.Order == FIFO {
		p.serve(r)
	} else {
		p.wakeAdmitted(r)
	}
}

// wakeAll makes every waiter look again: a resource came, went, or changed its
// state, so that a wait may have become pointless.
func (p *Pool) wakeAll() {
	for w := p.waiters.head; w != nil; w = w.next {
		w.wake()
	}
}

// wake makes w look again, once.
func (w *waiter) wake() {
	if !w.woken {
		w.woken = true
		w.parking.Wake()
	}
}

// waitList holds the waiters in order of their tickets.
type waitList struct {
	head, tail *waiter
	tickets    uint64
}

// insert adds w in its place: at the end, unless it has waited before.
func (s *waitList) insert(w *waiter) {
	before := s.tail
	for before != nil && before.place.ticket > w.place.ticket {
		before = before.prev
	}
	w.prev = before
	if before == nil {
		w.next, s.head = s.head, w
	} else {
		w.next, before.next = before.next, w
	}
	if w.next == nil {
		s.tail = w
	} else {
		w.next.prev = w
	}
	w.queued = true
}

func (s *waitList) remove(w *waiter) {
	if w.prev == nil {
		s.head = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		s.tail = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.prev, w.next, w.queued = nil, nil, false
}
