package clock

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Scaled is real time, sped up: one second of it passes in 1/speedup real
// seconds, counted from the Epoch. It is safe for concurrent use.
//
// It exists to keep Virtual honest: a model that gives other results on a
// Scaled clock depends on something that the simulation leaves out. What the
// processor needs is sped up, too, so times come out longer the larger the
// speed-up is.
type Scaled struct {
	start   time.Time
	speedup float64
}

// NewScaled returns a clock that starts now, at the Epoch. The speed-up must be
// positive and finite; below 1 it slows down.
func NewScaled(speedup float64) (*Scaled, error) {
	if !(speedup > 0) || math.IsInf(speedup, 0) {
		return nil, fmt.Errorf("clock: speedup %v: must be positive and finite", speedup)
	}
	return &Scaled{start: time.Now(), speedup: speedup}, nil
}

// Now returns the Epoch plus the scaled time since the clock was made.
func (c *Scaled) Now() time.Time { return Epoch.Add(c.Elapsed()) }

// Elapsed returns the scaled time since the clock was made.
func (c *Scaled) Elapsed() time.Duration {
	return saturate(float64(time.Since(c.start)) * c.speedup)
}

// real converts a duration of this clock to real time, rounded up.
func (c *Scaled) real(d time.Duration) time.Duration {
	return saturate(math.Ceil(float64(d) / c.speedup))
}

// saturate converts to a Duration, between 0 and the largest there is.
func saturate(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(max(ns, 0))
}

// Sleep waits for d of this clock's time, or until ctx ends.
func (c *Scaled) Sleep(ctx context.Context, d time.Duration) error {
	return sleep(ctx, c.real(d))
}

// NewWaiter returns a place for one task to wait.
func (c *Scaled) NewWaiter(fmt.Stringer) Waiter { return newSignal() }

// AfterFunc calls f on a goroutine of its own, d of this clock's time from now.
func (c *Scaled) AfterFunc(d time.Duration, f func()) Timer {
	return time.AfterFunc(c.real(d), f)
}

// WithTimeout is context.WithTimeout on this clock's time: the deadline of the
// context is an instant of this clock.
func (c *Scaled) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	deadline := c.Now().Add(d)
	if p, ok := parent.Deadline(); ok && p.Before(deadline) {
		deadline = p
	}
	ctx, cancel := context.WithTimeout(timeless{parent}, c.real(d))
	return scaledContext{ctx, deadline}, cancel
}

// Go starts a goroutine that carries the profiler label task=name.
func (c *Scaled) Go(ctx context.Context, name string, f func(ctx context.Context)) {
	spawn(ctx, name, f)
}

// scaledContext reports its deadline on the scaled clock.
type scaledContext struct {
	context.Context
	deadline time.Time
}

func (c scaledContext) Deadline() (time.Time, bool) { return c.deadline, true }

// timeless hides the deadline of a parent from package context, which would
// take an instant of the scaled clock for one of the real clock, long past, and
// arm no timer of its own.
type timeless struct{ context.Context }

func (timeless) Deadline() (time.Time, bool) { return time.Time{}, false }
