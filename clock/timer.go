package clock

import "time"

// event is what the loop brings about: a task that goes on, a function that is
// due, or a context whose deadline has passed. It is pending in the timer
// queue, or waiting in the run queue, or neither.
type event struct {
	seq uint64 // of its entry in the timer queue; 0 = not pending
	at  int64  // when that entry is due

	task *task     // a task that goes on, or
	ctx  *scope    // a context that ends, or
	call *callback // a function that is called
}

// callback is a pending call of AfterFunc.
type callback struct {
	event
	v      *Virtual
	f      func()
	queued bool // due, and waiting in the run queue
}

// arm puts e into the timer queue; at must be later than now. A timer that is
// never due is pending all the same.
func (v *Virtual) arm(e *event, at int64) {
	v.seq++
	e.seq, e.at = v.seq, at
	v.timers.push(at, v.seq, e)
}

// disarm takes e out of the timer queue, if it is there.
func (v *Virtual) disarm(e *event) bool {
	if e.seq == 0 {
		return false
	}
	e.seq = 0
	v.timers.bury()
	return true
}

// after returns the instant d from now, or never if that is beyond the range
// of time (292 years).
func (v *Virtual) after(d time.Duration) int64 {
	if at := v.now + int64(d); at > v.now {
		return at
	}
	return never
}

// AfterFunc calls f d from now, inline in the run loop and in its place among
// everything else that is due then. f may wake waiters, start and stop timers,
// end contexts and start tasks; a blocking call in it ends the run with a
// *ForeignError. Timers that are pending when the last task has ended are
// dropped. While a run is unwound, and after it, AfterFunc does nothing.
func (v *Virtual) AfterFunc(d time.Duration, f func()) Timer {
	c := &callback{v: v, f: f}
	c.call = c
	if !v.own() {
		v.intrude("AfterFunc")
		return c
	}
	if v.stopping {
		return c
	}
	if d <= 0 {
		c.queued = true
		v.ready.push(&c.event)
	} else {
		v.arm(&c.event, v.after(d))
	}
	return c
}

// Stop prevents the call, and reports whether it did.
func (c *callback) Stop() bool {
	if !c.v.own() {
		c.v.intrude("Timer.Stop")
		return false
	}
	if c.queued {
		c.queued = false
		return true
	}
	return c.v.disarm(&c.event)
}

// timerFunction is what errors call the functions given to AfterFunc.
const timerFunction = "timer function"

// invoke calls the function, unless it was stopped after it was due.
func (v *Virtual) invoke(c *callback) {
	if !c.queued {
		return
	}
	c.queued = false
	v.noTask()
	c.f()
}
