package oracle_test

import (
	"context"
	"slices"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/draws"
)

// counter is a queue for what the provider's world cannot express: one server,
// a pool of capacity one, with any order of service, and with draws that may
// depend on the order in which they are made. Jobs are tasks on the virtual
// clock.
type counter struct {
	gap, need func(job int) float64 // seconds before its arrival, and of service
	pick      func(n int) int       // which of n who wait, in order of arrival, is next

	clk     *clock.Virtual
	pool    *pool.Pool
	waiting []clock.Waiter
	waits   []time.Duration // in the order of service
	times   time.Duration   // in the system, summed
}

// who says what the jobs wait for.
type who string

func (w who) String() string { return string(w) }

// run lets so many jobs through.
func (c *counter) run(ctx context.Context, jobs int) error {
	c.clk = clock.NewVirtual(clock.VirtualOptions{})
	var err error
	if c.pool, err = pool.New("counter", c.clk, pool.Options{}); err != nil {
		return err
	}
	if err := c.pool.Publish(pool.Resource{ID: "server", Capacity: 1}); err != nil {
		return err
	}
	var failed error
	err = c.clk.Run(ctx, func(ctx context.Context) {
		for job := range jobs {
			c.clk.Sleep(ctx, seconds(c.gap(job)))
			c.clk.Go(ctx, "job", func(ctx context.Context) {
				if err := c.serve(ctx, job); err != nil && failed == nil {
					failed = err
				}
			})
		}
	})
	if err == nil {
		err = failed
	}
	return err
}

func (c *counter) serve(ctx context.Context, job int) error {
	came := c.clk.Elapsed()
	lease, err := c.pool.TryAcquire(ctx, pool.Query{})
	if err != nil {
		w := c.clk.NewWaiter(who("the server"))
		c.waiting = append(c.waiting, w)
		if err := w.Park(ctx); err != nil {
			return err
		}
		// Whoever woke this task has just released the lease.
		if lease, err = c.pool.TryAcquire(ctx, pool.Query{}); err != nil {
			return err
		}
	}
	c.waits = append(c.waits, c.clk.Elapsed()-came)
	err = c.clk.Sleep(ctx, seconds(c.need(job)))
	c.times += c.clk.Elapsed() - came
	lease.Release()
	if n := len(c.waiting); n > 0 {
		i := c.pick(n)
		next := c.waiting[i]
		c.waiting = slices.Delete(c.waiting, i, i+1)
		next.Wake()
	}
	return err
}

func seconds(x float64) time.Duration { return time.Duration(x * 1e9) }

// exponential returns draws that belong to the job, whoever asks and when.
func exponential(seed uint64, stream string, mean float64) func(job int) float64 {
	key := draws.Of(seed, stream)
	return func(job int) float64 {
		s := key.With(uint64(job)).Stream()
		return mean * s.Exponential()
	}
}
