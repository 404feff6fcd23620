package acquire_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// moment is when a cancellation comes, relative to a yield point: a call that
// blocks the task on the clock.
type moment string

const (
	before     moment = "before it"                               // already cancelled when it blocks
	during     moment = "during it"                               // the task is parked
	justBefore moment = "at the instant of the wake-up, before"   // both at one instant, in this order
	justAfter  moment = "at the instant of the wake-up, after it" // and in the other
	after      moment = "after it"                                // the task runs again
)

var moments = []moment{before, during, justBefore, justAfter, after}

// snare is a clock that cancels the context of one task, marked by a value in
// it, at one moment around its n-th yield point.
type snare struct {
	*clock.Virtual
	n      int
	when   moment
	cancel context.CancelFunc
	yields int
}

type marked struct{}

// enter counts a yield point and reports whether it is the one.
func (s *snare) enter(ctx context.Context) bool {
	if ctx.Value(marked{}) == nil {
		return false
	}
	s.yields++
	if s.yields != s.n {
		return false
	}
	switch s.when {
	case before:
		s.cancel()
	case during:
		s.AfterFunc(0, s.cancel)
	}
	return true
}

func (s *snare) Sleep(ctx context.Context, d time.Duration) error {
	here := s.enter(ctx)
	if here && s.when == justBefore {
		s.AfterFunc(d, s.cancel) // made before the sleeper's timer
	}
	if here && s.when == justAfter {
		s.AfterFunc(0, func() { s.AfterFunc(d, s.cancel) }) // made after it
	}
	err := s.Virtual.Sleep(ctx, d)
	if here && s.when == after {
		s.cancel()
	}
	return err
}

func (s *snare) NewWaiter(what fmt.Stringer) clock.Waiter {
	return &snareWaiter{s.Virtual.NewWaiter(what), s, false}
}

type snareWaiter struct {
	clock.Waiter
	s    *snare
	here bool
}

func (w *snareWaiter) Park(ctx context.Context) error {
	w.here = w.s.enter(ctx)
	err := w.Waiter.Park(ctx)
	if w.here && w.s.when == after {
		w.s.cancel()
	}
	w.here = false
	return err
}

func (w *snareWaiter) Wake() {
	if w.here && w.s.when == justBefore {
		w.s.cancel()
	}
	w.Waiter.Wake()
	if w.here && w.s.when == justAfter {
		w.s.cancel()
	}
}

// cancelWorld is a situation of two pools, p and q, in which an acquisition
// begins at 100 ms.
type cancelWorld struct {
	name  string
	order pool.Order
	begin func(t *testing.T, s *snare, pools ...*pool.Pool)
}

// cancelWorlds are all situations in both orders of service. In "fresh" the
// clients are not made yet, so that the acquisition yields in the factory.
func cancelWorlds() []cancelWorld {
	var worlds []cancelWorld
	for i, order := range []pool.Order{pool.FIFO, pool.Barging} {
		name := []string{"fifo", "barging"}[i]
		worlds = append(worlds,
			cancelWorld{name + ", fresh", order, func(*testing.T, *snare, ...*pool.Pool) {}},
			cancelWorld{name + ", busy", order, occupy(time.Second, 0)},
			cancelWorld{name + ", cooling down", order, occupy(50*ms, 3*time.Second)},
			cancelWorld{name + ", busy and then cooling down", order, occupy(time.Second, 3*time.Second)},
		)
	}
	return worlds
}

// occupy leases everything for a time, after which it is released, or refused
// and released.
func occupy(d, retryAfter time.Duration) func(*testing.T, *snare, ...*pool.Pool) {
	return func(t *testing.T, s *snare, pools ...*pool.Pool) {
		for _, p := range pools {
			for _, id := range []string{"a", "b"} {
				lease, err := p.TryAcquire(context.Background(), pool.Query{ID: id})
				if err != nil {
					t.Fatal(err)
				}
				s.AfterFunc(d-s.Elapsed(), func() {
					if retryAfter > 0 {
						lease.Report(pool.Outcome{Refused: true, RetryAfter: retryAfter})
					}
					lease.Release()
				})
			}
		}
	}
}

// runCancelled runs one acquisition and cancels it; it reports how many yield
// points were passed, and how it ended. Nothing may be held by a failed one.
func runCancelled(t *testing.T, w cancelWorld, alg acquire.Algorithm, n int, when moment) (yields int, failed bool) {
	t.Helper()
	v := clock.NewVirtual(clock.VirtualOptions{})
	s := &snare{Virtual: v, n: n, when: when}
	err := v.Run(context.Background(), func(ctx context.Context) {
		open := func(ctx context.Context) (any, error) { return "client", s.Sleep(ctx, 10*ms) }
		resource := func(id string) pool.Resource { return pool.Resource{ID: id, Capacity: 1, Factory: open} }
		p := newPool(t, s, "p", pool.Options{Order: w.order}, resource("a"), resource("b"))
		q := newPool(t, s, "q", pool.Options{Order: w.order}, resource("a"), resource("b"))
		w.begin(t, s, p, q)
		if err := v.Sleep(ctx, 100*ms-v.Elapsed()); err != nil {
			t.Error(err)
		}
		marked, cancel := v.WithTimeout(context.WithValue(ctx, marked{}, true), time.Hour)
		defer cancel()
		s.cancel = cancel
		affinity := new(acquire.Affinity)
		lease, err := alg.Acquire(marked, acquire.Request{
			Pool: p, Pools: map[string]*pool.Pool{"q": q}, Affinity: affinity, Rand: &fixed{u: 0.5},
		})
		yields, failed = s.yields, err != nil
		switch {
		case err == nil:
			lease.Release()
		case errors.Is(err, pool.ErrUnavailable): // as without the cancellation
		case !errors.Is(err, context.Canceled):
			t.Errorf("%v, neither cancelled nor unavailable", err)
		}
		if err := v.Sleep(ctx, time.Hour); err != nil { // all others have ended by now
			t.Error(err)
		}
		for _, p := range []*pool.Pool{p, q} {
			if n := active(p); n != 0 {
				t.Errorf("pool %s: %d leases are out", p.Name(), n)
			}
			for range 2 {
				if _, err := p.TryAcquire(ctx, pool.Query{}); err != nil {
					t.Errorf("pool %s: %v, but its capacity is 2", p.Name(), err)
				}
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	return yields, failed
}

// Every yield point of every algorithm, in every world, at every moment: an
// acquisition that returns an error holds nothing, and leaves everybody else
// able to lease all there is (clickhouse-go#1759).
func TestCancelInEveryYieldPoint(t *testing.T) {
	total, points := 0, map[string]int{}
	for _, w := range cancelWorlds() {
		for _, spec := range []string{
			"immediate", "wait", "wait(timeout=10m)", "backoff", "backoff(max_wait=10m)", "least_busy",
			"failover(pools=p|q)", "failover(pools=p|q,fallback=backoff)", "sticky", "sticky(fallback=backoff)",
			"quota_aware", "quota_aware(fallback=backoff)", "do",
		} {
			alg := algorithmOrDo(spec)
			t.Run(w.name+"/"+spec, func(t *testing.T) {
				for n := 1; ; n++ {
					for _, when := range moments {
						yields, failed := runCancelled(t, w, alg, n, when)
						if yields < n {
							return // it has no n-th
						}
						if (when == before || when == during) && !failed {
							t.Errorf("it went on and succeeded")
						}
						if t.Failed() {
							t.Fatalf("cancelled at yield point %d, %s", n, when)
						}
						total++
						points[spec] = max(points[spec], n)
					}
				}
			})
		}
	}
	t.Logf("%d cancellations; the most yield points of one acquisition: %v", total, points)
	for spec, most := range map[string]int{"immediate": 1, "wait": 2, "backoff": 5, "do": 5} {
		if points[spec] < most {
			t.Errorf("%s has %d yield points at most, want %d: some were missed", spec, points[spec], most)
		}
	}
}

// algorithmOrDo parses a spec; "do" stands for a whole Do, which leases, works
// for a second, fails, waits and tries again.
func algorithmOrDo(spec string) acquire.Algorithm {
	if spec != "do" {
		return mustParse(spec)
	}
	return acquireFunc(func(ctx context.Context, req acquire.Request) (*pool.Lease, error) {
		o := retrying(3)
		o.Request = req
		calls := 0
		err := acquire.Do(ctx, o, func(ctx context.Context, lease *pool.Lease) (map[string]float64, error) {
			if err := req.Pool.Clock().Sleep(ctx, time.Second); err != nil {
				return nil, err
			}
			if calls++; calls < 3 {
				return nil, refusal(time.Second)
			}
			return nil, nil
		})
		if err != nil {
			return nil, err
		}
		return req.Pool.TryAcquire(context.WithoutCancel(ctx), req.Query)
	})
}
