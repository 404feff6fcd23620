package clock_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

func TestTimeoutIsExactToTheNanosecond(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		_ = v.Sleep(ctx, time.Second)
		ctx, cancel := v.WithTimeout(ctx, 250*time.Millisecond+1)
		defer cancel()
		at, ok := ctx.Deadline()
		j.add("deadline %v, %v", at.Sub(clock.Epoch), ok)
		j.add("park: %v", v.NewWaiter(what("a lease")).Park(ctx))
		j.add("sleep: %v", v.Sleep(ctx, time.Hour))
		j.add("cause: %v", context.Cause(ctx))
	})
	j.check(t,
		"1s deadline 1.250000001s, true",
		"1.250000001s park: context deadline exceeded",
		"1.250000001s sleep: context deadline exceeded",
		"1.250000001s cause: context deadline exceeded")
}

// A context whose deadline is now has ended for every task that runs now,
// whatever the order in which their timers were made.
func TestNobodySeesAContextAliveAtItsDeadline(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		var limited context.Context
		v.AfterFunc(time.Second, func() { j.add("timer: %v", limited.Err()) })
		limited, cancel := v.WithTimeout(ctx, time.Second)
		defer cancel()
		_ = v.Sleep(ctx, time.Second)
	})
	j.check(t, "1s timer: context deadline exceeded")
}

func TestTimeoutOfZeroOrLessHasEnded(t *testing.T) {
	simulate(t, func(ctx context.Context, v *clock.Virtual, _ *journal) {
		for _, d := range []time.Duration{0, -1, math.MinInt64} {
			ctx, cancel := v.WithTimeout(ctx, d)
			cancel()
			if ctx.Err() != context.DeadlineExceeded {
				t.Errorf("timeout %d: %v", d, ctx.Err())
			}
		}
	})
}

func TestTimeoutBeyondTheRangeOfTimeIsAPlainCancel(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		_ = v.Sleep(ctx, time.Second)
		ctx, cancel := v.WithTimeout(ctx, math.MaxInt64)
		if at, ok := ctx.Deadline(); ok {
			t.Errorf("deadline %v", at)
		}
		v.AfterFunc(time.Second, cancel)
		j.add("%v", v.Sleep(ctx, time.Hour))
	})
	j.check(t, "2s context canceled")
}

func TestTheFirstEndOfAContextCounts(t *testing.T) {
	simulate(t, func(ctx context.Context, v *clock.Virtual, _ *journal) {
		ctx, cancel := v.WithTimeout(ctx, time.Second)
		_ = v.Sleep(context.Background(), 2*time.Second)
		cancel()
		cancel()
		if ctx.Err() != context.DeadlineExceeded || context.Cause(ctx) != context.DeadlineExceeded {
			t.Error(ctx.Err(), context.Cause(ctx))
		}
	})
}

func TestAChildEndsWithItsParent(t *testing.T) {
	simulate(t, func(ctx context.Context, v *clock.Virtual, _ *journal) {
		parent, cancelParent := v.WithTimeout(ctx, time.Second)
		defer cancelParent()
		child, cancelChild := v.WithTimeout(parent, time.Hour)
		defer cancelChild()
		if at, _ := child.Deadline(); at.Sub(clock.Epoch) != time.Second {
			t.Errorf("the child's deadline is %v", at)
		}
		if err := v.Sleep(child, time.Minute); err != context.DeadlineExceeded || v.Elapsed() != time.Second {
			t.Errorf("%v at %v", err, v.Elapsed())
		}
		late, cancelLate := v.WithTimeout(parent, time.Hour)
		defer cancelLate()
		if late.Err() != context.DeadlineExceeded {
			t.Errorf("a child of a context that has ended: %v", late.Err())
		}
		short, cancelShort := v.WithTimeout(ctx, time.Hour)
		defer cancelShort()
		inner, cancelInner := v.WithTimeout(short, time.Second)
		defer cancelInner()
		if err := v.Sleep(inner, time.Minute); err != context.DeadlineExceeded || short.Err() != nil {
			t.Errorf("the child: %v, its parent: %v", err, short.Err())
		}
	})
}

func TestOrderOfEnding(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		parent, cancel := v.WithTimeout(ctx, time.Hour)
		second, cancelSecond := v.WithTimeout(parent, time.Hour)
		defer cancelSecond()
		gone, cancelGone := v.WithTimeout(parent, time.Hour)
		third, cancelThird := v.WithTimeout(parent, time.Hour)
		defer cancelThird()
		cancelGone()
		grandchild, cancelGrandchild := v.WithTimeout(second, time.Hour)
		defer cancelGrandchild()
		sleeper := func(name string, under context.Context) {
			v.Go(under, name, func(ctx context.Context) {
				j.add("%s: %v", name, v.Sleep(ctx, time.Minute))
			})
		}
		// Parked in this order, under contexts made in another.
		sleeper("third", third)
		sleeper("grandchild", grandchild)
		sleeper("second", second)
		sleeper("parent 1", parent)
		sleeper("parent 2", parent)
		sleeper("gone", gone)
		_ = v.Sleep(ctx, time.Second)
		cancel()
	})
	j.check(t,
		"0s gone: context canceled",
		"1s parent 1: context canceled",
		"1s parent 2: context canceled",
		"1s second: context canceled",
		"1s grandchild: context canceled",
		"1s third: context canceled")
}

func TestValuesInBetweenChangeNothing(t *testing.T) {
	type key int
	before := runtime.NumGoroutine()
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		ctx, cancel := v.WithTimeout(ctx, time.Second)
		defer cancel()
		deep := ctx
		for i := range 10 {
			deep = context.WithValue(deep, key(i), i)
		}
		inner, cancelInner := v.WithTimeout(deep, time.Hour)
		defer cancelInner()
		if inner.Value(key(3)) != 3 {
			t.Error("a value is lost")
		}
		v.Go(inner, "inner", func(ctx context.Context) { j.add("inner: %v", v.Sleep(ctx, time.Minute)) })
		j.add("deep: %v", v.Sleep(deep, time.Minute))
		// The watch list was not needed: polling would have come too late for
		// a sleep that was cancelled and woken in the same step.
		w := v.NewWaiter(what("either"))
		again, cancelAgain := v.WithTimeout(context.Background(), time.Hour)
		v.AfterFunc(time.Second, func() { cancelAgain(); w.Wake() })
		j.add("park: %v", w.Park(context.WithValue(again, key(0), 0)))
	})
	j.check(t,
		"1s deep: context deadline exceeded",
		"1s inner: context deadline exceeded",
		"2s park: context canceled")
	if after := runtime.NumGoroutine(); after > before+1 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestContextsOfThePackageEndWithTheClocks(t *testing.T) {
	type key struct{}
	cause := errors.New("the cause")
	tests := []struct {
		name       string
		end        func(v *clock.Virtual, ctx context.Context) (context.Context, func())
		err, cause error
	}{
		{"deadline", func(v *clock.Virtual, ctx context.Context) (context.Context, func()) {
			return v.WithTimeout(ctx, time.Second)
		}, context.DeadlineExceeded, context.DeadlineExceeded},
		{"cancel", func(v *clock.Virtual, ctx context.Context) (context.Context, func()) {
			ctx, cancel := v.WithTimeout(ctx, time.Hour)
			v.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}, context.Canceled, context.Canceled},
		{"cancel above with a cause", func(v *clock.Virtual, ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancelCause(ctx)
			v.AfterFunc(time.Second, func() { cancel(cause) })
			return v.WithTimeout(ctx, time.Hour)
		}, context.Canceled, cause},
	}
	for _, test := range tests {
		for _, derivedBefore := range []bool{true, false} {
			simulate(t, func(ctx context.Context, v *clock.Virtual, _ *journal) {
				ctx, cancel := test.end(v, ctx)
				defer cancel()
				derived := ctx
				if derivedBefore {
					var cancel func()
					derived, cancel = context.WithCancel(context.WithValue(ctx, key{}, 1))
					defer cancel()
				}
				if ctx.Err() != nil || derived.Err() != nil || context.Cause(derived) != nil {
					t.Errorf("%s: over before its time: %v, %v", test.name, ctx.Err(), derived.Err())
				}
				_ = v.Sleep(context.Background(), time.Second)
				_ = v.Sleep(context.Background(), time.Nanosecond)
				if !derivedBefore {
					var cancel func()
					derived, cancel = context.WithCancel(ctx)
					defer cancel()
				}
				for _, c := range []context.Context{ctx, derived} {
					select {
					case <-c.Done():
					default:
						t.Errorf("%s: Done is open", test.name)
					}
					if c.Err() != test.err || context.Cause(c) != test.cause {
						t.Errorf("%s: %v because of %v, want %v because of %v", test.name, c.Err(), context.Cause(c), test.err, test.cause)
					}
				}
			})
		}
	}
}

func TestAContextOfThePackageIsNoticedAfterTheStepThatEndsIt(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		limited, cancel := context.WithCancel(ctx)
		child, cancelChild := v.WithTimeout(limited, time.Hour)
		defer cancelChild()
		woken := v.NewWaiter(what("either"))
		v.Go(limited, "sleeper", func(ctx context.Context) { j.add("sleeper: %v", v.Sleep(ctx, time.Minute)) })
		v.Go(child, "child", func(ctx context.Context) { j.add("child: %v", v.Sleep(ctx, time.Minute)) })
		v.Go(limited, "woken", func(ctx context.Context) { j.add("woken: %v", woken.Park(ctx)) })
		v.Go(limited, "yields", func(ctx context.Context) {
			_ = v.Sleep(ctx, time.Second)
			j.add("yields: %v", v.Sleep(ctx, 0))
		})
		_ = v.Sleep(ctx, time.Second)
		cancel()
		woken.Wake() // in the same step: the wake-up is noticed first
		j.add("main: %v", v.Sleep(limited, time.Minute))
	})
	j.check(t,
		"1s main: context canceled",
		"1s yields: context canceled",
		"1s woken: <nil>",
		"1s child: context canceled",
		"1s sleeper: context canceled")
}

func TestAContextWithoutCancelIsNotCancelled(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		limited, cancel := v.WithTimeout(ctx, time.Second)
		defer cancel()
		free := context.WithoutCancel(limited)
		j.add("%v", v.Sleep(free, time.Minute))
		inner, cancelInner := v.WithTimeout(free, time.Second)
		defer cancelInner()
		j.add("%v", v.Sleep(inner, time.Minute))
	})
	j.check(t, "1m0s <nil>", "1m1s context deadline exceeded")
}

func TestAContextOfAnotherClockIsForeign(t *testing.T) {
	other := clock.NewVirtual(clock.VirtualOptions{})
	foreign, cancel := other.WithTimeout(context.Background(), time.Nanosecond)
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		v.AfterFunc(time.Minute, cancel)
		j.add("%v", v.Sleep(foreign, time.Hour))
	})
	j.check(t, "1m0s context canceled")
}
