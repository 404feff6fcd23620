package clock

import (
	"iter"
	"runtime"
	"runtime/debug"
	"time"
)

// coroutine is a goroutine that only runs while the loop has handed control to
// it: iter.Pull switches between the two without the scheduler. It performs
// one task after the other; between two of them it is idle.
type coroutine struct {
	v      *Virtual
	task   *task
	resume func() (struct{}, bool)
	yield  func(struct{}) bool
	g      uintptr
}

// switchTo runs t, which has begun, until it blocks or ends.
func (v *Virtual) switchTo(t *task) {
	v.cur, v.g = t, t.g
	t.resume()
}

// begin runs a new task until it blocks or ends. Coroutines are made here and not in Go, so that a
// clock that is never run leaks none.
func (v *Virtual) begin(t *task) {
	var c *coroutine
	if n := len(v.idle); n > 0 {
		c = v.idle[n-1]
		v.idle = v.idle[:n-1]
	} else {
		c = &coroutine{v: v}
		c.resume, _ = iter.Pull(c.run)
	}
	c.task = t
	c.resume()
}

// run is the body of the coroutine. The watchdog finds its frame in a dump of
// all goroutines by the address c.
func (c *coroutine) run(yield func(struct{}) bool) {
	c.yield, c.g = yield, getg()
	for c.task != nil {
		c.perform(c.task)
		c.task = nil
		if c.v.stopping {
			break
		}
		c.v.idle = append(c.v.idle, c)
		yield(struct{}{})
	}
	runtime.KeepAlive(c)
}

// perform runs t to its end.
func (c *coroutine) perform(t *task) {
	v := c.v
	t.co, t.resume, t.yield, t.g = c, c.resume, c.yield, c.g
	v.cur, v.g = t, t.g
	returned := false
	defer func() {
		if !returned {
			v.broke(t.name, recover())
		}
		v.remove(t)
		v.noTask()
	}()
	t.f(t.ctx)
	returned = true
}

// broke ends the run because something in it did not return: p is what it
// panicked with, or nil if it called runtime.Goexit. Only the first one
// counts: what happens while the run is unwound is a consequence.
func (v *Virtual) broke(name string, p any) {
	switch {
	case v.stopping:
	case p != nil:
		v.fail(&PanicError{Task: name, At: time.Duration(v.now), Value: p, Stack: debug.Stack()})
	default:
		v.exited = true
		v.stop()
	}
}

// noTask says that none of the tasks is running.
func (v *Virtual) noTask() { v.cur, v.g = nil, v.loopG }
