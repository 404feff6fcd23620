package placement

import (
	"context"
	"fmt"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/pyrand"
)

// worker is the state of a worker. It fits into one cache line, since in a
// large world every look at one is a cache miss.
type worker struct {
	capacity  int64
	load      int64   // work that remains in the queue
	ratio     float64 // load relative to capacity; kept for the oracle only
	able      uint64  // capabilities, one bit each, as far as they are numbered below 64
	seen      int64   // the load that local policies see, if that is not the live one
	processed int64
	first     int32 // queue of tasks, linked by task.next
	last      int32
	queued    int32
	down      int8 // outages that are on now: 0 or 1
	seenDown  int8 // the same as local policies see it
}

// task is the state of a task.
type task struct {
	remaining  int64
	started    int // tick of the first service ever; it is never 0, which stands for none
	completed  int // end of the tick of the last service; the same
	capability int32
	next       int32 // in the queue of its worker
}

// recovery is an outage that evicted tasks[from:to] of engine.evicted.
type recovery struct {
	tick     int
	from, to int
}

// engine is the state of one run.
type engine struct {
	trace    *Trace
	settings Settings
	policy   policy
	observe  func(Event)

	directory *directory
	calendar  *calendar
	random    pyrand.Rand
	ranking   *tournament // for the oracle only

	tick     int // the current one; at the end: how many there were
	workers  []worker
	tasks    []task
	arrivals []int32 // tasks that have not arrived yet, by tick
	pending  []int32 // tasks to be routed, in order
	busy     []int32 // workers with a queue, in no particular order

	now, observed page // of the calendar: the present, and what local policies see
	line          delayLine
	seenUntil     int  // loads from this tick on will be seen by nobody before the horizon, or are seen at once
	fresh         bool // local policies see live loads in this tick

	evicted    []int32
	recoveries []recovery
	counts     counts
	digest     experiment.Digest
}

// counts are the sums that the metrics are made of.
type counts struct {
	completed, requeued        int64
	attempts, probes           int64
	outcomes                   [Mismatch + 1]int64
	elsewhere                  int64 // assigned outside of the preferred zone
	processed, lost, potential int64 // work units
	capacity, offline          int64 // of all workers, and of those offline now
	maxPending                 int64
	wait, response, queue      tally
	recovery                   tally
}

func newEngine(t *prepared, p policy, s Settings) *engine {
	e := &engine{trace: t.Trace, policy: p, settings: s,
		directory: t.directory,
		calendar:  t.calendar,
		workers:   make([]worker, len(t.Workers)),
		tasks:     make([]task, len(t.Tasks)),
		arrivals:  t.arrivals,
	}
	if s.LoadLag > 0 && !p.global {
		e.seenUntil = max(1, t.Ticks+s.Drain-s.LoadLag) // the end of tick 0 is seen with any lag
	}
	e.random.Seed(s.PolicySeed)
	for i := range e.workers {
		capacity := int64(t.Workers[i].Capacity)
		e.workers[i] = worker{capacity: capacity, able: e.directory.bits(int32(i))}
		e.counts.capacity += capacity
	}
	if p.global {
		e.ranking = newTournament(e.directory, e.workers)
	}
	return e
}

// finish makes the run and returns its result.
func (e *engine) finish(ctx context.Context) (*Result, error) {
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	return e.result(), nil
}

// run executes ticks until everything is done, or the horizon is reached. A
// stretch without any work is one step.
func (e *engine) run(ctx context.Context) error {
	horizon := e.trace.Ticks + e.settings.Drain
	since := 0 // events since ctx was asked
	for e.tick < horizon {
		if len(e.pending) == 0 && len(e.busy) == 0 {
			if e.tick >= e.trace.Ticks {
				break
			}
			if e.skip() {
				continue
			}
		}
		if since += 1 + len(e.busy) + len(e.pending); since > 4096 {
			if since = 0; ctx.Err() != nil {
				return e.stopped(ctx)
			}
		}
		e.turn()
		e.serve()
		e.arrive()
		if err := e.route(ctx); err != nil {
			return err
		}
		e.sample(1)
		e.tick++
	}
	e.tallyRecoveries()
	return e.checkLaws()
}

// stopped says how far the run came.
func (e *engine) stopped(ctx context.Context) error {
	return fmt.Errorf("placement: policy %q: stopped at tick %d of at most %d, with %d of %d tasks completed after %d routing attempts; fewer ticks, tasks or workers take less time: %w",
		e.policy.name, e.tick, e.trace.Ticks+e.settings.Drain, e.counts.completed, len(e.tasks), e.counts.attempts, context.Cause(ctx))
}

// skip passes over ticks in which nothing happens, and reports whether there
// were any.
func (e *engine) skip() bool {
	next := e.calendar.next(e.now, e.trace.Ticks)
	if len(e.arrivals) > 0 {
		next = min(next, e.trace.Tasks[e.arrivals[0]].Arrival)
	}
	idle := next - e.tick
	if idle <= 0 {
		return false
	}
	e.counts.potential += int64(idle) * (e.counts.capacity - e.counts.offline)
	e.sample(idle)
	e.tick = next
	return true
}

// turn brings outages up to date, the real ones and those that local policies
// know of, and what those know of loads.
func (e *engine) turn() {
	e.calendar.turn(&e.now, e.tick, e.fail, e.restore)
	e.counts.potential += e.counts.capacity - e.counts.offline

	past := max(0, e.tick-e.settings.AvailabilityLag)
	e.calendar.turn(&e.observed, past,
		func(o *Outage) { e.workers[o.Worker].seenDown++ },
		func(o *Outage) { e.workers[o.Worker].seenDown-- })
	if e.fresh = e.settings.LoadLag == 0 || e.tick == 0; !e.fresh {
		e.line.arrive(max(0, e.tick-e.settings.LoadLag), e.workers)
	}
}

// sample takes the statistics of so many equal ticks.
func (e *engine) sample(ticks int) {
	longest := int32(0)
	for _, w := range e.busy {
		longest = max(longest, e.workers[w].queued)
	}
	e.counts.queue.add(int64(longest), int64(ticks))
	e.counts.maxPending = max(e.counts.maxPending, int64(len(e.pending)))
	e.log(TickEnded, longest, int32(len(e.pending)))
	e.digest.Add(uint64(ticks))
	if e.observe != nil {
		e.observe(Event{Tick: e.tick, Kind: TickEnded, Task: none, Worker: none, Ticks: ticks, Queue: int(longest), Pending: len(e.pending)})
	}
}
