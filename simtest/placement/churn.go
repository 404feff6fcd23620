package placement

// fail begins an outage: it makes the worker's queue pending again.
func (e *engine) fail(o *Outage) {
	w := int32(o.Worker)
	s := &e.workers[w]
	s.down++
	e.counts.offline += s.capacity
	from := len(e.evicted)
	for id := s.first; s.queued > 0; s.queued-- {
		e.evict(id, w)
		id = e.tasks[id].next
	}
	if from < len(e.evicted) {
		e.recoveries = append(e.recoveries, recovery{e.tick, from, len(e.evicted)})
	}
	e.setLoad(w, 0)
}

func (e *engine) evict(id, w int32) {
	t := &e.tasks[id]
	lost := int64(0)
	if e.settings.RestartOnChurn {
		lost = int64(e.trace.Tasks[id].Work) - t.remaining
		t.remaining += lost
	}
	e.counts.lost += lost
	e.counts.requeued++
	e.evicted = append(e.evicted, id)
	e.pending = append(e.pending, id)
	e.log(Evicted, id, w)
	if e.observe != nil {
		e.observe(Event{Tick: e.tick, Kind: Evicted, Task: int(id), Worker: int(w), Lost: int(lost)})
	}
}

// restore ends an outage.
func (e *engine) restore(o *Outage) {
	w := int32(o.Worker)
	s := &e.workers[w]
	s.down--
	e.counts.offline -= s.capacity
	e.setLoad(w, s.load)
}

// tallyRecoveries tallies, over outages that evicted tasks and of which all
// those were completed, the ticks until the last of them was.
func (e *engine) tallyRecoveries() {
outages:
	for _, r := range e.recoveries {
		last := 0
		for _, id := range e.evicted[r.from:r.to] {
			completed := e.tasks[id].completed
			if completed == 0 {
				continue outages
			}
			last = max(last, completed)
		}
		e.counts.recovery.add(int64(last-r.tick), 1)
	}
}
