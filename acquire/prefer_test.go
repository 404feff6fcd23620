package acquire_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

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
			declare("half", 10), declare("freshest", 20), declare("fresh", 10))
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
