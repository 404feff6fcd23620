package acquire_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// What the pool hears of a call: failures, refusals with their Retry-After,
// latency and usage.
func TestDoReports(t *testing.T) {
	type heard struct {
		state    pool.State
		until    time.Duration
		failures int
		latency  time.Duration
		tokens   float64
	}
	for _, c := range []struct {
		name string
		err  error
		want heard
	}{
		{"a success", nil, heard{latency: time.Second, tokens: 7}},
		{"a failure", vendor{503}, heard{latency: time.Second, failures: 1, tokens: 7}},
		{"a refusal", refusal(time.Minute), heard{latency: time.Second, state: pool.Degraded, until: 61 * time.Second, tokens: 7}},
		{"a missed deadline", context.DeadlineExceeded, heard{latency: time.Second, failures: 1, tokens: 7}},
		{"a cancellation, which is nobody's failure", context.Canceled, heard{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulate(t, func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
				err := acquire.Do(ctx, acquire.Options{Request: request(p)},
					func(ctx context.Context, lease *pool.Lease) (map[string]float64, error) {
						clk.Sleep(ctx, time.Second)
						return map[string]float64{"tokens": 7}, c.err
					})
				if !errors.Is(err, c.err) {
					t.Errorf("Do = %v, want %v in it", err, c.err)
				}
				s := p.Snapshot()[0]
				got := heard{s.State, s.Until, s.Failures, s.Latency, s.Used["tokens"]}
				if got != c.want || s.Active != 0 {
					t.Errorf("the pool heard %+v, want %+v; %d leases out", got, c.want, s.Active)
				}
			})
		})
	}
}

// The lease goes back however the call ends, and so does its panic.
func TestDoReleasesWhenTheCallPanics(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		func() {
			defer func() {
				if v := recover(); v != "callee" {
					t.Errorf("recovered %v, want the callee's panic", v)
				}
			}()
			acquire.Do(ctx, retryingIn(p, 9), func(context.Context, *pool.Lease) (map[string]float64, error) {
				panic("callee")
			})
		}()
		if s := p.Snapshot()[0]; s.Active != 0 || s.Failures != 0 {
			t.Errorf("after the panic: %+v; want no lease out, and no failure counted", s)
		}
	})
}

func retryingIn(p *pool.Pool, n int) acquire.Options {
	o := retrying(n)
	o.Pool = p
	return o
}

// While Do waits for the next attempt, others can have the resource.
func TestDoHoldsNothingBetweenAttempts(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		for _, at := range []time.Duration{500 * ms, 2500 * ms} { // calls at 0, 1 and 3 s
			clk.AfterFunc(at, func() {
				lease, err := p.TryAcquire(ctx, pool.Query{})
				if err != nil {
					t.Errorf("at %v: %v", at, err)
				}
				lease.Release()
			})
		}
		calls := 0
		err := acquire.Do(ctx, retryingIn(p, 3), func(context.Context, *pool.Lease) (map[string]float64, error) {
			if calls++; calls < 3 {
				return nil, vendor{500}
			}
			return nil, nil
		})
		if err != nil || clk.Elapsed() != 3*time.Second {
			t.Errorf("at %v: %v, want success at 3s", clk.Elapsed(), err)
		}
	})
}

// The last provider error survives an acquisition that fails after it.
func TestDoKeepsTheProvidersLastWord(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		clk.AfterFunc(500*ms, func() { hold(t, p, "a") }) // somebody else, for ever
		ctx, cancel := clk.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		err := acquire.Do(ctx, retryingIn(p, 9), failing(vendor{500}))
		if !errors.Is(err, vendor{500}) || !errors.Is(err, context.DeadlineExceeded) || clk.Elapsed() != 5*time.Second {
			t.Errorf("at %v: %v; want, at 5s, the deadline and the error of the first call", clk.Elapsed(), err)
		}
		var e *acquire.GiveUpError
		if !errors.As(err, &e) || e.Stop != acquire.OutOfTime || e.Attempts != 2 || e.Elapsed != 5*time.Second || e.Delay != 0 {
			t.Errorf("%+v; want the second attempt out of time, and no third one in view", e)
		}
	})
}

// With RetryUnknown an acquisition that finds nothing is an attempt like others.
func TestDoRetriesAcquisitionsIfToldTo(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		lease, err := p.TryAcquire(ctx, pool.Query{})
		if err != nil {
			t.Fatal(err)
		}
		clk.AfterFunc(2*time.Second, lease.Release)
		o := retryingIn(p, 9)
		o.Algorithm, o.Retry.RetryUnknown = mustParse("immediate"), true
		calls := 0
		err = acquire.Do(ctx, o, func(context.Context, *pool.Lease) (map[string]float64, error) {
			calls++
			return nil, nil
		})
		if err != nil || calls != 1 || clk.Elapsed() != 3*time.Second { // tries at 0, 1 and 3 s
			t.Errorf("%d calls until %v: %v; want 1 at 3s", calls, clk.Elapsed(), err)
		}
	})
}

// An acquisition that failed is forgotten when a later call was made.
func TestDoForgetsTheAcquisitionsBeforeTheLastCall(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		lease, err := p.TryAcquire(ctx, pool.Query{})
		if err != nil {
			t.Fatal(err)
		}
		clk.AfterFunc(500*ms, lease.Release)
		o := retryingIn(p, 9)
		o.Algorithm, o.Retry.RetryUnknown = mustParse("immediate"), true
		err = acquire.Do(ctx, o, failing(vendor{400}))
		if !errors.Is(err, vendor{400}) || errors.Is(err, pool.ErrUnavailable) {
			t.Errorf("%v; want the call's error only", err)
		}
	})
}

// Whose limit an acquisition ran into decides: the caller's deadline ends it
// all, the algorithm's own limit is a want of resources.
func TestDoTellsItsDeadlineFromTheAlgorithmsLimit(t *testing.T) {
	for _, c := range []struct {
		spec string
		stop acquire.Stop
	}{
		{"wait", acquire.OutOfTime},
		{"backoff", acquire.OutOfTime},
		{"wait(timeout=1s)", acquire.Permanent},
		{"backoff(max_wait=1s)", acquire.Permanent},
	} {
		simulate(t, func(ctx context.Context, clk *clock.Virtual) {
			o := retryingIn(newPool(t, clk, "p", pool.Options{}, capacity("a", 1)), 9)
			o.Algorithm = mustParse(c.spec)
			refuse(t, o.Pool, "a", time.Minute)
			ctx, cancel := clk.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			var e *acquire.GiveUpError
			if err := acquire.Do(ctx, o, failing(nil)); !errors.As(err, &e) || e.Stop != c.stop || e.Attempts != 1 || clk.Elapsed() != 0 {
				t.Errorf("%s: at %v: %v; want %v at once", c.spec, clk.Elapsed(), err, c.stop)
			}
		})
	}
}

// What the call makes of a cancellation does not matter.
func TestDoIsAbandonedWhenItsContextEndsDuringTheCall(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		ctx, cancel := clk.WithTimeout(ctx, time.Hour)
		err := acquire.Do(ctx, retryingIn(p, 1), func(context.Context, *pool.Lease) (map[string]float64, error) {
			cancel()
			return nil, errors.New("stream closed")
		})
		var e *acquire.GiveUpError
		if !errors.As(err, &e) || e.Stop != acquire.Abandoned || !errors.Is(err, context.Canceled) {
			t.Errorf("%v; want it abandoned", err)
		}
	})
}

// A retry that is not made because of the deadline costs no token.
func TestDoSpendsTheBudgetOnRetriesOnly(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		o := retryingIn(newPool(t, clk, "p", pool.Options{}, capacity("a", 1)), 9)
		o.Budget = newBudget(t, 0, 5)
		limited, cancel := clk.WithTimeout(ctx, 3500*ms) // calls at 0, 1 and 3 s
		defer cancel()
		err := acquire.Do(limited, o, failing(vendor{500}))
		if !errors.Is(err, context.DeadlineExceeded) || o.Budget.Tokens() != 3 {
			t.Errorf("%v, and %v tokens left of 5; want 3 after two retries", err, o.Budget.Tokens())
		}
	})
}

func TestDoStopsBeforeItsFirstAttempt(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		never := func(context.Context, *pool.Lease) (map[string]float64, error) {
			t.Error("called")
			return nil, nil
		}
		cancelled, cancel := clk.WithTimeout(ctx, time.Hour)
		cancel()
		var e *acquire.GiveUpError
		if err := acquire.Do(cancelled, retryingIn(p, 9), never); !errors.As(err, &e) || e.Stop != acquire.Abandoned || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before it began: %v", err)
		}
		if err := acquire.Do(ctx, acquire.Options{}, never); err == nil || errors.As(err, &e) && e == nil {
			t.Errorf("without a pool: %v", err)
		}
	})
}

// A run that is being unwound ends Do, even one that would retry anything.
func TestDoEndsWithItsSimulation(t *testing.T) {
	clk := clock.NewVirtual(clock.VirtualOptions{})
	var got error
	err := clk.Run(context.Background(), func(ctx context.Context) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		hold(t, p, "a")
		o := retryingIn(p, acquire.Unlimited)
		o.Retry.RetryUnknown = true
		got = acquire.Do(ctx, o, failing(nil)) // waits for ever
	})
	var e *acquire.GiveUpError
	if !errors.Is(err, clock.ErrStalled) || !errors.Is(got, clock.ErrStopped) || !errors.As(got, &e) || e.Stop != acquire.Abandoned || e.Attempts != 1 {
		t.Errorf("the run: %v; Do: %v; want a stall, and Do abandoned in its first attempt", err, got)
	}
}
