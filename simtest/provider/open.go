package provider

import (
	"context"
	"time"
)

// openLoop is the state of an open loop: the jobs that arrived and wait for a
// place, and the workers of those that are in progress. A worker stands for a
// place, not for a person: there are as many as were ever needed at once.
type openLoop struct {
	arrivals *arrivals
	told     int           // arrivals that are known
	last     time.Duration // when the latest of them comes
	size     float64       // and its size
	line     []job         // first come, first served
	idle     []*worker     // the latest to become idle goes first
	workers  int
	busy     int
}

// startOpen starts the task from which all jobs come.
func (c *client) startOpen() {
	l := &c.world.Workload
	c.open.arrivals = newArrivals(l.Arrivals, l.Horizon, c.seed)
	c.clk.Go(c.ctx, "arrivals", c.arrive)
}

// arrive starts each job at the instant of its arrival.
func (c *client) arrive(ctx context.Context) {
	for o := &c.open; o.next(&c.world.Workload); {
		if pause := o.last - c.clk.Elapsed(); pause > 0 && c.clk.Sleep(ctx, pause) != nil {
			return
		}
		number := o.told - 1
		c.arrived(job{number: number, origin: o.last, size: o.size, key: c.keyOf(number)})
	}
	c.lock.lock()
	defer c.lock.unlock()
	c.ended = max(c.ended, c.clk.Elapsed())
}

// next makes one more arrival known, if there is one before the horizon.
func (o *openLoop) next(l *Workload) bool {
	if o.told == l.Jobs {
		return false
	}
	at, size, ok := o.arrivals.next()
	if !ok {
		return false
	}
	o.told, o.last, o.size = o.told+1, at, size
	return true
}

// arrived gives a job to an idle worker, or lets it wait, or drops it.
func (c *client) arrived(j job) {
	c.lock.lock()
	defer c.lock.unlock()
	if c.hooks.job != nil {
		c.hooks.job(j)
	}
	c.tally.arrive(c.world.Workload.Horizon - j.origin)
	if most := c.world.Workload.Concurrency; most > 0 && c.open.busy == most {
		if c.world.Workload.Arrivals.Drop {
			c.tally.dropped++
			c.tally.jobsFailed++
			c.record(&Event{At: c.clk.Elapsed(), Kind: JobDropped, Job: j.number})
			return
		}
		c.open.line = append(c.open.line, j)
		return
	}
	c.open.busy++
	w := c.idleWorker()
	w.begin(j, c.clk.Elapsed())
	c.clk.Go(c.ctx, w.name, w.serve)
}

func (c *client) idleWorker() *worker {
	if n := len(c.open.idle); n > 0 {
		w := c.open.idle[n-1]
		c.open.idle = c.open.idle[:n-1]
		return w
	}
	w := c.newWorker(c.open.workers)
	w.serve = w.work
	c.open.workers++
	return w
}

// work does the job that the worker was given, and then those that wait.
func (w *worker) work(ctx context.Context) {
	for {
		if w.perform(ctx, w.clk.Elapsed()) || !w.nextInLine(w.clk.Elapsed()) {
			return
		}
	}
}

// nextInLine begins the job that has waited longest, or makes the worker idle.
func (w *worker) nextInLine(now time.Duration) bool {
	w.lock.lock()
	defer w.lock.unlock()
	if len(w.open.line) == 0 {
		w.open.busy--
		w.open.idle = append(w.open.idle, w)
		w.ended = max(w.ended, now)
		return false
	}
	w.begin(w.open.line[0], now)
	w.open.line = w.open.line[1:]
	return true
}
