package acquire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// Options say how Do gets leases and what it does about failures.
type Options struct {
	// Request is handed to the algorithm at every attempt.
	Request
	// Algorithm gets the leases; nil is wait.
	Algorithm Algorithm
	// Retry decides what follows a failed attempt; zero is one attempt only.
	Retry Retry
	// Budget limits the retries of all callers that share it; nil does not.
	Budget *Budget
}

// Call uses a leased resource once. It returns what it used, by unit, or nil.
// It need not report or release, and must not keep the lease.
type Call func(ctx context.Context, lease *pool.Lease) (usage map[string]float64, err error)

// Do gets a lease, makes the call, reports its outcome to the pool, and releases
// the lease, again and again until a call succeeds or o.Retry ends it, waiting
// in between on the pool's clock, without a lease. It returns nil or, given a
// pool, a *GiveUpError.
//
// ctx limits all of it: Do does not begin a wait that would not end before
// ctx's deadline (an instant of the pool's clock), but fails at once; and
// nothing is tried again after a cancellation.
//
// The lease is released even if call panics. A panic and a cancellation say
// nothing about the resource, so they are not reported; every other error is, a
// missed deadline and a fatal answer included (a revoked key gives those).
func Do(ctx context.Context, o Options, call Call) error {
	if o.Pool == nil {
		return errors.New("acquire: field Request.Pool: must not be nil: Do needs its clock")
	}
	if o.Algorithm == nil {
		o.Algorithm = wait{}
	}
	if o.Budget != nil {
		o.Budget.Operation()
	}
	clk := o.Pool.Clock()
	began := clk.Elapsed()
	e := &GiveUpError{}
	for {
		e.Attempts, e.Delay = e.Attempts+1, 0
		called, err := o.attempt(ctx, call)
		if err == nil {
			return nil
		}
		e.Elapsed = clk.Elapsed() - began
		e.note(called, err)
		if err := ctx.Err(); err != nil {
			return e.stop(endOf(err), err)
		}
		if !called && errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrTimeout) {
			return e.stop(OutOfTime, err) // the algorithm saw that ctx's deadline cannot be met
		}
		delay, stop := o.Retry.Next(e.Attempts, err, e.Elapsed, o.Rand)
		e.Delay = delay
		if stop == OutOfTime {
			return e.stop(stop, context.DeadlineExceeded)
		}
		if stop != Go {
			return e.stop(stop, nil)
		}
		if deadline, ok := ctx.Deadline(); ok && deadline.Sub(clk.Now()) <= delay {
			return e.stop(OutOfTime, context.DeadlineExceeded)
		}
		if o.Budget != nil && !o.Budget.Retry() {
			return e.stop(OverBudget, nil)
		}
		if err := clk.Sleep(ctx, delay); err != nil {
			e.Elapsed = clk.Elapsed() - began
			return e.stop(endOf(err), err)
		}
	}
}

// attempt makes one attempt. called tells an error of call from one of the
// acquisition.
func (o *Options) attempt(ctx context.Context, call Call) (called bool, err error) {
	lease, err := o.Algorithm.Acquire(ctx, o.Request)
	if err != nil {
		return false, err
	}
	defer lease.Release()
	clk := o.Pool.Clock()
	began := clk.Elapsed()
	usage, err := call(ctx, lease)
	class := Unknown
	if err != nil {
		class = Classify(err)
	}
	if class != Canceled {
		wait, _ := RetryAfterOf(err)
		lease.Report(pool.Outcome{
			Err: err, Refused: class == RateLimit, RetryAfter: wait,
			Latency: clk.Elapsed() - began, Usage: usage,
		})
	}
	return true, err
}

// endOf is the reason to stop when ctx, or the clock, has ended with err.
func endOf(err error) Stop {
	if errors.Is(err, context.DeadlineExceeded) {
		return OutOfTime
	}
	return Abandoned
}

// GiveUpError says why Do stopped. It wraps the error of the last call, and the
// cause, so that errors.Is finds both what the provider said and, say,
// context.DeadlineExceeded.
type GiveUpError struct {
	Stop     Stop
	Attempts int           // attempts made, the first one included
	Elapsed  time.Duration // since Do began, on the pool's clock
	Delay    time.Duration // the wait before the next attempt that was not waited for

	// Last is the error of the last call that was made; nil if there was none.
	Last error
	// Cause is what ended the matter if it is not Last: the failed
	// acquisition, the deadline, the cancellation. Otherwise nil.
	Cause error
}

// note remembers the error of an attempt: that of a call as the provider's last
// word, that of an acquisition as the cause if nothing follows.
func (e *GiveUpError) note(called bool, err error) {
	if called {
		e.Last, e.Cause = err, nil
	} else {
		e.Cause = err
	}
}

// stop ends the matter. A cause that the errors so far tell already is not
// told twice.
func (e *GiveUpError) stop(s Stop, cause error) error {
	e.Stop = s
	switch {
	case cause == nil || errors.Is(e, cause):
	case e.Cause != nil:
		e.Cause = fmt.Errorf("%w: %w", cause, e.Cause)
	default:
		e.Cause = cause
	}
	return e
}

// Error says why it stopped, after how many attempts, and both errors.
func (e *GiveUpError) Error() string {
	s := fmt.Sprintf("acquire: gave up after attempt %d, %v: %v", e.Attempts, e.Elapsed, e.Stop)
	switch e.Stop {
	case OutOfTime, TooLong:
		if e.Delay > 0 {
			s += fmt.Sprintf(" (the next attempt would be in %v)", e.Delay)
		}
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	if e.Last != nil {
		s += ": last error: " + e.Last.Error()
	}
	return s
}

// Unwrap returns Last and Cause, those that are set.
func (e *GiveUpError) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Last, e.Cause} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
