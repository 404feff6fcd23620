package clock_test

import (
	"context"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

func TestWaitingAllocatesNothing(t *testing.T) {
	simulate(t, func(ctx context.Context, v *clock.Virtual, _ *journal) {
		limited, cancel := v.WithTimeout(ctx, time.Hour)
		defer cancel()
		ping, pong := v.NewWaiter(nil), v.NewWaiter(nil)
		v.Go(limited, "echo", func(ctx context.Context) {
			for pong.Park(ctx) == nil {
				ping.Wake()
			}
		})
		v.Go(limited, "sleeper", func(ctx context.Context) {
			for v.Sleep(ctx, 3*time.Millisecond) == nil {
			}
		})
		_ = v.Sleep(ctx, time.Second)
		for name, f := range map[string]func(){
			"a sleep":           func() { _ = v.Sleep(limited, 5*time.Millisecond) },
			"a sleep in place":  func() { _ = v.Sleep(limited, 1) },
			"a sleep of 0":      func() { _ = v.Sleep(limited, 0) },
			"a park and a wake": func() { pong.Wake(); _ = ping.Park(limited) },
			"a look":            func() { v.Now() },
		} {
			if n := testing.AllocsPerRun(1000, f); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	})
}
