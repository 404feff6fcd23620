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
