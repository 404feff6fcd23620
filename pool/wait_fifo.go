package pool

// First in, first out: whoever frees capacity hands it over, in the same locked
// section, to the first waiter in line that can use it. So outside of locked
// sections no waiter admits an open resource, and a newcomer that finds one
// overtakes nobody.

// serve hands out what is open to those who wait, in order: r, or anything if r
// is nil. It passes along the line until a pass grants nothing, because a grant
// changes what filters see.
func (p *Pool) serve(r *resource) {
	for p.waiters.head != nil && (r == nil || r.open()) && p.servePass(r) {
	}
}

// changed serves those whose filters look at what was measured of r, or at how
// busy it is.
func (p *Pool) changed(r *resource) {
	if p.waiters.head != nil && p.options.Order == FIFO {
		p.serve(r)
	}
}

func (p *Pool) servePass(r *resource) (granted bool) {
	for w := p.waiters.head; w != nil && (r == nil || r.open()); {
		next := w.next
		if r == nil || w.query.admits(r) {
			if l := p.take(&w.query); l != nil {
				p.waiters.remove(w)
				w.wake()
				w.lease.Store(l)
				granted = true
			}
		}
		w = next
	}
	return granted
}
