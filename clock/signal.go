package clock

import (
	"context"
	"fmt"
)

// signal is the Waiter of the clocks that run on real time: a channel that
// holds one wake-up.
type signal struct {
	what  fmt.Stringer
	token chan struct{}
}

func newSignal(what fmt.Stringer) *signal {
	return &signal{what: what, token: make(chan struct{}, 1)}
}

// Park waits until Wake was called or ctx ended. If both have happened before
// the call, which came first is not known, and the wake-up wins.
func (s *signal) Park(ctx context.Context) error {
	select {
	case <-s.token:
		return nil
	default:
	}
	select {
	case <-s.token:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wake lets the parked task go on.
func (s *signal) Wake() {
	select {
	case s.token <- struct{}{}:
	default:
	}
}

// String names what is waited for.
func (s *signal) String() string {
	if s.what == nil {
		return "something without a name"
	}
	return s.what.String()
}
