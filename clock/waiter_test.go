package clock_test

import (
	"context"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

func TestAWakeUpBeforeParkIsKeptOnce(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		w := v.NewWaiter(what("a wake-up"))
		w.Wake()
		w.Wake()
		j.add("%v", w.Park(ctx))
		v.AfterFunc(time.Second, w.Wake)
		j.add("%v", w.Park(ctx))
	})
	j.check(t, "0s <nil>", "1s <nil>")
}

func TestWokenTasksRunInTheOrderOfTheirWakeUps(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		waiters := make([]clock.Waiter, 4)
		for i := range waiters {
			waiters[i] = v.NewWaiter(what("its turn"))
			v.Go(ctx, "waiter", func(ctx context.Context) {
				_ = waiters[i].Park(ctx)
				j.add("%d", i)
			})
		}
		_ = v.Sleep(ctx, time.Second)
		for _, i := range []int{2, 0, 3, 1} {
			waiters[i].Wake()
		}
		j.add("main goes on")
	})
	j.check(t, "1s main goes on", "1s 2", "1s 0", "1s 3", "1s 1")
}

func TestTheFirstOfWakeUpAndEndWins(t *testing.T) {
	parked := func(t *testing.T, inBetween func(w clock.Waiter, cancel func())) *journal {
		return simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
			w := v.NewWaiter(what("either"))
			ctx, cancel := v.WithTimeout(ctx, time.Hour)
			defer cancel()
			v.AfterFunc(time.Second, func() { inBetween(w, cancel) })
			j.add("%v", w.Park(ctx))
			j.add("%v", w.Park(context.WithoutCancel(ctx)))
		})
	}
	t.Run("parked: wake-up first", func(t *testing.T) {
		j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
			w := v.NewWaiter(what("either"))
			ctx, cancel := v.WithTimeout(ctx, time.Hour)
			v.AfterFunc(time.Second, func() { w.Wake(); cancel() })
			j.add("%v", w.Park(ctx))
			j.add("%v", w.Park(ctx))
		})
		j.check(t, "1s <nil>", "1s context canceled")
	})
	t.Run("parked: end first, the wake-up is kept", func(t *testing.T) {
		j := parked(t, func(w clock.Waiter, cancel func()) { cancel(); w.Wake() })
		j.check(t, "1s context canceled", "1s <nil>")
	})
	t.Run("not parked: wake-up first", func(t *testing.T) {
		j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
			w := v.NewWaiter(what("either"))
			ctx, cancel := v.WithTimeout(ctx, time.Hour)
			w.Wake()
			cancel()
			j.add("%v", w.Park(ctx))
			j.add("%v", w.Park(ctx))
		})
		j.check(t, "0s <nil>", "0s context canceled")
	})
	t.Run("not parked: end first, the wake-up is kept", func(t *testing.T) {
		j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
			w := v.NewWaiter(what("either"))
			limited, cancel := v.WithTimeout(ctx, time.Hour)
			cancel()
			w.Wake()
			j.add("%v", w.Park(limited))
			j.add("%v", w.Park(ctx))
		})
		j.check(t, "0s context canceled", "0s <nil>")
	})
	t.Run("deadline and sleep at one instant: the older timer wins", func(t *testing.T) {
		j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
			limited, cancel := v.WithTimeout(ctx, time.Second)
			defer cancel()
			j.add("%v", v.Sleep(limited, time.Second))

			w := v.NewWaiter(what("either"))
			v.AfterFunc(time.Second, w.Wake)
			later, cancel := v.WithTimeout(ctx, time.Second)
			defer cancel()
			j.add("%v", w.Park(later))
		})
		// A timer's function runs after all that is due is runnable, and a
		// deadline makes the parked task runnable: so it comes first.
		j.check(t, "1s context deadline exceeded", "2s context deadline exceeded")
	})
}

func TestAWaiterIsForOneTask(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		w := v.NewWaiter(what("a lease"))
		v.Go(ctx, "first", func(ctx context.Context) { j.add("first: %v", w.Park(ctx)) })
		v.Go(ctx, "second", func(ctx context.Context) { j.add("second: %v", w.Park(ctx)) })
		_ = v.Sleep(ctx, time.Second)
		w.Wake()
	})
	j.check(t, `0s second: clock: waiter for a lease: task "first" is parked here: a waiter is for one task`, "1s first: <nil>")
}

func TestCancellingAParkedTaskUnwindsIt(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		ctx, cancel := v.WithTimeout(ctx, time.Hour)
		v.Go(ctx, "parked", func(ctx context.Context) {
			defer func() { j.add("deferred") }()
			if err := v.NewWaiter(what("nothing")).Park(ctx); err != nil {
				j.add("parked: %v", err)
				return
			}
			j.add("went on")
		})
		v.Go(ctx, "asleep", func(ctx context.Context) {
			defer func() { j.add("deferred") }()
			j.add("asleep: %v", v.Sleep(ctx, 10*time.Second))
		})
		_ = v.Sleep(ctx, time.Second)
		cancel()
		j.add("main goes on")
	})
	j.check(t, "1s main goes on",
		"1s parked: context canceled", "1s deferred", "1s asleep: context canceled", "1s deferred")
}
