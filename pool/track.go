package pool

import (
	"fmt"
	"strings"
	"time"
)

// holding is the record of a lease whose holder has a name, or that may leak.
// Records are used again.
type holding struct {
	lease      *Lease
	holder     string
	since      time.Duration
	leaked     bool // reported as such
	prev, next *holding
}

// holdList holds the tracked leases, oldest first.
type holdList struct {
	head, tail *holding
	free       *holding
}

// holder returns the name of who holds l, as far as it is known.
func (l *Lease) holder() string {
	if l.hold == nil {
		return ""
	}
	return l.hold.holder
}

func (p *Pool) track(l *Lease, holder string) {
	s := &p.holds
	h := s.free
	if h != nil {
		s.free = h.next
	} else {
		h = new(holding)
	}
	*h = holding{lease: l, holder: holder, prev: s.tail}
	if s.tail == nil {
		s.head = h
	} else {
		s.tail.next = h
	}
	s.tail = h
	l.hold = h
	if limit := p.options.LeakAfter; limit > 0 {
		h.since = p.clk.Elapsed()
		p.leak.set(p, h.since, after(h.since, limit))
	}
}

func (p *Pool) untrack(l *Lease) {
	s, h := &p.holds, l.hold
	if h.prev == nil {
		s.head = h.next
	} else {
		h.prev.next = h.next
	}
	if h.next == nil {
		s.tail = h.prev
	} else {
		h.next.prev = h.prev
	}
	l.hold = nil
	*h = holding{next: s.free}
	s.free = h
}

// reportLeaks reports the leases that are out for too long, once each.
func (p *Pool) reportLeaks(now time.Duration) {
	for h := p.holds.head; h != nil; h = h.next {
		switch at := after(h.since, p.options.LeakAfter); {
		case h.leaked:
		case at > now:
			p.leak.set(p, now, at)
			return
		default:
			h.leaked = true
			p.emit(Event{Kind: Leaked, Resource: h.lease.r.id, Lease: h.lease.number, Holder: h.holder, For: now - h.since})
		}
	}
}

// armSlow sets the alarm for the report about w.
func (p *Pool) armSlow(w *waiter, now time.Duration) {
	if limit := p.options.SlowWait; limit > 0 {
		at := after(w.place.since, limit)
		if w.slow = at <= now; !w.slow { // otherwise that was said already
			p.slow.set(p, now, at)
		}
	}
}

// reportSlow reports those that have waited for too long, once each.
func (p *Pool) reportSlow(now time.Duration) {
	for w := p.waiters.head; w != nil; w = w.next {
		switch at := after(w.place.since, p.options.SlowWait); {
		case w.slow:
		case at > now:
			p.slow.set(p, now, at)
			return
		default:
			w.slow = true
			p.emit(Event{Kind: SlowWait, Resource: w.query.ID, Holder: w.query.Holder, For: now - w.place.since})
		}
	}
}

// suspect reports w, which has begun to wait, if its holder holds a lease. If
// all holders do so, nobody will ever release anything.
func (p *Pool) suspect(w *waiter) {
	if w.query.Holder == "" || len(p.subs) == 0 {
		return
	}
	var own *holding
	for h := p.holds.head; h != nil && own == nil; h = h.next {
		if h.holder == w.query.Holder {
			own = h
		}
	}
	if own == nil {
		return
	}
	waiting := map[string]bool{}
	for o := p.waiters.head; o != nil; o = o.next {
		waiting[o.query.Holder] = true
	}
	out, stuck := 0, 0
	for _, r := range p.list {
		out += r.active
	}
	var who strings.Builder
	for h := p.holds.head; h != nil; h = h.next {
		if h.holder != "" && waiting[h.holder] {
			stuck++
			if stuck <= maxNamed {
				fmt.Fprintf(&who, "; %q holds lease %d of %q", h.holder, h.lease.number, h.lease.r.id)
			}
		}
	}
	if stuck > maxNamed {
		fmt.Fprintf(&who, "; and %d more", stuck-maxNamed)
	}
	p.emit(Event{
		Kind: SuspectedDeadlock, Resource: own.lease.r.id, Lease: own.lease.number, Holder: own.holder, Deadlock: stuck >= out,
		Detail: fmt.Sprintf("%d of %d leases are held by tasks that wait for another one%s", stuck, out, who.String()),
	})
}

// maxNamed bounds the list of leases in the report of a deadlock.
const maxNamed = 100
