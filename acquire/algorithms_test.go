package acquire_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

// hold leases the resource until the end.
func hold(t *testing.T, p *pool.Pool, id string) {
	t.Helper()
	if _, err := p.TryAcquire(context.Background(), pool.Query{ID: id}); err != nil {
		t.Fatal(err)
	}
}

func TestWaitTimesOutOnThePoolsClock(t *testing.T) {
	for _, c := range []struct {
		spec     string
		deadline time.Duration
		at       time.Duration
		timeout  bool // the algorithm's own limit, not the caller's
	}{
		{"wait(timeout=2s)", time.Minute, 2 * time.Second, true},
		{"wait(timeout=2s)", 2*time.Second + 1, 2 * time.Second, true},
		{"wait(timeout=2s)", 2 * time.Second, 2 * time.Second, false},
		{"wait(timeout=2s)", time.Second, time.Second, false},
		{"wait", time.Second, time.Second, false},
		{"failover(pools=p,fallback=wait(timeout=2s))", time.Minute, 2 * time.Second, true},
	} {
		simulate(t, func(ctx context.Context, clk *clock.Virtual) {
			p := newPool(t, clk, "p", pool.Options{}, capacity("a", 1))
			hold(t, p, "a")
			ctx, cancel := clk.WithTimeout(ctx, c.deadline)
			defer cancel()
			_, err := mustParse(c.spec).Acquire(ctx, request(p))
			if clk.Elapsed() != c.at || errors.Is(err, acquire.ErrTimeout) != c.timeout {
				t.Errorf("%s, deadline %v: at %v: %v; want at %v, ErrTimeout: %v", c.spec, c.deadline, clk.Elapsed(), err, c.at, c.timeout)
			}
			if !c.timeout && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, deadline %v: %v, want the caller's deadline in it", c.spec, c.deadline, err)
			}
			if got := acquire.Classify(err); c.timeout && got != acquire.Unknown {
				t.Errorf("%s: class %v: a limit that was used up is not worth a retry by itself", c.spec, got)
			}
		})
	}
}

func TestLeastBusyTakesTheLeastBusy(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 2), capacity("b", 4))
		var got []string
		for range 6 {
			lease, err := mustParse("least_busy(fallback=immediate)").Acquire(ctx, request(p))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, lease.ResourceID())
		}
		// Loads a, b: 0, 0 (the 0th of both); 1/2, 0; 1/2, 1/4; 1/2, 1/2 (number 3 mod 2); 1/2, 3/4; 1, 3/4.
		if want := []string{"a", "b", "b", "b", "a", "b"}; !slices.Equal(got, want) {
			t.Errorf("took %v, want %v", got, want)
		}
		if _, err := mustParse("least_busy(fallback=immediate)").Acquire(ctx, request(p)); !errors.Is(err, pool.ErrUnavailable) {
			t.Errorf("with nothing left: %v", err)
		}
	})
}

func TestFailoverTriesPoolsInOrderThenFallsBackOnTheFirst(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		a := newPool(t, clk, "a", pool.Options{}, capacity("a1", 1))
		b := newPool(t, clk, "b", pool.Options{}, capacity("b1", 1))
		c := newPool(t, clk, "c", pool.Options{}, capacity("c1", 1))
		req := acquire.Request{Pool: a, Pools: map[string]*pool.Pool{"b": b, "c": c}}
		var got []string
		var leases []*pool.Lease
		take := func(spec string) {
			lease, err := mustParse(spec).Acquire(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			got, leases = append(got, lease.ResourceID()), append(leases, lease)
		}
		take("failover(pools=c|a|b)")
		take("failover(pools=c|a|b)")
		take("failover(pools=c|a|b)")
		clk.AfterFunc(time.Second, leases[2].Release)   // b
		clk.AfterFunc(2*time.Second, leases[0].Release) // c, the first of the list
		take("failover(pools=nowhere|c|a|b)")
		if want := []string{"c1", "a1", "b1", "c1"}; !slices.Equal(got, want) || clk.Elapsed() != 2*time.Second {
			t.Errorf("took %v until %v, want %v until 2s", got, clk.Elapsed(), want)
		}
	})
}

func TestFailoverWithoutPoolsUsesTheRequests(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		a := newPool(t, clk, "a", pool.Options{}, capacity("a1", 1))
		b := newPool(t, clk, "b", pool.Options{}, capacity("b1", 1))
		req := acquire.Request{Pool: a, Pools: map[string]*pool.Pool{"b": b}}
		lease, err := mustParse("failover(fallback=immediate)").Acquire(ctx, req)
		if err != nil || lease.ResourceID() != "a1" {
			t.Fatalf("%v, %v", lease, err)
		}
		if _, err := mustParse("failover(fallback=immediate)").Acquire(ctx, req); !errors.Is(err, pool.ErrUnavailable) {
			t.Errorf("%v: it must not go to pools that it was not told", err)
		}
	})
}

func TestFailoverErrorGivesEveryPoolsReason(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		a := newPool(t, clk, "a", pool.Options{}, capacity("a1", 1))
		b := newPool(t, clk, "b", pool.Options{}, capacity("b1", 1))
		hold(t, a, "a1")
		refuse(t, b, "b1", time.Minute)
		req := acquire.Request{Pool: a, Pools: map[string]*pool.Pool{"b": b}}
		_, err := mustParse("failover(pools=a|b|c,fallback=immediate)").Acquire(ctx, req)
		want := `acquire: failover: pool "a": pool "a": pool: no resource is available; ` +
			`pool "b": pool "b": every matching resource is cooling down: "b1" returns first, in 1m0s, at 2000-01-01T00:01:00Z; ` +
			`pool "c": unknown pool: the request has ["b"] and is for "a"; ` +
			`fallback: pool "a": pool: no resource is available`
		if err == nil || err.Error() != want {
			t.Errorf("error\n%v\nwant\n%s", err, want)
		}
		var cooling *pool.CooldownError
		var each *acquire.FailoverError
		if !errors.Is(err, pool.ErrUnavailable) || !errors.As(err, &cooling) || !errors.As(err, &each) || len(each.Reasons) != 3 {
			t.Errorf("%v must hold every reason", err)
		}

		_, err = mustParse("failover(pools=x|y)").Acquire(ctx, req)
		if !errors.Is(err, pool.ErrUnavailable) || !strings.Contains(err.Error(), `pool "y": unknown pool`) {
			t.Errorf("with unknown pools only: %v", err)
		}
	})
}

func TestStickyPrefersWhatTheAttemptUsed(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		p := newPool(t, clk, "p", pool.Options{}, capacity("a", 2), capacity("b", 2), capacity("c", 2))
		take := func(req acquire.Request) string {
			lease, err := mustParse("sticky(fallback=immediate)").Acquire(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			defer lease.Release()
			return lease.ResourceID()
		}
		first, second := request(p), request(p)
		first.Affinity, second.Affinity = new(acquire.Affinity), new(acquire.Affinity)
		got := []string{take(first), take(second), take(first), take(first), take(second)}
		if want := []string{"a", "b", "a", "a", "b"}; !slices.Equal(got, want) {
			t.Errorf("two attempts took %v, want %v", got, want)
		}
		// Without a memory: the pool's own rotation goes on, number k mod 3.
		got = []string{take(request(p)), take(request(p)), take(request(p))}
		if want := []string{"c", "a", "b"}; !slices.Equal(got, want) {
			t.Errorf("without affinity: %v, want %v", got, want)
		}
		// A query for something else goes before the memory.
		other := first
		other.Query.ID = "c"
		if got := take(other); got != "c" {
			t.Errorf("asked for c, took %s", got)
		}
		filtered := second
		filtered.Query.Filter = func(v pool.View) bool { return v.ID() != "b" }
		if got := take(filtered); got == "b" {
			t.Error("the filter excludes b, which was taken from memory")
		}
	})
}

func TestQuotaAwareRanksByWhatIsLeft(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		declare := func(id string, quota float64) pool.Resource {
			r := capacity(id, 1)
			r.Quota = map[string]float64{"tokens": quota}
			return r
		}
		p := newPool(t, clk, "p", pool.Options{},
			capacity("unknown", 1), declare("none", 0), declare("spent", 100), declare("reserve", 1000),
			declare("half", 10), declare("fresh", 10), declare("freshest", 20))
		for id, tokens := range map[string]float64{"spent": 100, "reserve": 950, "half": 5} {
			lease, err := p.TryAcquire(ctx, pool.Query{ID: id})
			if err != nil {
				t.Fatal(err)
			}
			lease.Report(pool.Outcome{Usage: map[string]float64{"tokens": tokens}})
			lease.Release()
		}
		var got []string
		for range 7 { // nothing is released: the best, the second best, ...
			lease, err := mustParse("quota_aware(fallback=immediate)").Acquire(ctx, request(p))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, lease.ResourceID())
		}
		// Ratios 1 (20 left), 1 (10 left), 0.5, 0.05-10, 0-10 twice (the 8th lease: number 7 mod 2 of none and spent), -100.
		want := []string{"freshest", "fresh", "half", "reserve", "spent", "none", "unknown"}
		if !slices.Equal(got, want) {
			t.Errorf("took %v, want %v", got, want)
		}
	})
}

// The fallback of quota_aware chooses by the pool's default rule: what a waiter
// is woken by, it takes.
func TestQuotaAwareFallbackDoesNotRank(t *testing.T) {
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		poor, rich := capacity("poor", 2), capacity("rich", 2)
		poor.Quota, rich.Quota = map[string]float64{"tokens": 1}, map[string]float64{"tokens": 100}
		p := newPool(t, clk, "p", pool.Options{Order: pool.Barging}, poor, rich)
		var leases []*pool.Lease
		for range 4 {
			lease, err := p.TryAcquire(ctx, pool.Query{})
			if err != nil {
				t.Fatal(err)
			}
			leases = append(leases, lease) // poor, rich, poor, rich
		}
		clk.AfterFunc(time.Second, func() {
			leases[1].Release()
			leases[0].Release()
			leases[2].Release() // poor 0/2, rich 1/2
		})
		lease, err := mustParse("quota_aware").Acquire(ctx, request(p))
		if err != nil || lease.ResourceID() != "poor" {
			t.Errorf("took %v, %v; poor is less busy", lease.ResourceID(), err)
		}
	})
}

// An acquisition that succeeds at once allocates no more than the pool does for
// the lease, whatever the algorithm.
func TestAlgorithmsAllocateNothingOfTheirOwn(t *testing.T) {
	p := newPool(t, clock.Real(), "p", pool.Options{}, capacity("a", 2), capacity("b", 2))
	measure := func(a acquire.Algorithm) float64 {
		req := request(p)
		req.Affinity = new(acquire.Affinity)
		return testing.AllocsPerRun(1000, func() {
			lease, err := a.Acquire(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			lease.Release()
		})
	}
	least := measure(mustParse("immediate"))
	for _, spec := range []string{"wait", "backoff", "least_busy", "failover", "failover(pools=x|p)", "sticky", "quota_aware"} {
		if got := measure(mustParse(spec)); got > least {
			t.Errorf("%s: %v allocations, immediate has %v", spec, got, least)
		}
	}
}

func BenchmarkAcquire(b *testing.B) {
	for _, spec := range []string{"immediate", "wait", "wait(timeout=1s)", "backoff", "least_busy", "failover", "sticky", "quota_aware"} {
		b.Run(spec, func(b *testing.B) {
			quota := map[string]float64{"tokens": 1e12}
			p := newPool(b, clock.Real(), "p", pool.Options{},
				pool.Resource{ID: "a", Capacity: 6, Quota: quota}, pool.Resource{ID: "b", Capacity: 12, Quota: quota},
				pool.Resource{ID: "c", Capacity: 4, Quota: quota})
			alg, req := mustParse(spec), request(p)
			req.Affinity = new(acquire.Affinity)
			b.ReportAllocs()
			for b.Loop() {
				lease, err := alg.Acquire(context.Background(), req)
				if err != nil {
					b.Fatal(err)
				}
				lease.Release()
			}
		})
	}
}
