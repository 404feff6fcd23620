package clock

import (
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"time"
)

// RealClock is the clock for production: package time, package context and
// goroutines. It is safe for concurrent use.
type RealClock struct{ start time.Time }

// Real returns a clock that starts now.
func Real() *RealClock { return &RealClock{start: time.Now()} }

// Now is time.Now.
func (c *RealClock) Now() time.Time { return time.Now() }

// Elapsed returns the time since Real made this clock.
func (c *RealClock) Elapsed() time.Duration { return time.Since(c.start) }

// Sleep waits for d, or until ctx ends.
func (c *RealClock) Sleep(ctx context.Context, d time.Duration) error { return sleep(ctx, d) }

// NewWaiter returns a place for one task to wait.
func (c *RealClock) NewWaiter(fmt.Stringer) Waiter { return newSignal() }

// AfterFunc is time.AfterFunc: f runs on a goroutine of its own.
func (c *RealClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// WithTimeout is context.WithTimeout.
func (c *RealClock) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(parent, d)
}

// Go starts a goroutine that carries the profiler label task=name.
func (c *RealClock) Go(ctx context.Context, name string, f func(ctx context.Context)) {
	spawn(ctx, name, f)
}

func sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d <= 0 {
		runtime.Gosched()
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func spawn(ctx context.Context, name string, f func(ctx context.Context)) {
	go pprof.Do(ctx, pprof.Labels("task", name), f)
}
