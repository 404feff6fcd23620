package pool

import "time"

// Lease is the right to use a resource until Release. Its methods may be called
// from any task, in any state, any number of times; after Release they do
// nothing, except that ResourceID and Client still answer.
type Lease struct {
	r        *resource
	number   uint64   // of the lease in its pool, from 1; 0 until it is handed out
	hold     *holding // who holds it, if that is tracked
	opening  bool     // the resource is reserved, its client still has to be made
	released bool
}

// Outcome is what a lease holder reports about one use of the resource. It is
// a success if Err is nil and Refused is false.
type Outcome struct {
	// Err is the failure, nil if there was none.
	Err error
	// Refused says that the server refused the request for load or quota
	// (429), whatever Err is.
	Refused bool
	// RetryAfter is how long the server asked to stay away, with a refusal or
	// another failure; 0 or less is none.
	RetryAfter time.Duration
	// Latency is how long the use took; 0 or less is not measured.
	Latency time.Duration
	// Usage is what was used, by unit, to be added to the resource's usage.
	// Amounts that are negative or not finite are ignored.
	Usage map[string]float64
}

// ResourceID returns the id of the leased resource.
func (l *Lease) ResourceID() string { return l.r.id }

// Client returns the client object that the resource's factory made; nil
// without a factory.
func (l *Lease) Client() any { return l.r.client }

// Report tells the pool how a use of the resource went. A lease can report
// several uses.
func (l *Lease) Report(o Outcome) {
	p := l.r.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if !l.released {
		p.report(l, &o)
	}
}

// Release gives the lease back, at once and whatever the state of any context.
// Releasing twice changes nothing.
func (l *Lease) Release() {
	p := l.r.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if !l.released {
		p.release(l)
	}
}

// Degrade makes the resource cool down for d from now, or for the policy's
// Cooldown if d <= 0. It never shortens a cooldown, counts no failure, and does
// nothing to a resource that is dead.
func (l *Lease) Degrade(d time.Duration) {
	p := l.r.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if d <= 0 {
		d = p.options.Health.Cooldown
	}
	if l.released || d <= 0 || l.r.state == Dead || l.r.state == Revoked {
		return
	}
	now := p.clk.Elapsed()
	p.coolDown(l.r, now, after(now, d), nil)
}

// chunkLen leases of 32 bytes and the 8 bytes that the runtime adds fill 4 KiB.
const chunkLen = 127

// grant reserves r, which is open, and hands the lease out unless the client
// still has to be made.
func (p *Pool) grant(r *resource, holder string) *Lease {
	if p.cut == len(p.chunk) {
		p.chunk, p.cut = make([]Lease, chunkLen), 0
	}
	l := &p.chunk[p.cut]
	p.cut++
	l.r = r
	r.active++
	if r.due {
		r.due, r.probe = false, l
	}
	if r.opened {
		p.handOut(l, holder)
	} else {
		l.opening, r.opening = true, true
	}
	return l
}

// handOut counts the lease and makes it known.
func (p *Pool) handOut(l *Lease, holder string) {
	p.k++
	l.number = p.k
	if holder != "" || p.options.LeakAfter > 0 {
		p.track(l, holder)
	}
	if len(p.subs) > 0 {
		if l.r.probe == l {
			p.emit(Event{Kind: Probing, Resource: l.r.id, Lease: l.number, Holder: holder})
		}
		p.emit(Event{Kind: Leased, Resource: l.r.id, Lease: l.number, Holder: holder})
	}
}

// release takes a lease back, also one that was never handed out.
func (p *Pool) release(l *Lease) {
	r := l.r
	l.released = true
	r.active--
	if l.opening {
		l.opening, r.opening = false, false
	} else if len(p.subs) > 0 {
		p.emit(Event{Kind: Released, Resource: r.id, Lease: l.number, Holder: l.holder()})
	}
	if l.hold != nil {
		p.untrack(l)
	}
	if r.state != Ready {
		p.releasedUnready(l)
	}
	p.offer(r)
}

// releasedUnready does what a release means to a resource that is not ready: an
// inconclusive probe ends, hope for a dead one may be gone, and a revoked one
// disappears with its last lease.
func (p *Pool) releasedUnready(l *Lease) {
	r := l.r
	switch r.state {
	case Dead:
		if r.probe == l {
			p.endProbe(r, p.clk.Elapsed(), 0)
		}
		p.recount(r)
	case Revoked:
		p.unlistIfGone(r)
	}
}
