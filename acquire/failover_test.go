package acquire_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

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
