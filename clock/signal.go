package clock

import "context"

// signal is the Waiter of the clocks that run on real time: a channel that
// holds one wake-up. They have nobody to tell what it is for.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

// Park waits until Wake was called or ctx ended. If both happened before the
// call, which came first is not known, and the wake-up wins.
func (s signal) Park(ctx context.Context) error {
	select {
	case <-s:
		return nil
	default:
	}
	select {
	case <-s:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wake lets the parked task go on.
func (s signal) Wake() {
	select {
	case s <- struct{}{}:
	default:
	}
}
