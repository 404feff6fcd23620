package provider

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/draws"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// client is the closed loop in one run: what its workers share.
type client struct {
	world     *World
	clk       clock.Clock
	pool      *pool.Pool
	pools     map[string]*pool.Pool // the same, for algorithms that name pools
	algorithm acquire.Algorithm
	service   *service
	hooks     hooks

	lock    lock
	digest  experiment.Digest
	tally   tally
	nextJob int
	ended   time.Duration // when the latest worker stopped
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
	e.fold(&c.digest)
	if c.hooks.event != nil {
		c.hooks.event(e)
	}
}

// start starts all workers, in order, as tasks of the clock.
func (c *client) start(ctx context.Context, seed uint64) {
	c.tally.grow(&c.world.Workload)
	for i := range c.world.Workload.Concurrency {
		w := &worker{client: c, id: i,
			forAcquire: c.clientDraws(seed, "acquire"),
			forRetry:   c.clientDraws(seed, "retry"),
		}
		name := fmt.Sprintf("worker-%d", i)
		w.request = acquire.Request{
			Pool: c.pool, Pools: c.pools, Query: pool.Query{Holder: name},
			Affinity: new(acquire.Affinity), Rand: w.forAcquire,
		}
		c.clk.Go(ctx, name, w.run)
	}
}

// clientDraws makes a worker's stream for a purpose.
func (c *client) clientDraws(seed uint64, purpose string) *draws.Client {
	stream := draws.NewClient
	if c.world.Draws == PythonDraws {
		stream = draws.NewPythonClient
	}
	d := stream(seed, purpose)
	if c.hooks.drawn != nil {
		d.Watch(func(job, step, attempt int, number float64) {
			c.hooks.drawn(fmt.Sprintf("%s job %d step %d attempt %d", purpose, job, step, attempt), number)
		})
	}
	return d
}

// worker claims jobs one after the other until there are none, or until the
// horizon.
type worker struct {
	*client
	id                   int
	forAcquire, forRetry *draws.Client
	request              acquire.Request
	job, step, attempt   int
	event                Event // the latest, reused
}

// happened starts an event of this worker about what it is working on.
func (w *worker) happened(kind EventKind, at time.Duration) *Event {
	w.event = Event{At: at, Kind: kind, Worker: w.id, Job: w.job, Step: w.step, Attempt: w.attempt}
	return &w.event
}

func (w *worker) run(ctx context.Context) {
	for {
		claimed := w.clk.Elapsed()
		if !w.claim(claimed) {
			return
		}
		done, over := w.doJob(ctx)
		if over {
			return
		}
		w.endJob(done, claimed)
	}
}

func (w *worker) claim(now time.Duration) bool {
	w.lock.lock()
	defer w.lock.unlock()
	if w.nextJob >= w.world.Workload.Jobs || now >= w.world.Workload.Horizon {
		w.ended = max(w.ended, now)
		return false
	}
	w.job, w.step, w.attempt = w.nextJob, 0, 0
	w.nextJob++
	w.record(w.happened(JobClaimed, now))
	return true
}

func (w *worker) endJob(done bool, claimed time.Duration) {
	w.lock.lock()
	defer w.lock.unlock()
	now := w.clk.Elapsed()
	e := w.happened(JobFailed, now)
	e.For = now - claimed
	if done {
		e.Kind = JobDone
		w.tally.jobs = append(w.tally.jobs, e.For)
	} else {
		w.tally.jobsFailed++
	}
	w.record(e)
}

// doJob makes the steps of the claimed job, up to the first that fails.
func (w *worker) doJob(ctx context.Context) (done, over bool) {
	for w.step = range w.world.Workload.StepsPerJob {
		if done, over = w.doStep(ctx); !done {
			return false, over
		}
	}
	return true, false
}

// doStep makes attempts until one succeeds or the policy gives up.
func (w *worker) doStep(ctx context.Context) (done, over bool) {
	start := w.clk.Elapsed()
	w.lock.lock()
	w.tally.steps++
	w.lock.unlock()
	for w.attempt = 1; ; w.attempt++ {
		err, over := w.doAttempt(ctx)
		if err == nil || over {
			return err == nil, over
		}
		pause, stop := w.afterFailure(err, start)
		if stop != acquire.Go {
			return false, false
		}
		if w.clk.Sleep(ctx, pause) != nil {
			return false, true
		}
	}
}

// afterFailure decides and counts what follows a failed attempt.
func (w *worker) afterFailure(err error, start time.Duration) (time.Duration, acquire.Stop) {
	w.lock.lock()
	defer w.lock.unlock()
	now := w.clk.Elapsed()
	w.tally.failedAttempts++
	w.tally.classes[acquire.Classify(err)]++
	e := w.happened(AttemptFailed, now)
	e.Err = err
	w.record(e)
	w.forRetry.At(w.job, w.step, w.attempt)
	pause, stop := w.world.Retry.Next(w.attempt, err, now-start, w.forRetry)
	if stop == acquire.Go {
		w.tally.retries++
		e.Kind, e.For, e.Err = RetryScheduled, pause, nil
		w.record(e)
	}
	return pause, stop
}

// doAttempt makes the calls of an attempt with one fresh affinity memory, up
// to the first error.
func (w *worker) doAttempt(ctx context.Context) (err error, over bool) {
	w.lock.lock()
	w.tally.attempts++
	w.lock.unlock()
	*w.request.Affinity = acquire.Affinity{}
	w.forAcquire.At(w.job, w.step, w.attempt)
	for range w.world.Workload.CallsPerStep {
		if err, over = w.call(ctx); err != nil {
			return err, over
		}
	}
	return nil, false
}

// oneToken is the usage that a served request reports.
var oneToken = map[string]float64{"tokens": 1}

// call leases an endpoint, sends one request there, reports and releases.
func (w *worker) call(ctx context.Context) (err error, over bool) {
	asked := w.clk.Elapsed()
	lease, err := w.algorithm.Acquire(ctx, w.request)
	if err != nil {
		return err, ctx.Err() != nil || errors.Is(err, clock.ErrStopped)
	}
	defer lease.Release()

	a := w.send(lease.ResourceID(), asked)
	if !a.outcome.Refused() && w.clk.Sleep(ctx, a.latency) != nil {
		return clock.ErrStopped, true
	}
	w.lock.lock()
	err = w.service.finish(a)
	if err == nil {
		w.tally.served = append(w.tally.served, a.latency)
	}
	w.lock.unlock()

	out := pool.Outcome{Err: err, Refused: a.outcome.Refused(), Latency: a.latency}
	if out.Refused {
		out.RetryAfter, _ = acquire.RetryAfterOf(err)
	} else if err == nil {
		out.Usage = oneToken
	}
	lease.Report(out)
	return err, false
}

// send puts a request to the endpoint that was leased.
func (w *worker) send(id string, asked time.Duration) admission {
	w.lock.lock()
	defer w.lock.unlock()
	now := w.clk.Elapsed()
	w.tally.waits = append(w.tally.waits, now-asked)
	e := w.happened(LeaseGranted, now)
	e.Endpoint, e.For = w.service.byID[id], now-asked
	w.record(e)

	a := w.service.admit(e.Endpoint, now)
	e.Kind, e.Ordinal, e.Outcome, e.For = RequestSent, a.ordinal, a.outcome, a.latency
	w.record(e)
	return a
}
