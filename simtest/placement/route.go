package placement

import "context"

// arrive makes this tick's arrivals pending.
func (e *engine) arrive() {
	for len(e.arrivals) > 0 {
		id := e.arrivals[0]
		source := &e.trace.Tasks[id]
		if source.Arrival > e.tick {
			break
		}
		e.arrivals = e.arrivals[1:]
		e.tasks[id].remaining = int64(source.Work)
		e.tasks[id].capability = e.directory.number(source.Capability)
		e.pending = append(e.pending, id)
	}
}

// route tries each pending task once; those that fail stay, in that order.
func (e *engine) route(ctx context.Context) error {
	failed := e.pending[:0]
	for i, id := range e.pending {
		if i&4095 == 4095 && ctx.Err() != nil {
			return e.stopped(ctx)
		}
		if !e.attempt(id) {
			failed = append(failed, id)
		}
	}
	e.pending = failed
	return nil
}

// attempt asks the policy for a worker, and assigns the task if that works.
func (e *engine) attempt(id int32) bool {
	t := &e.tasks[id]
	w, probes := e.choose(t.capability)
	outcome := Assigned
	switch {
	case w == none:
		outcome = NoCandidate
	case e.workers[w].down > 0:
		outcome = Unreachable
	case !e.offers(w, t.capability):
		outcome = Mismatch
	}
	e.counts.attempts++
	e.counts.probes += int64(probes)
	e.counts.outcomes[outcome]++
	e.log(outcome, id, w)
	if e.observe != nil {
		e.observe(Event{Tick: e.tick, Kind: outcome, Task: int(id), Worker: int(w), Probes: probes})
	}
	if outcome != Assigned {
		return false
	}
	e.assign(id, w)
	return true
}

// offers reports whether a worker has a capability.
func (e *engine) offers(w, capability int32) bool {
	if capability < 64 { // none shifts everything out
		return e.workers[w].able>>uint32(capability)&1 != 0
	}
	return e.directory.offers(w, capability)
}

func (e *engine) assign(id, w int32) {
	s, t := &e.workers[w], &e.tasks[id]
	if s.queued == 0 {
		e.busy = append(e.busy, w)
		s.first = id
	} else {
		e.tasks[s.last].next = id
	}
	s.last = id
	s.queued++
	if e.trace.Workers[w].Zone != e.trace.Tasks[id].Zone {
		e.counts.elsewhere++
	}
	e.setLoad(w, s.load+t.remaining)
}

// setLoad changes a worker's load, and tells whoever wants to know.
func (e *engine) setLoad(w int32, load int64) {
	s := &e.workers[w]
	s.load = load
	if e.ranking != nil {
		e.ranking.update(e.workers, w)
	}
	if e.tick < e.seenUntil {
		e.line.push(change{e.tick, load, w})
	}
}
