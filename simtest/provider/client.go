package provider

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/draws"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// client is the client's side of one run: what its workers share.
type client struct {
	world     *World
	seed      uint64
	clk       clock.Clock
	vendors   []*pool.Pool          // in order; the first is what algorithms are for
	pools     map[string]*pool.Pool // the same, for algorithms that name pools
	algorithm acquire.Algorithm
	service   *service
	budget    *acquire.Budget // or nil
	hooks     hooks
	ctx       context.Context // of the run

	lock    lock
	digest  experiment.Digest
	tally   tally
	claimed int           // jobs that were begun
	ended   time.Duration // when the latest worker stopped
	latest  time.Duration // when something happened last
	changes int           // of the world's, that have been made
	failure error         // of a change that could not be made
	open    openLoop
	derived
	exogenous
}

// lock is a mutex that costs nothing on a clock that runs one task at a time.
type lock struct {
	mu     sync.Mutex
	needed bool
}

func (l *lock) lock() {
	if l.needed {
		l.mu.Lock()
	}
}

func (l *lock) unlock() {
	if l.needed {
		l.mu.Unlock()
	}
}

// record takes down what happened; the lock is held.
func (c *client) record(e *Event) {
	c.latest = e.At
	e.fold(&c.digest)
	if c.hooks.event != nil {
		c.hooks.event(e)
	}
}

// exogenous is what the world rolls for jobs, whoever does them.
type exogenous struct{ thinks, keys draws.Key }

// keyOf returns the affinity key of a job.
func (c *client) keyOf(number int) int {
	if c.popularity == nil {
		return 0
	}
	s := c.keys.With(uint64(number)).Stream()
	return c.popularity.Rank(s.Float64())
}

// thinking returns the pause after a job.
func (c *client) thinking(mean time.Duration, number int) time.Duration {
	s := c.thinks.With(uint64(number)).Stream()
	return nanoseconds(float64(seconds(mean) * s.Exponential()))
}

// start starts the run's tasks, in order.
func (c *client) start(ctx context.Context) {
	c.ctx = ctx
	c.tally.grow(&c.world.Workload)
	c.exogenous = exogenous{thinks: draws.Of(c.seed, "think"), keys: draws.Of(c.seed, "key")}
	c.scheduleChanges()
	if c.world.Workload.Arrivals != nil {
		c.startOpen()
		return
	}
	for i := range c.world.Workload.Concurrency {
		w := c.newWorker(i)
		c.clk.Go(ctx, w.name, w.loop)
	}
}

func (c *client) newWorker(id int) *worker {
	w := &worker{
		client: c, id: id, name: fmt.Sprintf("worker-%d", id),
		forAcquire: c.clientDraws("acquire"), forRetry: c.clientDraws("retry"),
	}
	w.request = acquire.Request{
		Pool: c.vendors[0], Pools: c.pools, Query: pool.Query{Holder: w.name},
		Affinity: new(acquire.Affinity), Rand: w.forAcquire,
	}
	return w
}

// clientDraws makes a worker's stream for a purpose.
func (c *client) clientDraws(purpose string) *draws.Client {
	stream := draws.NewClient
	if c.world.Draws == PythonDraws {
		stream = draws.NewPythonClient
	}
	d := stream(c.seed, purpose)
	if c.hooks.drawn != nil {
		d.Watch(func(job, step, attempt int, number float64) {
			c.hooks.drawn(fmt.Sprintf("%s job %d step %d attempt %d", purpose, job, step, attempt), number)
		})
	}
	return d
}
