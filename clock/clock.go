package clock

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Epoch is the instant at which every virtual and every scaled clock starts.
var Epoch = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// ErrStopped is what a blocking call returns while its run is being unwound:
// the run has ended (stalled, out of budget, failed or cancelled) and the task
// must return so that its deferred functions run.
var ErrStopped = errors.New("clock: the run is over")

// Clock is the only source of time and of waiting for code that must behave
// the same in production and in a simulation. Virtual, Scaled and Real
// implement it. All durations are this clock's time.
type Clock interface {
	// Now returns the current instant.
	Now() time.Time

	// Elapsed returns the time since this clock started. It is monotonic and
	// the cheapest way to read the clock; deadlines are kept in it.
	Elapsed() time.Duration

	// Sleep waits for d, or until ctx ends, which it reports as ctx.Err(). A
	// zero or negative d lets the other runnable tasks go first and returns
	// without moving time.
	Sleep(ctx context.Context, d time.Duration) error

	// NewWaiter returns a place for one task to wait. What it waits for is
	// named by what, which is only asked when somebody wants to know.
	NewWaiter(what fmt.Stringer) Waiter

	// AfterFunc calls f once, d from now (at once, but not inside this call,
	// if d <= 0), unless the timer is stopped before. f must not block.
	AfterFunc(d time.Duration, f func()) Timer

	// WithTimeout is context.WithTimeout on this clock's time.
	WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc)

	// Go starts f as a task of its own; name is how errors and reports call
	// it. f is handed ctx, or a context derived from it.
	Go(ctx context.Context, name string, f func(ctx context.Context))
}

// Waiter is where one task parks until another one, or a timer's function,
// wakes it. It holds at most one wake-up: Wake before Park makes the next
// Park return at once, and a second Wake before that Park adds nothing.
type Waiter interface {
	// Park waits until Wake was called or ctx ended, which it reports as
	// ctx.Err(). If both happened, the one that came first wins; a wake-up
	// that lost is kept for the next Park.
	Park(ctx context.Context) error

	// Wake lets the parked task go on. It never blocks.
	Wake()
}

// Timer is a pending call of AfterFunc.
type Timer interface {
	// Stop prevents the call and reports whether it did: false means that the
	// function was called already or the timer was stopped before.
	Stop() bool
}

var (
	_ Clock = (*Virtual)(nil)
	_ Clock = (*Scaled)(nil)
	_ Clock = (*RealClock)(nil)
)
