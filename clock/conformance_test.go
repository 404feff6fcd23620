package clock_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// The conformance suite: code that is written against Clock does the same on
// every implementation, at the same instants of that clock. Where more than one
// thing happens at an instant, only Virtual promises an order; so here one
// thing happens at a time.
//
// Virtual time is simulated anyway; Real and Scaled run on the fake time of
// testing/synctest, so that the machine's load plays no part.
var conformance = []struct {
	name string
	f    func(ctx context.Context, clk clock.Clock, j *journal)
	want []string
}{
	{"a sleep lasts as long as it says",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			j.add("%v", clk.Sleep(ctx, time.Second))
			j.add("%v", clk.Sleep(ctx, 1500*time.Millisecond))
		}, []string{"1s <nil>", "2.5s <nil>"}},
	{"a sleep of zero or less takes no time",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			j.add("%v, %v", clk.Sleep(ctx, 0), clk.Sleep(ctx, -time.Hour))
		}, []string{"0s <nil>, <nil>"}},
	{"a sleep under a context that has ended takes no time",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			ctx, cancel := clk.WithTimeout(ctx, time.Minute)
			cancel()
			j.add("%v, %v, %v", clk.Sleep(ctx, time.Hour), clk.Sleep(ctx, 0), clk.Sleep(ctx, -1))
		}, []string{"0s context canceled, context canceled, context canceled"}},
	{"a deadline ends a sleep",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			ctx, cancel := clk.WithTimeout(ctx, time.Second)
			defer cancel()
			j.add("%v", clk.Sleep(ctx, time.Hour))
			cancel()
			j.add("%v because of %v", ctx.Err(), context.Cause(ctx))
		}, []string{"1s context deadline exceeded", "1s context deadline exceeded because of context deadline exceeded"}},
	{"a deadline is an instant of the clock",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			start := clk.Now()
			_ = clk.Sleep(ctx, time.Second)
			outer, cancel := clk.WithTimeout(ctx, time.Minute)
			defer cancel()
			inner, cancelInner := clk.WithTimeout(outer, time.Second)
			defer cancelInner()
			long, cancelLong := clk.WithTimeout(outer, time.Hour)
			defer cancelLong()
			for _, c := range []context.Context{outer, inner, long} {
				at, ok := c.Deadline()
				j.add("%v, %v", at.Sub(start), ok)
			}
		}, []string{"1s 1m1s, true", "1s 2s, true", "1s 1m1s, true"}},
	{"the shorter of two timeouts counts",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			outer, cancel := clk.WithTimeout(ctx, 2*time.Second)
			defer cancel()
			inner, cancelInner := clk.WithTimeout(outer, time.Second)
			defer cancelInner()
			long, cancelLong := clk.WithTimeout(outer, time.Hour)
			defer cancelLong()
			j.add("inner %v", clk.Sleep(inner, time.Hour))
			j.add("long %v", clk.Sleep(long, time.Hour))
		}, []string{"1s inner context deadline exceeded", "2s long context deadline exceeded"}},
	{"contexts derived by other means end with the clock's",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			type key struct{}
			ctx, cancel := clk.WithTimeout(ctx, time.Second)
			defer cancel()
			derived, cancelDerived := context.WithCancel(context.WithValue(ctx, key{}, "value"))
			defer cancelDerived()
			inner, cancelInner := clk.WithTimeout(derived, time.Hour)
			defer cancelInner()
			j.add("%v %v", inner.Value(key{}), clk.Sleep(inner, time.Minute))
			<-derived.Done()
			j.add("%v", derived.Err())
		}, []string{"1s value context deadline exceeded", "1s context deadline exceeded"}},
	{"and the clock's end with others",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			cause := errors.New("the cause")
			ctx, cancel := context.WithCancelCause(ctx)
			clk.AfterFunc(time.Second, func() { cancel(cause) })
			ctx, cancelInner := clk.WithTimeout(ctx, time.Hour)
			defer cancelInner()
			j.add("%v because of %v", clk.Sleep(ctx, time.Minute), context.Cause(ctx))
		}, []string{"1s context canceled because of the cause"}},
	{"a wake-up ends a park",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			w := clk.NewWaiter(what("the timer"))
			clk.AfterFunc(time.Second, w.Wake)
			j.add("%v", w.Park(ctx))
		}, []string{"1s <nil>"}},
	{"one wake-up is kept for the next park, a second one adds nothing",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			w := clk.NewWaiter(what("a wake-up"))
			w.Wake()
			w.Wake()
			j.add("%v", w.Park(ctx))
			clk.AfterFunc(time.Second, w.Wake)
			j.add("%v", w.Park(ctx))
		}, []string{"0s <nil>", "1s <nil>"}},
	{"a context ends a park, and a wake-up that came too late is kept",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			w := clk.NewWaiter(what("a wake-up"))
			limited, cancel := clk.WithTimeout(ctx, time.Second)
			defer cancel()
			clk.AfterFunc(2*time.Second, w.Wake)
			j.add("%v", w.Park(limited))
			_ = clk.Sleep(ctx, 2*time.Second)
			j.add("%v", w.Park(ctx))
		}, []string{"1s context deadline exceeded", "3s <nil>"}},
	{"timers fire in the order of their deadlines",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			for _, s := range []time.Duration{3, 1, 2} {
				clk.AfterFunc(s*time.Second, func() { j.add("timer %d", s) })
			}
			_ = clk.Sleep(ctx, 4*time.Second)
			j.add("end")
		}, []string{"1s timer 1", "2s timer 2", "3s timer 3", "4s end"}},
	{"a timer that was stopped does not fire",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			stopped := clk.AfterFunc(time.Second, func() { j.add("stopped") })
			fired := clk.AfterFunc(time.Second, func() { j.add("fired") })
			j.add("%v %v", stopped.Stop(), stopped.Stop())
			_ = clk.Sleep(ctx, 2*time.Second)
			j.add("%v", fired.Stop())
		}, []string{"0s true false", "1s fired", "2s false"}},
	{"tasks wait for each other",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			type key struct{}
			ctx = context.WithValue(ctx, key{}, "value")
			ended := clk.NewWaiter(what("the task"))
			clk.Go(ctx, "task", func(ctx context.Context) {
				j.add("task %v", ctx.Value(key{}))
				_ = clk.Sleep(ctx, time.Second)
				j.add("task")
				ended.Wake()
			})
			_ = ended.Park(ctx)
			j.add("main")
		}, []string{"0s task value", "1s task", "1s main"}},
	{"sleeps overlap",
		func(ctx context.Context, clk clock.Clock, j *journal) {
			for _, s := range []time.Duration{3, 1, 2} {
				clk.Go(ctx, "sleeper", func(ctx context.Context) {
					_ = clk.Sleep(ctx, s*time.Second)
					j.add("sleeper %d", s)
				})
			}
			_ = clk.Sleep(ctx, 4*time.Second)
		}, []string{"1s sleeper 1", "2s sleeper 2", "3s sleeper 3"}},
}

func TestConformance(t *testing.T) {
	for _, test := range conformance {
		t.Run(test.name, func(t *testing.T) {
			t.Run("virtual", func(t *testing.T) {
				v := clock.NewVirtual(clock.VirtualOptions{})
				j := &journal{clk: v}
				if err := v.Run(context.Background(), func(ctx context.Context) { test.f(ctx, v, j) }); err != nil {
					t.Error(err)
				}
				j.check(t, test.want...)
			})
			inBubble := func(clk func() clock.Clock) func(*testing.T) {
				return func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						j := &journal{clk: clk()}
						test.f(t.Context(), j.clk, j)
						synctest.Wait()
						j.check(t, test.want...)
					})
				}
			}
			t.Run("scaled", inBubble(func() clock.Clock {
				clk, err := clock.NewScaled(50)
				if err != nil {
					t.Fatal(err)
				}
				return clk
			}))
			t.Run("real", inBubble(func() clock.Clock { return clock.Real() }))
		})
	}
}

// On real time nothing happens early; how late is up to the machine.
func TestRealTimeIsNeverEarly(t *testing.T) {
	scaled, err := clock.NewScaled(1000)
	if err != nil {
		t.Fatal(err)
	}
	for name, clk := range map[string]clock.Clock{"scaled": scaled, "real": clock.Real()} {
		for _, d := range []time.Duration{1, 999, 12345678, 7777777} {
			start := clk.Elapsed()
			if err := clk.Sleep(t.Context(), d); err != nil || clk.Elapsed() < start+d {
				t.Errorf("%s: a sleep of %v took %v, %v", name, d, clk.Elapsed()-start, err)
			}
			start = clk.Elapsed()
			ctx, cancel := clk.WithTimeout(t.Context(), d)
			<-ctx.Done()
			if clk.Elapsed() < start+d {
				t.Errorf("%s: a timeout of %v took %v", name, d, clk.Elapsed()-start)
			}
			cancel()
		}
	}
}

func TestScaledTime(t *testing.T) {
	for _, bad := range []float64{0, -1, math.Inf(1), math.Inf(-1), math.NaN()} {
		if _, err := clock.NewScaled(bad); err == nil {
			t.Errorf("speed-up %v was taken", bad)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		clk, err := clock.NewScaled(3600)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if clk.Elapsed() != time.Hour || !clk.Now().Equal(clock.Epoch.Add(time.Hour)) {
			t.Errorf("after a second, at 3600 times the speed, %v have passed; it is %v", clk.Elapsed(), clk.Now())
		}
		fast, err := clock.NewScaled(math.MaxFloat64)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_ = clk.Sleep(t.Context(), 24*time.Hour)
		if took := time.Since(start); took != 24*time.Second {
			t.Errorf("24h took %v, want 24s", took)
		}
		if fast.Elapsed() != math.MaxInt64 {
			t.Errorf("time beyond its range is %v", fast.Elapsed())
		}
	})
}
