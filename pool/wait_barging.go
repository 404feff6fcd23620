package pool

// Barging: whoever frees capacity wakes, in order, all who could use it, and
// goes on. Who asks next, the same task perhaps, gets it. A woken waiter looks
// again when it runs, and keeps its place in line if it finds nothing. That is
// less fair than FIFO and saves a switch of tasks for every lease: a busy task
// need not stop.

// wakeAdmitted wakes the waiters that could use r.
func (p *Pool) wakeAdmitted(r *resource) {
	for w := p.waiters.head; w != nil; w = w.next {
		if !w.woken && w.query.admits(r) {
			w.wake()
		}
	}
}
