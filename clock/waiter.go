package clock

import (
	"context"
	"fmt"
)

// waiter is the virtual clock's Waiter.
type waiter struct {
	v    *Virtual
	what fmt.Stringer
	task *task  // parked here
	woke uint64 // when the wake-up that it holds came; 0 = none
}

// NewWaiter returns a place for one task to wait.
func (v *Virtual) NewWaiter(what fmt.Stringer) Waiter {
	return &waiter{v: v, what: what}
}

// Park waits until Wake was called or ctx ended. When a context that is not of
// this clock ended is not known: a wake-up that is there wins. A second task
// that parks at the same place gets an error.
func (w *waiter) Park(ctx context.Context) error {
	v := w.v
	t := v.self()
	if t == nil || v.stopping {
		return v.refuse(t, "Waiter.Park")
	}
	c, ok := ctx.(*scope)
	if !ok || c.v != v {
		c = v.enclosing(ctx)
	}
	if c != &v.root && (w.woke == 0 || w.woke > c.ended) {
		if err := ctx.Err(); err != nil {
			return v.spin(err)
		}
	}
	if w.woke != 0 {
		w.woke = 0
		return v.spin(nil)
	}
	if w.task != nil {
		return v.spin(fmt.Errorf("clock: waiter for %s: task %q is parked here: a waiter is for one task", w, w.task.name))
	}
	w.task, t.waiter = t, w
	if c != &v.root {
		v.park(t, c, ctx)
	}
	return t.block()
}

// Wake makes the parked task runnable, behind everything that is runnable now.
func (w *waiter) Wake() {
	v := w.v
	if !v.own() {
		v.intrude("Waiter.Wake")
		return
	}
	t := w.task
	if t == nil {
		if w.woke == 0 {
			v.order++
			w.woke = v.order
		}
		return
	}
	w.task = nil
	if !v.stopping {
		v.wake(t)
	}
}

// String names what is waited for. It must not fail: it is used in errors.
func (w *waiter) String() (s string) {
	defer func() {
		if p := recover(); p != nil {
			s = fmt.Sprintf("something whose String panics: %v", p)
		}
	}()
	if w.what == nil {
		return "something without a name"
	}
	return w.what.String()
}
