package acquire_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// Real goroutines on the real clock, for the race detector: all algorithms at
// once on shared pools, with failures, refusals, timeouts and cancellations.
func TestAlgorithmsUnderRealConcurrency(t *testing.T) {
	const goroutines, rounds = 4, 60 // for each spec
	health := pool.Health{DegradeAfter: 3, Cooldown: time.Millisecond, HonorRetryAfter: true}
	clk := clock.Real()
	for _, order := range []pool.Order{pool.FIFO, pool.Barging} {
		t.Run(fmt.Sprint("order ", order), func(t *testing.T) {
			t.Parallel()
			quota := map[string]float64{"tokens": 1e6}
			resource := func(id string, n int) pool.Resource { return pool.Resource{ID: id, Capacity: n, Quota: quota} }
			p := newPool(t, clk, "p", pool.Options{Health: health, Order: order}, resource("a", 2), resource("b", 3))
			q := newPool(t, clk, "q", pool.Options{Health: health, Order: order}, resource("c", 2))
			pools := map[string]*pool.Pool{"q": q}

			var wg sync.WaitGroup
			var served, inUse atomic.Int64
			for _, spec := range []string{
				"immediate", "wait", "wait(timeout=5ms)", "backoff(base=10us,cap=1ms)", "backoff(base=10us,cap=1ms,max_wait=5ms)",
				"least_busy", "failover(pools=p|q)", "sticky", "quota_aware", "sticky(fallback=failover(pools=q|p))",
			} {
				alg := mustParse(spec)
				for i := range goroutines {
					r := rand.New(rand.NewPCG(uint64(i), uint64(len(spec))))
					wg.Go(func() {
						affinity := new(acquire.Affinity)
						for range rounds {
							ctx, cancel := clk.WithTimeout(context.Background(), time.Duration(1+r.IntN(20))*time.Millisecond)
							lease, err := alg.Acquire(ctx, acquire.Request{Pool: p, Pools: pools, Affinity: affinity, Rand: r})
							cancel()
							if err != nil {
								if !errors.Is(err, pool.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded) {
									t.Errorf("%s: %v", spec, err)
								}
								continue
							}
							if n := inUse.Add(1); n > 7 {
								t.Errorf("%d leases out of a capacity of 7", n)
							}
							served.Add(1)
							inUse.Add(-1)
							lease.Report(randomQuick(r))
							lease.Release()
						}
					})
				}
			}
			wg.Wait()
			if n := active(p) + active(q); n != 0 {
				t.Errorf("%d leases are out at the end", n)
			}
			if served.Load() == 0 {
				t.Error("nobody was served")
			}
			time.Sleep(5 * time.Millisecond) // the last cooldown
			for range 7 {
				if _, err := mustParse("failover(pools=p|q,fallback=immediate)").Acquire(
					context.Background(), acquire.Request{Pool: p, Pools: pools}); err != nil {
					t.Errorf("with nobody else: %v", err)
				}
			}
		})
	}
}

func randomQuick(r *rand.Rand) pool.Outcome {
	switch r.IntN(6) {
	case 0:
		return pool.Outcome{Err: errors.New("failed")}
	case 1:
		return pool.Outcome{Refused: true, RetryAfter: time.Duration(r.IntN(1000)) * time.Microsecond}
	default:
		return pool.Outcome{Usage: map[string]float64{"tokens": 1}}
	}
}

// Do, its budget and its policy are shared by goroutines, too.
func TestDoUnderRealConcurrency(t *testing.T) {
	p := newPool(t, clock.Real(), "p", pool.Options{Health: pool.Health{RefusalFails: true}}, capacity("a", 2), capacity("b", 1))
	budget := newBudget(t, 0.5, 3)
	o := acquire.Options{
		Request: request(p), Budget: budget,
		Retry: acquire.Retry{MaxAttempts: 4, Backoff: acquire.Backoff{Base: 10 * time.Microsecond, Factor: 2}},
	}
	const goroutines, rounds = 8, 100
	var calls, operations atomic.Int64
	var wg sync.WaitGroup
	for i := range goroutines {
		r := rand.New(rand.NewPCG(9, uint64(i)))
		wg.Go(func() {
			for range rounds {
				operations.Add(1)
				err := acquire.Do(context.Background(), o, func(context.Context, *pool.Lease) (map[string]float64, error) {
					calls.Add(1)
					if r.IntN(2) == 0 {
						return nil, &acquire.StatusError{Status: 503}
					}
					return nil, nil
				})
				var e *acquire.GiveUpError
				if err != nil && (!errors.As(err, &e) || e.Stop != acquire.Exhausted && e.Stop != acquire.OverBudget) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if retries := calls.Load() - operations.Load(); retries > 3+operations.Load()/2 || retries == 0 {
		t.Errorf("%d retries for %d operations at a ratio of 0.5 and a burst of 3", retries, operations.Load())
	}
	if active(p) != 0 {
		t.Error("a lease is out at the end")
	}
}
