package clock

import (
	"fmt"
	"runtime/debug"
	"time"
)

// ForeignError says that something outside of the run got in its way: a
// goroutine that is none of its tasks called into the clock, or a task blocked
// on something that the clock does not know (a channel, a mutex, time.Sleep,
// the network).
type ForeignError struct {
	// At is the simulated time since the epoch.
	At time.Duration
	// Call is the method that a foreign goroutine called, or a timer function,
	// which must not block. It is empty if a task blocked.
	Call string
	// Task is the task that blocked (or "timer function").
	Task string
	// State is how it blocked, in the words of the Go runtime: "chan receive",
	// "sleep", "sync.Mutex.Lock".
	State string
	// Place is the line of code, as file:line.
	Place string
	// Stack is the stack of the goroutine.
	Stack []byte
}

func (e *ForeignError) Error() string {
	switch {
	case e.Call == "":
		return fmt.Sprintf("clock: %s blocked outside the clock at %v (%s), at %s: "+
			"wait with Sleep or a Waiter of the clock\n\n%s", title(e.Task), e.At, e.State, e.Place, e.Stack)
	case e.Task == timerFunction:
		return fmt.Sprintf("clock: %s called at %v in a timer function, which must not block, at %s: "+
			"start a task for it\n\n%s", e.Call, e.At, e.Place, e.Stack)
	default:
		return fmt.Sprintf("clock: %s called at %v by a goroutine that is no task of this virtual clock, at %s: "+
			"start it with Clock.Go\n\n%s", e.Call, e.At, e.Place, e.Stack)
	}
}

// own reports whether the caller may use the clock: it is what the loop is
// running now, or nothing is being run. The race detector must not see the
// read: an intruder reads while the owner writes, and whatever word it sees is
// not its own name.
//
//go:norace
func (v *Virtual) own() bool {
	return v.g == 0 || v.g == getg()
}

// self returns the task that calls, or nil if no task does.
//
//go:norace
func (v *Virtual) self() *task {
	if v.g != getg() {
		return nil
	}
	return v.cur
}

// intrude records a foreign call, which ends the run, and returns its error.
func (v *Virtual) intrude(call string) error {
	err := v.foreignCall(call)
	v.foreign.CompareAndSwap(nil, err)
	v.alarm.Or(intruded)
	return err
}

// foreignCall describes a call by the goroutine that makes it.
func (v *Virtual) foreignCall(call string) *ForeignError {
	return &ForeignError{At: v.peek(), Call: call, Place: callerPlace(), Stack: debug.Stack()}
}

// peek reads the time without synchronisation, for error messages.
//
//go:norace
func (v *Virtual) peek() time.Duration { return time.Duration(v.now) }
