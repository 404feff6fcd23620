package acquire_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// sleepLog is a clock that takes down its sleeps.
type sleepLog struct {
	clock.Clock
	sleeps []time.Duration
}

func (s *sleepLog) Sleep(ctx context.Context, d time.Duration) error {
	s.sleeps = append(s.sleeps, d)
	return s.Clock.Sleep(ctx, d)
}

// The sleeps of an unlimited backoff are the draws, U(0, min(10, 0.2*2^(k-1))),
// one each, and nothing in the pool's state changes that: not that the resource
// is busy (first), nor that it is cooling down until a known instant (then).
func TestBackoffSleepsItsDrawsWhateverThePoolKnows(t *testing.T) {
	for name, health := range map[string]pool.Health{"reference": pool.ReferenceHealth(), "default": pool.DefaultHealth()} {
		t.Run(name, func(t *testing.T) {
			simulate(t, func(ctx context.Context, v *clock.Virtual) {
				clk := &sleepLog{Clock: v}
				p := newPool(t, clk, "p", pool.Options{Health: health}, capacity("a", 1))
				holder, err := p.TryAcquire(ctx, pool.Query{})
				if err != nil {
					t.Fatal(err)
				}
				v.AfterFunc(3*time.Second, func() {
					for range 3 {
						holder.Report(pool.Outcome{Err: errors.New("down")}) // cools down until 33 s
					}
					holder.Release()
				})
				req := request(p)
				req.Rand = rand.New(rand.NewPCG(1, 2))
				lease, err := mustParse("backoff").Acquire(ctx, req)
				if err != nil {
					t.Fatal(err)
				}
				lease.Release()

				draws, at := rand.New(rand.NewPCG(1, 2)), time.Duration(0)
				var want []time.Duration
				for k := 1; at < 33*time.Second; k++ {
					seconds := draws.Float64() * math.Min(10, 0.2*math.Pow(2, float64(k-1)))
					want = append(want, time.Duration(math.RoundToEven(seconds*1e9)))
					at += want[len(want)-1]
				}
				if !slices.Equal(clk.sleeps, want) || v.Elapsed() != at {
					t.Errorf("slept %v until %v\nwant  %v until %v", clk.sleeps, v.Elapsed(), want, at)
				}
			})
		})
	}
}

// A known end of the cooldown within the limit replaces one sleep; the draws
// that follow are those that would have come without it.
func TestLimitedBackoffIsAwakeWhenTheCooldownEnds(t *testing.T) {
	simulate(t, func(ctx context.Context, v *clock.Virtual) {
		clk := &sleepLog{Clock: v}
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		v.AfterFunc(5*time.Second, func() { // before the sleeper: it takes the lease at 5 s
			holder, err := p.TryAcquire(ctx, pool.Query{})
			if err != nil {
				t.Error(err)
			}
			v.AfterFunc(time.Second, holder.Release)
		})
		refuse(t, p, "a", 5*time.Second)
		req := request(p)
		req.Rand = &fixed{u: 0.5}
		lease, err := mustParse("backoff(max_wait=1m)").Acquire(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		lease.Release()
		want := []time.Duration{5 * time.Second, 100 * ms, 200 * ms, 400 * ms, 800 * ms}
		if !slices.Equal(clk.sleeps, want) {
			t.Errorf("slept %v, want %v", clk.sleeps, want)
		}
	})
}

func TestBackoffDoesNotPollForWhatIsGone(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
		req := request(p)
		req.Query.ID = "b"
		if _, err := mustParse("backoff").Acquire(ctx, req); !errors.Is(err, pool.ErrRevoked) || clk.Elapsed() != 0 {
			t.Errorf("at %v: %v, want ErrRevoked at once", clk.Elapsed(), err)
		}
	})
}

// The ceiling is the pool's, as for those who wait in its queue.
func TestBackoffKnowsThePoolsCeiling(t *testing.T) {
	health := pool.DefaultHealth()
	health.MaxRetryAfter = time.Second
	clk := clock.NewVirtual(clock.VirtualOptions{})
	err := clk.Run(t.Context(), func(ctx context.Context) {
		p, err := pool.New("p", clk, pool.Options{Health: health})
		if err != nil {
			t.Error(err)
			return
		}
		if err := p.Publish(pool.Resource{ID: "a", Capacity: 1}); err != nil {
			t.Error(err)
			return
		}
		lease, err := p.Acquire(ctx, pool.Query{})
		if err != nil {
			t.Error(err)
			return
		}
		lease.Report(pool.Outcome{Refused: true, RetryAfter: time.Second + 1})
		lease.Release()
		backoff, err := acquire.Parse("backoff")
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := backoff.Acquire(ctx, acquire.Request{Pool: p}); !errors.Is(err, pool.ErrTooLong) || clk.Elapsed() != 0 {
			t.Errorf("error %v at %v, want at once that the cooldown is too long", err, clk.Elapsed())
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
