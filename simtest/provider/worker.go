package provider

import (
	"context"
	"errors"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/draws"
)

// worker does one job at a time.
type worker struct {
	*client
	id                   int
	name                 string
	forAcquire, forRetry *draws.Client
	request              acquire.Request
	serve                func(context.Context) // its task in an open loop
	job                  job
	deadline             time.Duration // of the job; 0 is none
	step, attempt        int
	event                Event // the latest, reused
}

// happened starts an event of this worker about what it is working on.
func (w *worker) happened(kind EventKind, at time.Duration) *Event {
	w.event = Event{At: at, Kind: kind, Worker: w.id, Job: w.job.number, Step: w.step, Attempt: w.attempt}
	return &w.event
}

// begin takes a job on; the lock is held.
func (w *worker) begin(j job, now time.Duration) {
	w.job, w.step, w.attempt = j, 0, 0
	w.claimed++
	e := w.happened(JobClaimed, now)
	e.For = now - j.origin
	w.record(e)
}

// perform does the job that was begun. The run is over if it says so.
func (w *worker) perform(ctx context.Context, now time.Duration) (over bool) {
	if patience := w.world.Workload.Patience; patience > 0 {
		w.deadline = w.job.origin + patience
		limited, cancel := w.clk.WithTimeout(ctx, w.deadline-now)
		defer cancel()
		ctx = limited
	}
	done := false
	if w.deadline == 0 || now < w.deadline {
		if done, over = w.doJob(ctx); over {
			return true
		}
	}
	w.endJob(done)
	return false
}

func (w *worker) endJob(done bool) {
	w.lock.lock()
	defer w.lock.unlock()
	now := w.clk.Elapsed()
	e := w.happened(JobFailed, now)
	e.For = now - w.job.origin
	if done {
		e.Kind = JobDone
		w.tally.complete(e.For, w.world.Workload.Horizon-now)
	} else {
		w.tally.jobsFailed++
	}
	w.record(e)
}

// doJob makes the steps of the job, up to the first that fails.
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
	if w.budget != nil {
		w.budget.Operation()
	}
	for w.attempt = 1; ; w.attempt++ {
		err, over := w.doAttempt(ctx)
		if err == nil || over {
			return err == nil, over
		}
		pause, stop := w.afterFailure(err, start)
		if stop != acquire.Go {
			return false, false
		}
		if err := w.clk.Sleep(ctx, pause); err != nil {
			return false, w.over(err)
		}
	}
}

// over reports whether err means that the run is over, and not just the time
// of the job.
func (w *worker) over(err error) bool {
	return w.ctx.Err() != nil || errors.Is(err, clock.ErrStopped)
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
	w.forRetry.At(w.job.number, w.step, w.attempt)
	pause, stop := w.world.Retry.Next(w.attempt, err, now-start, w.forRetry)
	if stop == acquire.Go {
		stop = w.affordable(pause, now)
	}
	if stop == acquire.Go {
		w.tally.retries++
		e.Kind, e.For, e.Err = RetryScheduled, pause, nil
		w.record(e)
	}
	return pause, stop
}

// affordable says whether there is time and budget for a retry, in the order
// of acquire.Do: what comes too late costs no budget.
func (w *worker) affordable(pause, now time.Duration) acquire.Stop {
	if w.deadline > 0 && pause >= w.deadline-now {
		return acquire.OutOfTime
	}
	if w.budget != nil && !w.budget.Retry() {
		return acquire.OverBudget
	}
	return acquire.Go
}

// doAttempt makes the calls of an attempt with one fresh affinity memory, up
// to the first error.
func (w *worker) doAttempt(ctx context.Context) (err error, over bool) {
	w.lock.lock()
	w.tally.attempts++
	w.lock.unlock()
	*w.request.Affinity = acquire.Affinity{}
	w.forAcquire.At(w.job.number, w.step, w.attempt)
	for range w.world.Workload.CallsPerStep {
		if err, over = w.call(ctx); err != nil {
			return err, over
		}
	}
	return nil, false
}

// call leases an endpoint, sends one request there, reports and releases.
func (w *worker) call(ctx context.Context) (err error, over bool) {
	asked := w.clk.Elapsed()
	lease, err := w.algorithm.Acquire(ctx, w.request)
	if err != nil {
		return err, w.over(err)
	}
	defer lease.Release()

	a := w.send(lease.ResourceID(), asked)
	var took time.Duration
	if !a.outcome.Refused() {
		if took, err = w.await(ctx, &a); err != nil && w.over(err) {
			return err, true
		}
	}
	if err == nil {
		err = w.settle(&a)
	}
	out := pool.Outcome{Err: err, Refused: a.outcome.Refused(), Latency: took}
	if out.Refused {
		out.RetryAfter, _ = acquire.RetryAfterOf(err)
	} else if err == nil {
		out.Usage = a.usage
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
	e.Endpoint, e.For = w.service.indexOf(id), now-asked
	w.record(e)

	a := w.service.admit(e.Endpoint, now, &w.job)
	e.Kind, e.Ordinal, e.Outcome, e.For = RequestSent, a.ordinal, a.outcome, a.latency
	w.record(e)
	return a
}

// await waits for the answer to a request, and abandons it when the call's or
// the job's time is over. It returns how long it has waited, and why no longer.
func (w *worker) await(ctx context.Context, a *admission) (time.Duration, error) {
	limit := a.latency
	if t := w.world.Workload.CallTimeout; t > 0 && t < limit {
		limit = t
	}
	err := w.clk.Sleep(ctx, limit)
	switch {
	case err == nil && limit == a.latency:
		return limit, nil
	case err == nil:
		err = timeoutError{}
	case w.over(err):
		return 0, err
	default:
		limit = w.clk.Elapsed() - a.at
	}
	w.abandon(a, limit)
	return limit, err
}

// abandon leaves a request to the provider, which goes on with it.
func (w *worker) abandon(a *admission, after time.Duration) {
	w.lock.lock()
	defer w.lock.unlock()
	w.service.endpoints[a.endpoint].failed++
	e := w.happened(CallAbandoned, a.at+after)
	e.Endpoint, e.Ordinal, e.For = a.endpoint, a.ordinal, after
	w.record(e)
	left := *a
	w.clk.AfterFunc(a.latency-after, func() {
		w.lock.lock()
		defer w.lock.unlock()
		w.service.leave(&left)
	})
}

// settle ends a request whose answer has come.
func (w *worker) settle(a *admission) error {
	w.lock.lock()
	defer w.lock.unlock()
	err := w.service.finish(a)
	if err == nil {
		w.tally.served = append(w.tally.served, a.latency)
	}
	return err
}
