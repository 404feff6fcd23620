package placement

// serve lets every busy worker work for one tick.
func (e *engine) serve() {
	still := e.busy[:0]
	for _, w := range e.busy {
		s := &e.workers[w]
		if s.queued == 0 { // evicted in this tick
			continue
		}
		e.work(w, s.capacity)
		if s.queued > 0 {
			still = append(still, w)
		}
	}
	e.busy = still
}

// work spends a budget of work units on a worker's queue, first come first
// served.
func (e *engine) work(w int32, budget int64) {
	s := &e.workers[w]
	for load := s.load; ; {
		id := s.first
		t := &e.tasks[id]
		if t.started == 0 {
			t.started = e.tick
		}
		done := min(budget, t.remaining)
		t.remaining -= done
		budget -= done
		load -= done
		s.processed += done
		e.counts.processed += done
		if t.remaining == 0 {
			s.first = t.next
			s.queued--
			e.complete(id, w)
		}
		if s.queued == 0 || budget == 0 {
			e.setLoad(w, load)
			return
		}
	}
}

func (e *engine) complete(id, w int32) {
	t := &e.tasks[id]
	t.completed = e.tick + 1
	arrival := e.trace.Tasks[id].Arrival
	e.counts.completed++
	e.counts.wait.add(int64(t.started-arrival), 1)
	e.counts.response.add(int64(t.completed-arrival), 1)
	e.log(Completed, id, w)
	if e.observe != nil {
		e.observe(Event{Tick: e.tick, Kind: Completed, Task: int(id), Worker: int(w)})
	}
}
