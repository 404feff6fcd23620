package placement

import (
	"fmt"
	"math/big"
	"math/rand/v2"
)

// market is the supermarket model in continuous time: Poisson arrivals at rate
// lambda per worker, exponential service at rate 1. The tick model cannot
// express it, since its service times are known and its loads are work; but its
// parts can: routing and service here are those of the engine, with tasks of
// one unit of work, so that a load is a number of tasks. A step is an event of
// the uniformized process: an arrival with probability lambda/(1+lambda), else
// the end of a service at a random worker, if that is busy.
type market struct {
	e      *engine
	r      *rand.Rand
	lambda float64
	next   int32

	// refreshed tells after how many steps the loads that policies see are
	// taken anew; 0: they are always live.
	refreshed int
	// views are what each client sees; empty: they all see the same.
	views [][]int64
	// forgets is a bug: a worker's load as it is seen changes only when the
	// worker is given a task, and not when it completes one.
	forgets bool
}

func newMarket(workers, tasks int, lambda float64, choices int, seed uint64) *market {
	t := &Trace{Seed: big.NewInt(0), Ticks: 1, Tasks: make([]Task, tasks)}
	for i := range workers {
		t.Workers = append(t.Workers, Worker{ID: fmt.Sprint(i), Capacity: 1, Capabilities: []string{"any"}})
	}
	m := &market{
		e:      newEngine(prepareValid(t), policy{choices: choices}, Settings{PolicySeed: new(big.Int).SetUint64(seed)}),
		r:      rand.New(rand.NewPCG(seed, 7)),
		lambda: lambda,
	}
	m.e.fresh = true
	return m
}

// meanTime runs until all tasks have arrived and returns the mean time in
// system, the first tenth of the tasks left out.
func (m *market) meanTime() float64 {
	e, tasks := m.e, int32(len(m.e.tasks))
	e.fresh = m.refreshed == 0 && !m.forgets
	var to int
	e.observe = func(ev Event) { to = ev.Worker }
	for m.next < tasks {
		if m.refreshed > 0 && e.tick%m.refreshed == 0 {
			m.refresh()
		}
		if m.r.Float64() < m.lambda/(1+m.lambda) {
			if m.next == tasks/10 {
				e.counts.response = tally{}
			}
			e.trace.Tasks[m.next].Arrival = e.tick
			e.tasks[m.next].remaining = 1
			view := m.look()
			e.attempt(m.next)
			if view != nil {
				view[to]++
			}
			if m.forgets {
				e.workers[to].seen = e.workers[to].load
			}
			m.next++
		} else if w := m.r.IntN(len(e.workers)); e.workers[w].queued > 0 {
			e.work(int32(w), 1)
		}
		e.tick++
	}
	perUnit := float64(len(e.workers)) * (1 + m.lambda) // steps per unit of time
	return (e.counts.response.mean().value - 1) / perUnit
}

// look lets one of the clients see its own view, and returns that.
func (m *market) look() []int64 {
	if len(m.views) == 0 {
		return nil
	}
	view := m.views[m.r.IntN(len(m.views))]
	for w := range m.e.workers {
		m.e.workers[w].seen = view[w]
	}
	return view
}

func (m *market) refresh() {
	for w := range m.e.workers {
		s := &m.e.workers[w]
		s.seen = s.load
		for _, view := range m.views {
			view[w] = s.load
		}
	}
}
