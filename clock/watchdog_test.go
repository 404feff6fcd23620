package clock_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// nextLine returns the line after the one that calls it, as file:line.
func nextLine() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file, line+1)
}

// slow is for specs that wait for the watchdog, which takes real time.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes a second or two")
	}
	t.Parallel()
}

func TestATaskThatBlocksOutsideTheClockIsNamed(t *testing.T) {
	slow(t)
	release := make(chan struct{})
	var held sync.Mutex
	// The run is given up without synchronisation: the place comes by channel.
	places := make(chan string, 1)
	tests := []struct {
		name, state    string
		block, unblock func()
	}{
		{"a channel", "chan receive",
			func() {
				places <- nextLine()
				<-release
			},
			func() { close(release) }},
		{"a mutex", "sync.Mutex.Lock",
			func() {
				held.Lock()
				places <- nextLine()
				held.Lock()
			},
			func() { held.Unlock() }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := clock.NewVirtual(clock.VirtualOptions{})
			bystander := make(chan error, 1)
			err := v.Run(context.Background(), func(ctx context.Context) {
				v.Go(ctx, "bystander", func(ctx context.Context) { bystander <- v.Sleep(ctx, time.Hour) })
				v.Go(ctx, fmt.Sprint("block", "er"), func(ctx context.Context) {
					_ = v.Sleep(ctx, time.Second)
					test.block()
				})
			})
			place := <-places
			var foreign *clock.ForeignError
			if !errors.As(err, &foreign) {
				t.Fatalf("got %v", err)
			}
			if foreign.Task != "blocker" || foreign.State != test.state || foreign.At != time.Second || foreign.Place != place ||
				!strings.Contains(err.Error(), place) || !strings.Contains(string(foreign.Stack), "clock_test.TestATaskThatBlocks") {
				t.Errorf("%v\nwant it at %s", err, place)
			}
			// If the task comes back after all, everything is unwound.
			test.unblock()
			if err := <-bystander; err != clock.ErrStopped {
				t.Errorf("the bystander got %v", err)
			}
		})
	}
}

func TestATimerFunctionThatBlocksIsNamed(t *testing.T) {
	slow(t)
	release := make(chan struct{})
	defer close(release)
	v := clock.NewVirtual(clock.VirtualOptions{})
	places := make(chan string, 1)
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.AfterFunc(time.Second, func() {
			places <- nextLine()
			<-release
		})
		_ = v.Sleep(ctx, time.Minute)
	})
	place := <-places
	var foreign *clock.ForeignError
	if !errors.As(err, &foreign) || foreign.Task != "timer function" || foreign.State != "chan receive" || foreign.Place != place {
		t.Errorf("%v\nwant it at %s", err, place)
	}
}

func TestATaskThatBlocksWhileItIsUnwoundDoesNotHideTheFailure(t *testing.T) {
	slow(t)
	release := make(chan struct{})
	defer close(release)
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "blocker", func(ctx context.Context) {
			defer func() { <-release }()
			_ = v.Sleep(ctx, time.Hour)
		})
		_ = v.Sleep(ctx, time.Second)
		explode()
	})
	var foreign *clock.ForeignError
	var p *clock.PanicError
	if !errors.As(err, &foreign) || foreign.Task != "blocker" || !errors.As(err, &p) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

func TestATaskThatComputesIsLeftAlone(t *testing.T) {
	slow(t)
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		for start := time.Now(); time.Since(start) < 1500*time.Millisecond; {
		}
		_ = v.Sleep(ctx, time.Second)
	})
	if err != nil || v.Elapsed() != time.Second {
		t.Error(err, v.Elapsed())
	}
}

func TestATaskThatComputesForEverEndsWithTheBudget(t *testing.T) {
	slow(t)
	var enough atomic.Bool
	defer enough.Store(true)
	ctx, cancel := context.WithCancel(context.Background())
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(ctx, func(ctx context.Context) {
		v.Go(ctx, "busy", func(ctx context.Context) {
			_ = v.Sleep(ctx, time.Second)
			cancel()
			for !enough.Load() {
			}
		})
	})
	var budget *clock.BudgetError
	if !errors.As(err, &budget) || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if budget.Task != "busy" || budget.At != time.Second || budget.Steps != 3 || !strings.Contains(string(budget.Stack), "clock_test.TestATaskThatComputesForEver") {
		t.Error(err)
	}
}
