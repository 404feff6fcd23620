package clock_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// journal collects lines "instant what" in the order in which things happen.
type journal struct {
	clk   clock.Clock
	mu    sync.Mutex // for clocks other than the virtual one
	lines []string
}

func (j *journal) add(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf("%v ", j.clk.Elapsed())+fmt.Sprintf(format, args...))
}

func (j *journal) check(t *testing.T, want ...string) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Equal(j.lines, want) {
		t.Errorf("what happened:\n\t%q\nwant:\n\t%q", j.lines, want)
	}
}

// what names what a waiter is for.
type what string

func (w what) String() string { return string(w) }

// simulate runs f on a new virtual clock, and expects that all tasks end.
func simulate(t *testing.T, f func(ctx context.Context, v *clock.Virtual, j *journal)) *journal {
	t.Helper()
	v := clock.NewVirtual(clock.VirtualOptions{})
	j := &journal{clk: v}
	if err := v.Run(context.Background(), func(ctx context.Context) { f(ctx, v, j) }); err != nil {
		t.Fatal(err)
	}
	return j
}

func TestConcurrentSleepsOverlap(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	ended := 0
	err := v.Run(context.Background(), func(ctx context.Context) {
		for i := range 32 {
			v.Go(ctx, fmt.Sprint(i), func(ctx context.Context) {
				if err := v.Sleep(ctx, time.Second); err != nil {
					t.Error(err)
				}
				ended++
			})
		}
	})
	if err != nil || ended != 32 || v.Elapsed() != time.Second {
		t.Errorf("32 sleeps of 1 s: %d ended, at %v (%v), want all at 1s", ended, v.Elapsed(), err)
	}
}

func TestTimeStartsAtTheEpoch(t *testing.T) {
	simulate(t, func(ctx context.Context, v *clock.Virtual, _ *journal) {
		if got := v.Now(); !got.Equal(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("started at %v", got)
		}
		_ = v.Sleep(ctx, 90*time.Minute+1)
		if got := v.Now(); !got.Equal(time.Date(2000, 1, 1, 1, 30, 0, 1, time.UTC)) {
			t.Errorf("after 1h30m0.000000001s it is %v", got)
		}
	})
}

func TestTimersFireInOrderOfDeadlineThenCreation(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		v.AfterFunc(3*time.Second, func() { j.add("a") })
		v.AfterFunc(time.Second, func() { j.add("b") })
		v.Go(ctx, "c", func(ctx context.Context) {
			_ = v.Sleep(ctx, 3*time.Second)
			j.add("c")
		})
		v.AfterFunc(3*time.Second, func() { j.add("d") })
		_ = v.Sleep(ctx, 2*time.Second) // here c begins, and goes to sleep
		j.add("main")
		v.AfterFunc(time.Second, func() { j.add("e") })
		_ = v.Sleep(ctx, time.Second)
		j.add("main")
	})
	j.check(t, "1s b", "2s main", "3s a", "3s d", "3s c", "3s e", "3s main")
}

func TestWhatADueTimerWakesGoesBehindAllThatIsDue(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		w := v.NewWaiter(what("a wake-up"))
		v.Go(ctx, "parked", func(ctx context.Context) {
			_ = w.Park(ctx)
			j.add("parked")
		})
		v.Go(ctx, "waker", func(ctx context.Context) {
			_ = v.Sleep(ctx, time.Second)
			j.add("waker")
			w.Wake()
			v.AfterFunc(0, func() { j.add("at once, but behind") })
		})
		v.Go(ctx, "sleeper", func(ctx context.Context) {
			_ = v.Sleep(ctx, time.Second)
			j.add("sleeper")
		})
		_ = v.Sleep(ctx, time.Minute)
	})
	j.check(t, "1s waker", "1s sleeper", "1s parked", "1s at once, but behind")
}

func TestARunningTaskHoldsTimeBack(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		v.Go(ctx, "sleeper", func(ctx context.Context) {
			_ = v.Sleep(ctx, time.Nanosecond)
			j.add("sleeper")
		})
		_ = v.Sleep(ctx, 0) // the sleeper's timer is pending now
		for range 1000 {
			_ = v.Sleep(ctx, 0)
		}
		j.add("main")
	})
	j.check(t, "0s main", "1ns sleeper")
}

func TestSleepOfZeroOrLessLetsOthersGoFirstAndMovesNoTime(t *testing.T) {
	for _, d := range []time.Duration{0, -1, math.MinInt64} {
		j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
			for _, name := range []string{"a", "b"} {
				v.Go(ctx, name, func(ctx context.Context) {
					for i := range 3 {
						j.add("%s%d", name, i)
						if err := v.Sleep(ctx, d); err != nil {
							t.Error(err)
						}
					}
				})
			}
		})
		j.check(t, "0s a0", "0s b0", "0s a1", "0s b1", "0s a2", "0s b2")
	}
}

func TestLoneTaskMayYieldAlone(t *testing.T) {
	simulate(t, func(ctx context.Context, v *clock.Virtual, _ *journal) {
		for range 10_000 {
			if err := v.Sleep(ctx, 0); err != nil || v.Elapsed() != 0 {
				t.Fatal(err, v.Elapsed())
			}
		}
	})
}

func TestTasksStartInOrderBehindWhatIsRunnable(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	j := &journal{clk: v}
	v.Go(context.Background(), "early", func(ctx context.Context) { j.add("early") })
	err := v.Run(context.Background(), func(ctx context.Context) {
		j.add("main")
		v.Go(ctx, "a", func(ctx context.Context) {
			j.add("a")
			v.Go(ctx, "c", func(context.Context) { j.add("c") })
		})
		v.Go(ctx, "b", func(context.Context) { j.add("b") })
		j.add("main")
	})
	if err != nil {
		t.Fatal(err)
	}
	j.check(t, "0s early", "0s main", "0s main", "0s a", "0s b", "0s c")
}

func TestRunWaitsForTasksAndDropsTimers(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	j := &journal{clk: v}
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "long", func(ctx context.Context) {
			_ = v.Sleep(ctx, time.Minute)
			j.add("long")
		})
		v.AfterFunc(time.Hour, func() { j.add("never") })
		j.add("main")
	})
	if err != nil {
		t.Fatal(err)
	}
	j.check(t, "0s main", "1m0s long")
}

func TestTheContextOfARunEndsWithIt(t *testing.T) {
	type key struct{}
	v := clock.NewVirtual(clock.VirtualOptions{})
	var kept context.Context
	err := v.Run(context.WithValue(context.Background(), key{}, "value"), func(ctx context.Context) {
		kept = ctx
		if ctx.Value(key{}) != "value" {
			t.Error("a value of the context given to Run is lost")
		}
		if _, ok := ctx.Deadline(); ok || ctx.Err() != nil {
			t.Error("the run begins with a deadline or an end")
		}
	})
	if err != nil || kept.Err() != context.Canceled || context.Cause(kept) != context.Canceled {
		t.Error(err, kept.Err(), context.Cause(kept))
	}
}

func TestDeadlineOfTheCallerIsNoSimulatedDeadline(t *testing.T) {
	real, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(real, func(ctx context.Context) {
		if at, ok := ctx.Deadline(); ok {
			t.Errorf("deadline %v", at)
		}
		if err := v.Sleep(ctx, 1000*time.Hour); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAVirtualClockRunsOnce(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	nothing := func(context.Context) {}
	if err := v.Run(context.Background(), nothing); err != nil {
		t.Fatal(err)
	}
	if err := v.Run(context.Background(), nothing); err == nil {
		t.Error("a second Run went through")
	}
}

func TestTheClockStandsAfterARun(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	w := v.NewWaiter(what("anything"))
	err := v.Run(context.Background(), func(ctx context.Context) { _ = v.Sleep(ctx, time.Second) })
	if err != nil {
		t.Fatal(err)
	}
	w.Wake()
	v.Go(context.Background(), "late", func(context.Context) { t.Error("a task started after the run") })
	if v.AfterFunc(0, func() { t.Error("a timer fired after the run") }).Stop() {
		t.Error("a timer of a clock that stands was stopped in time")
	}
	_, cancel := v.WithTimeout(context.Background(), time.Second)
	cancel()
	if err := v.Sleep(context.Background(), time.Second); err != clock.ErrStopped {
		t.Errorf("Sleep after the run: %v", err)
	}
	if err := w.Park(context.Background()); err != clock.ErrStopped {
		t.Errorf("Park after the run: %v", err)
	}
	if v.Elapsed() != time.Second {
		t.Errorf("the clock stands at %v, want 1s", v.Elapsed())
	}
}

func TestOnlyTasksCanWait(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	if err := v.Sleep(context.Background(), time.Second); err == nil || errors.Is(err, clock.ErrStopped) {
		t.Errorf("Sleep before Run: %v", err)
	}
	if err := v.Run(context.Background(), func(context.Context) {}); err != nil {
		t.Errorf("a refused call broke the run: %v", err)
	}
}

func TestStepsCountSwitchesAndSleepsInPlace(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) { // step 1
		_ = v.Sleep(ctx, time.Second) // 2, in place: no other timer
		v.AfterFunc(time.Second, func() {})
		_ = v.Sleep(ctx, time.Second-1) // 3, in place: before the timer
		_ = v.Sleep(ctx, 1)             // 4 and 5: the timer was there first
		_ = v.Sleep(ctx, 0)             // 6, nobody else
	})
	if err != nil || v.Steps() != 6 || v.Elapsed() != 2*time.Second {
		t.Errorf("%d steps, %v, %v; want 6 steps, 2s", v.Steps(), v.Elapsed(), err)
	}
}

func TestTimerStop(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		pending := v.AfterFunc(time.Second, func() { j.add("pending") })
		if !pending.Stop() || pending.Stop() {
			t.Error("the first Stop of a pending timer prevents the call, the second does not")
		}
		fired := v.AfterFunc(time.Second, func() { j.add("fired") })
		_ = v.Sleep(ctx, 2*time.Second)
		if fired.Stop() {
			t.Error("Stop prevented a call that was made")
		}
		// Both are due at once; the first stops the second.
		var second clock.Timer
		v.AfterFunc(time.Second, func() {
			j.add("first")
			if !second.Stop() {
				t.Error("Stop did not prevent a call that was due, but not made")
			}
		})
		second = v.AfterFunc(time.Second, func() { j.add("second") })
		_ = v.Sleep(ctx, 2*time.Second)
	})
	j.check(t, "1s fired", "3s first")
}

func TestAfterFuncOfZeroOrLessIsNotCalledInside(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		for _, d := range []time.Duration{0, -time.Second, math.MinInt64} {
			v.AfterFunc(d, func() { j.add("%d", d) })
		}
		j.add("main")
		_ = v.Sleep(ctx, 0)
	})
	j.check(t, "0s main", "0s 0", "0s -1000000000", "0s -9223372036854775808")
}

func TestTimerFunctionsMayDoEverythingButBlock(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		w := v.NewWaiter(what("the timer"))
		limited, cancel := v.WithTimeout(ctx, time.Hour)
		v.Go(limited, "limited", func(ctx context.Context) { j.add("limited: %v", v.Sleep(ctx, 2*time.Hour)) })
		v.AfterFunc(time.Second, func() {
			w.Wake()
			cancel()
			v.AfterFunc(time.Second, func() { j.add("a timer") })
			v.Go(ctx, "a task", func(context.Context) { j.add("a task") })
		})
		j.add("main: %v", w.Park(ctx))
		_ = v.Sleep(ctx, time.Minute)
	})
	j.check(t, "1s main: <nil>", "1s limited: context canceled", "1s a task", "2s a timer")
}

func TestSleepBeyondTheRangeOfTimeEndsOnlyWithItsContext(t *testing.T) {
	j := simulate(t, func(ctx context.Context, v *clock.Virtual, j *journal) {
		_ = v.Sleep(ctx, time.Second)
		ctx, cancel := v.WithTimeout(ctx, time.Minute)
		defer cancel()
		j.add("%v", v.Sleep(ctx, math.MaxInt64))
	})
	j.check(t, "1m1s context deadline exceeded")
}

func TestBeforeAdvanceIsAskedBeforeTimeMoves(t *testing.T) {
	doomed := errors.New("every resource is dead")
	var asked []time.Duration
	var v *clock.Virtual
	v = clock.NewVirtual(clock.VirtualOptions{BeforeAdvance: func() error {
		asked = append(asked, v.Elapsed())
		if v.Elapsed() >= 2*time.Second {
			return doomed
		}
		return nil
	}})
	err := v.Run(context.Background(), func(ctx context.Context) {
		_ = v.Sleep(ctx, 0)
		v.Go(ctx, "sleeper", func(ctx context.Context) { _ = v.Sleep(ctx, 2*time.Second) })
		for v.Sleep(ctx, 1500*time.Millisecond) == nil {
		}
	})
	var stall *clock.StallError
	if !errors.As(err, &stall) || !errors.Is(err, clock.ErrStalled) || !errors.Is(err, doomed) {
		t.Fatalf("got %v, want a stall because of %q", err, doomed)
	}
	if stall.At != 2*time.Second || v.Elapsed() != 2*time.Second {
		t.Errorf("stalled at %v, the clock stands at %v, want 2s", stall.At, v.Elapsed())
	}
	want := []clock.TaskState{{Name: "main", WaitsFor: "sleep until 3s"}}
	if !slices.Equal(stall.Tasks, want) {
		t.Errorf("tasks %v, want %v", stall.Tasks, want)
	}
	if got := slices.Compact(asked); !slices.Equal(got, []time.Duration{0, 1500 * time.Millisecond, 2 * time.Second}) {
		t.Errorf("asked at %v", got)
	}
}
