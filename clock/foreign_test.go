package clock_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

func TestAForeignCallEndsTheRun(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("goroutines cannot be told apart on this architecture")
	}
	timer := func(v *clock.Virtual) clock.Timer { return v.AfterFunc(time.Hour, func() {}) }
	tests := map[string]func(v *clock.Virtual, ctx context.Context, w clock.Waiter, tm clock.Timer, cancel func()) error{
		"Sleep": func(v *clock.Virtual, ctx context.Context, _ clock.Waiter, _ clock.Timer, _ func()) error {
			return v.Sleep(ctx, time.Second)
		},
		"Waiter.Park": func(_ *clock.Virtual, ctx context.Context, w clock.Waiter, _ clock.Timer, _ func()) error {
			return w.Park(ctx)
		},
		"Waiter.Wake": func(_ *clock.Virtual, _ context.Context, w clock.Waiter, _ clock.Timer, _ func()) error {
			w.Wake()
			return nil
		},
		"Go": func(v *clock.Virtual, ctx context.Context, _ clock.Waiter, _ clock.Timer, _ func()) error {
			v.Go(ctx, "task", func(context.Context) {})
			return nil
		},
		"AfterFunc": func(v *clock.Virtual, _ context.Context, _ clock.Waiter, _ clock.Timer, _ func()) error {
			timer(v)
			return nil
		},
		"Timer.Stop": func(_ *clock.Virtual, _ context.Context, _ clock.Waiter, tm clock.Timer, _ func()) error {
			tm.Stop()
			return nil
		},
		"WithTimeout": func(v *clock.Virtual, ctx context.Context, _ clock.Waiter, _ clock.Timer, _ func()) error {
			ctx, cancel := v.WithTimeout(ctx, time.Second)
			defer cancel()
			return context.Cause(ctx)
		},
		"a context's cancel function": func(_ *clock.Virtual, _ context.Context, _ clock.Waiter, _ clock.Timer, cancel func()) error {
			cancel()
			return nil
		},
		"Elapsed": func(v *clock.Virtual, _ context.Context, _ clock.Waiter, _ clock.Timer, _ func()) error {
			v.Now()
			return nil
		},
	}
	for call, intrude := range tests {
		t.Run(call, func(t *testing.T) {
			v := clock.NewVirtual(clock.VirtualOptions{})
			unwound := false
			err := v.Run(context.Background(), func(ctx context.Context) {
				w, tm := v.NewWaiter(nil), timer(v)
				limited, cancel := v.WithTimeout(ctx, time.Hour)
				defer cancel()
				defer func() { unwound = true }()
				_ = v.Sleep(ctx, time.Second)
				var wg sync.WaitGroup
				wg.Go(func() {
					err := intrude(v, limited, w, tm, cancel)
					var foreign *clock.ForeignError
					if err != nil && !errors.As(err, &foreign) {
						t.Errorf("the foreign call returned %v", err)
					}
				})
				wg.Wait()
				for v.Sleep(ctx, time.Second) == nil {
				}
			})
			var foreign *clock.ForeignError
			if !errors.As(err, &foreign) || !unwound {
				t.Fatalf("got %v, unwound: %t", err, unwound)
			}
			if foreign.Call != call || foreign.At != time.Second || foreign.Task != "" ||
				!strings.Contains(foreign.Place, "foreign_test.go:") || !strings.Contains(err.Error(), foreign.Place) ||
				!strings.Contains(string(foreign.Stack), "TestAForeignCallEndsTheRun") {
				t.Error(err)
			}
		})
	}
}

func TestATimerFunctionMustNotBlock(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	var inside error
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.AfterFunc(time.Second, func() { inside = v.Sleep(ctx, time.Second) })
		_ = v.Sleep(ctx, time.Minute)
	})
	var foreign *clock.ForeignError
	if !errors.As(err, &foreign) || foreign.Call != "Sleep" || foreign.Task != "timer function" || foreign.At != time.Second {
		t.Error(err)
	}
	if !errors.As(inside, &foreign) {
		t.Errorf("the call returned %v", inside)
	}
}

func TestATimerFunctionThatGoesOnBlockingIsEnded(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	unwound := false
	err := v.Run(context.Background(), func(ctx context.Context) {
		defer func() { unwound = true }()
		v.AfterFunc(time.Second, func() {
			for v.Sleep(ctx, time.Second) != nil {
			}
		})
		_ = v.Sleep(ctx, time.Minute)
	})
	var foreign *clock.ForeignError
	if !errors.As(err, &foreign) || foreign.Call != "Sleep" || !unwound {
		t.Error(err, unwound)
	}
}

func TestBeforeAdvanceMustNotBlock(t *testing.T) {
	for _, others := range []int{0, 1} { // the sleep is in place, or not
		var v *clock.Virtual
		v = clock.NewVirtual(clock.VirtualOptions{BeforeAdvance: func() error {
			_ = v.Sleep(context.Background(), time.Second)
			return nil
		}})
		err := v.Run(context.Background(), func(ctx context.Context) {
			for range others {
				v.Go(ctx, "other", func(ctx context.Context) { _ = v.Sleep(ctx, time.Second) })
			}
			_ = v.Sleep(ctx, time.Minute)
			_ = v.Sleep(ctx, time.Minute)
		})
		var foreign *clock.ForeignError
		if !errors.As(err, &foreign) || foreign.Call != "Sleep" {
			t.Error(err)
		}
	}
}
