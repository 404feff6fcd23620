package clock_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

func TestStallNamesEveryParkedTask(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	j := &journal{clk: v}
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "worker-1", func(ctx context.Context) {
			defer func() { j.add("worker-1 unwound") }()
			err := v.NewWaiter(what(`a lease of pool "api"`)).Park(ctx)
			j.add("worker-1: %v, %v because of %v", err, ctx.Err(), errors.Is(context.Cause(ctx), clock.ErrStalled))
		})
		v.Go(ctx, "worker-2", func(ctx context.Context) { _ = v.NewWaiter(nil).Park(ctx) })
		v.Go(ctx, "ended", func(ctx context.Context) {})
		v.Go(ctx, "asleep", func(ctx context.Context) { _ = v.Sleep(ctx, 1<<63-1) })
		v.Go(ctx, "odd", func(ctx context.Context) { _ = v.NewWaiter(panicking{}).Park(ctx) })
		_ = v.Sleep(ctx, 90*time.Second)
		defer func() { j.add("main unwound") }()
		_ = v.NewWaiter(what("Godot")).Park(ctx)
	})
	var stall *clock.StallError
	if !errors.As(err, &stall) || !errors.Is(err, clock.ErrStalled) {
		t.Fatalf("got %v, want a stall", err)
	}
	want := []clock.TaskState{
		{"main", "Godot"},
		{"worker-1", `a lease of pool "api"`},
		{"worker-2", "something without a name"},
		{"asleep", "sleep without end"},
		{"odd", "something whose String panics: oops"},
	}
	if stall.At != 90*time.Second || !slices.Equal(stall.Tasks, want) {
		t.Errorf("stalled at %v with %v", stall.At, stall.Tasks)
	}
	j.check(t, "1m30s main unwound",
		"1m30s worker-1: clock: the run is over, context canceled because of true",
		"1m30s worker-1 unwound")
	for _, part := range []string{"stalled at 1m30s", `"main" (Godot), "worker-1" (a lease of pool "api")`} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

type panicking struct{}

func (panicking) String() string { panic("oops") }

func TestALongListOfTasksIsCut(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		for i := range 100 {
			v.Go(ctx, fmt.Sprint(i), func(ctx context.Context) { _ = v.NewWaiter(what("x")).Park(ctx) })
		}
	})
	if s := err.Error(); !strings.Contains(s, `"9" (x) and 90 more`) || strings.Contains(s, `"10"`) {
		t.Error(s)
	}
}

func TestLivelock(t *testing.T) {
	tests := []struct {
		name  string
		spin  func(v *clock.Virtual, ctx context.Context)
		tasks []clock.TaskState
	}{
		{"two tasks yield to each other", func(v *clock.Virtual, ctx context.Context) {
			for range 2 {
				v.Go(ctx, "spinner", func(ctx context.Context) {
					for v.Sleep(ctx, 0) == nil {
					}
				})
			}
		}, []clock.TaskState{{"spinner", "runnable"}, {"spinner", "runnable"}}},
		{"a task yields alone", func(v *clock.Virtual, ctx context.Context) {
			for v.Sleep(ctx, 0) == nil {
			}
		}, []clock.TaskState{{"main", "runnable"}}},
		{"a task ignores that its context has ended", func(v *clock.Virtual, ctx context.Context) {
			over, cancel := v.WithTimeout(ctx, 0)
			defer cancel()
			for !errors.Is(v.Sleep(over, time.Second), clock.ErrStopped) {
			}
		}, []clock.TaskState{{"main", "runnable"}}},
		{"a task wakes itself", func(v *clock.Virtual, ctx context.Context) {
			w := v.NewWaiter(what("myself"))
			for w.Wake(); w.Park(ctx) == nil; w.Wake() {
			}
		}, []clock.TaskState{{"main", "runnable"}}},
		{"a task parks where another one is parked, again and again", func(v *clock.Virtual, ctx context.Context) {
			w := v.NewWaiter(what("a lease"))
			v.Go(ctx, "first", func(ctx context.Context) { _ = w.Park(ctx) })
			_ = v.Sleep(ctx, 0)
			for !errors.Is(w.Park(ctx), clock.ErrStopped) {
			}
		}, []clock.TaskState{{"main", "runnable"}, {"first", "a lease"}}},
		{"a timer of no duration starts itself again", func(v *clock.Virtual, ctx context.Context) {
			var again func()
			again = func() { v.AfterFunc(0, again) }
			again()
			_ = v.NewWaiter(what("the timer")).Park(ctx)
		}, []clock.TaskState{{"main", "the timer"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := clock.NewVirtual(clock.VirtualOptions{MaxSwitches: 700})
			err := v.Run(context.Background(), func(ctx context.Context) {
				_ = v.Sleep(ctx, time.Second)
				test.spin(v, ctx)
			})
			var livelock *clock.LivelockError
			if !errors.As(err, &livelock) {
				t.Fatalf("got %v, want a livelock", err)
			}
			if livelock.At != time.Second || livelock.Switches != 700 || !slices.Equal(livelock.Tasks, test.tasks) {
				t.Errorf("livelock at %v after %d switches, tasks %v", livelock.At, livelock.Switches, livelock.Tasks)
			}
		})
	}
}

func TestTheBoundOfSwitchesIsExact(t *testing.T) {
	for _, most := range []int{1, 2, 255, 256, 257, 1000} {
		run := func(yields int) error {
			v := clock.NewVirtual(clock.VirtualOptions{MaxSwitches: most})
			return v.Run(context.Background(), func(ctx context.Context) { // the first switch
				for range yields {
					_ = v.Sleep(ctx, 0)
				}
				_ = v.Sleep(ctx, time.Second)
				for range most - 1 { // the end of the sleep is the first switch at 1s
					_ = v.Sleep(ctx, 0)
				}
			})
		}
		if err := run(most - 1); err != nil {
			t.Errorf("%d switches, %d allowed: %v", most, most, err)
		}
		var livelock *clock.LivelockError
		if err := run(most); !errors.As(err, &livelock) {
			t.Errorf("%d switches, %d allowed: %v", most+1, most, err)
		}
	}
}

func TestBudget(t *testing.T) {
	cause := errors.New("the sweep took too long")
	ctx, cancel := context.WithCancelCause(context.Background())
	v := clock.NewVirtual(clock.VirtualOptions{})
	unwound := false
	err := v.Run(ctx, func(ctx context.Context) {
		v.Go(ctx, "parked", func(ctx context.Context) {
			defer func() { unwound = true }()
			_ = v.NewWaiter(what("nothing")).Park(ctx)
		})
		for i := 0; ; i++ {
			if i == 1000 {
				cancel(cause)
			}
			if v.Sleep(ctx, time.Second) != nil {
				break
			}
		}
	})
	var budget *clock.BudgetError
	if !errors.As(err, &budget) || !errors.Is(err, cause) || !unwound {
		t.Fatalf("got %v, unwound: %t", err, unwound)
	}
	// Main and parked begin, then every sleep is a step, and every 256th step
	// looks at the context.
	if budget.Steps != 1024 || budget.At != 1022*time.Second {
		t.Errorf("ended after %d steps at %v, want 1024 steps, 17m2s", budget.Steps, budget.At)
	}
}

func TestAContextThatHasEndedRunsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(ctx, func(context.Context) { t.Error("main began") })
	var budget *clock.BudgetError
	if !errors.As(err, &budget) || !errors.Is(err, context.Canceled) || budget.Steps != 0 {
		t.Error(err)
	}
}

func TestPanic(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	j := &journal{clk: v}
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "innocent", func(ctx context.Context) {
			defer func() {
				j.add("innocent unwound")
				panic("while unwinding")
			}()
			_ = v.Sleep(ctx, time.Hour)
		})
		v.Go(ctx, "bystander", func(ctx context.Context) {
			defer func() { j.add("bystander unwound") }()
			_ = v.Sleep(ctx, time.Hour)
		})
		v.Go(ctx, "culprit", func(ctx context.Context) {
			defer func() { j.add("culprit unwound") }()
			_ = v.Sleep(ctx, time.Second)
			explode()
		})
	})
	var p *clock.PanicError
	if !errors.As(err, &p) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("got %v, want a panic", err)
	}
	if p.Task != "culprit" || p.At != time.Second || p.Value != io.ErrUnexpectedEOF || !strings.Contains(string(p.Stack), "clock_test.explode") {
		t.Errorf("panic in %q at %v: %v\n%s", p.Task, p.At, p.Value, p.Stack)
	}
	j.check(t, "1s culprit unwound", "1s innocent unwound", "1s bystander unwound")
}

func explode() { panic(io.ErrUnexpectedEOF) }

func TestPanicOutsideOfTasks(t *testing.T) {
	t.Run("in a timer function", func(t *testing.T) {
		v := clock.NewVirtual(clock.VirtualOptions{})
		unwound := false
		err := v.Run(context.Background(), func(ctx context.Context) {
			defer func() { unwound = true }()
			v.AfterFunc(time.Second, explode)
			_ = v.Sleep(ctx, time.Hour)
		})
		var p *clock.PanicError
		if !errors.As(err, &p) || p.Task != "timer function" || p.At != time.Second || !unwound ||
			!strings.Contains(string(p.Stack), "clock_test.explode") {
			t.Error(err, unwound)
		}
	})
	t.Run("in BeforeAdvance", func(t *testing.T) {
		v := clock.NewVirtual(clock.VirtualOptions{BeforeAdvance: func() error { panic("oops") }})
		err := v.Run(context.Background(), func(ctx context.Context) { _ = v.Sleep(ctx, time.Hour) })
		var p *clock.PanicError
		if !errors.As(err, &p) || p.Value != "oops" {
			t.Error(err)
		}
	})
}

func TestUnwindingRefusesEverything(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	w := v.NewWaiter(what("nothing"))
	var errs []error
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "parked", func(ctx context.Context) { _ = w.Park(ctx); t.Log("unwound") })
		defer func() {
			errs = append(errs, v.Sleep(ctx, time.Second), v.Sleep(ctx, 0), v.Sleep(context.Background(), time.Second))
			errs = append(errs, v.NewWaiter(nil).Park(ctx))
			limited, cancel := v.WithTimeout(ctx, time.Second)
			if limited.Err() == nil {
				t.Error("a new context under the run's has not ended")
			}
			cancel()
			w.Wake()
			v.AfterFunc(0, func() { t.Error("a timer was started") })
			v.Go(ctx, "late", func(context.Context) { t.Error("a task was started") })
		}()
		_ = v.NewWaiter(nil).Park(ctx)
	})
	if !errors.Is(err, clock.ErrStalled) || len(errs) != 4 || v.Elapsed() != 0 {
		t.Error(err, errs, v.Elapsed())
	}
	for _, err := range errs {
		if !errors.Is(err, clock.ErrStopped) {
			t.Error(err)
		}
	}
}

func TestATaskThatIgnoresTheEndIsEnded(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	calls, unwound := 0, 0
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "stubborn", func(ctx context.Context) {
			defer func() { unwound++ }()
			for v.NewWaiter(what("nothing")).Park(ctx) != nil {
				calls++
			}
		})
		v.Go(ctx, "recovers", func(ctx context.Context) {
			defer func() { unwound++ }()
			for {
				func() {
					defer func() { _ = recover() }()
					_ = v.NewWaiter(what("nothing")).Park(ctx)
				}()
			}
		})
		v.Go(ctx, "last", func(ctx context.Context) {
			defer func() { unwound++ }()
			_ = v.NewWaiter(what("nothing")).Park(ctx)
		})
	})
	if !errors.Is(err, clock.ErrStalled) || unwound != 3 || calls != 1001 {
		t.Errorf("%v; %d of 3 tasks unwound; %d calls", err, unwound, calls)
	}
}

func TestATaskThatNeverBeganIsDropped(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "late", func(context.Context) { t.Error("began after the run had failed") })
		explode()
	})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// gone waits until there are no more goroutines than before.
func gone(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

func TestNoGoroutineIsLeft(t *testing.T) {
	tasks := func(v *clock.Virtual, ctx context.Context) {
		for range 100 {
			v.Go(ctx, "task", func(ctx context.Context) { _ = v.Sleep(ctx, time.Second) })
		}
	}
	tests := map[string]func(v *clock.Virtual, ctx context.Context){
		"all tasks end": tasks,
		"stalled": func(v *clock.Virtual, ctx context.Context) {
			tasks(v, ctx)
			_ = v.NewWaiter(nil).Park(ctx)
		},
		"panic": func(v *clock.Virtual, ctx context.Context) {
			tasks(v, ctx)
			_ = v.Sleep(ctx, time.Millisecond)
			panic("oops")
		},
		"tasks that exit while they are unwound": func(v *clock.Virtual, ctx context.Context) {
			for range 100 {
				v.Go(ctx, "task", func(ctx context.Context) {
					defer runtime.Goexit()
					_ = v.NewWaiter(nil).Park(ctx)
				})
			}
		},
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			v := clock.NewVirtual(clock.VirtualOptions{})
			_ = v.Run(context.Background(), func(ctx context.Context) { f(v, ctx) })
			gone(t, before)
		})
	}
	t.Run("never run", func(t *testing.T) {
		before := runtime.NumGoroutine()
		v := clock.NewVirtual(clock.VirtualOptions{})
		tasks(v, context.Background())
		v.AfterFunc(time.Second, func() {})
		ctx, cancel := v.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, cancelDerived := context.WithCancel(ctx)
		defer cancelDerived()
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%d goroutines before, %d after", before, n)
		}
	})
}
