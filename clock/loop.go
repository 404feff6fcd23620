package clock

import (
	"context"
)

// drive runs the loop and then unwinds what is left, on a goroutine of its own.
// When a task exits its goroutine (runtime.Goexit, testing.T.FailNow),
// package iter passes that on to the goroutine that resumed it, which is this
// one: a new one then goes on.
func (v *Virtual) drive() {
	finished := false
	defer func() {
		if !finished {
			go v.drive()
			return
		}
		v.g = 0
		close(v.done)
	}()
	v.loopG = getg()
	v.cur, v.g = nil, v.loopG
	v.loop()
	v.unwind()
	finished = true
}

// loop runs what is runnable, and moves time when nothing is.
func (v *Virtual) loop() {
	for v.tasks.n > 0 && !v.stopping {
		if v.alarm.Load() {
			v.attend()
			continue
		}
		if len(v.watched) > 0 {
			v.poll()
		}
		e := v.ready.pop()
		if e == nil {
			v.advance()
			continue
		}
		v.steps++
		if v.steps&(pollEvery-1) == 0 && v.ctx.Err() != nil {
			v.overBudget(v.ctx)
			return
		}
		if v.steps-v.instant > v.maxSwitches {
			v.livelock()
			return
		}
		if e.task != nil {
			v.switchTo(e.task)
		} else {
			v.invoke(e.call)
		}
	}
}

// advance moves time to the next deadline, and makes runnable all that is due
// then, in order.
func (v *Virtual) advance() {
	h := &v.timers
	for h.next != never && !h.a[h.min].live() {
		h.pop()
		h.dead--
	}
	if h.next == never {
		v.stall("no task is runnable and no timer is pending", nil)
		return
	}
	if v.beforeAdvance != nil {
		if err := v.beforeAdvance(); err != nil {
			v.stall(err.Error(), err)
			return
		}
	}
	v.now, v.instant = h.next, v.steps
	for h.next == v.now {
		e := h.pop()
		if !e.live() {
			h.dead--
			continue
		}
		e.ev.seq = 0
		switch {
		case e.ev.task != nil:
			v.wake(e.ev.task)
		case e.ev.ctx != nil:
			e.ev.ctx.end(context.DeadlineExceeded, context.DeadlineExceeded)
		default:
			e.ev.call.queued = true
			v.ready.push(e.ev)
		}
	}
}

// attend looks at what the alarm is about.
func (v *Virtual) attend() {
	v.alarm.Store(false)
	if err := v.foreign.Load(); err != nil {
		v.fail(err)
	}
}

func (v *Virtual) livelock() {
	v.fail(&LivelockError{At: v.peek(), Switches: int(v.maxSwitches), Tasks: v.states()})
}

// fail ends the run early. Only the first failure counts.
func (v *Virtual) fail(err error) {
	if v.stopping {
		return
	}
	v.failure = err
	v.stop()
}

// stop ends the run: from here on no call blocks any more.
func (v *Virtual) stop() {
	if v.stopping {
		return
	}
	v.stopping = true
	cause := v.failure
	if cause == nil {
		cause = context.Canceled
	}
	v.root.end(context.Canceled, cause)
}

// unwind lets every task return from where it is parked, in the order of their
// start, so that deferred functions run.
func (v *Virtual) unwind() {
	v.stop()
	for t := v.tasks.first; t != nil; t = v.tasks.first {
		if t.resume == nil {
			v.tasks.remove(t) // never began
			continue
		}
		v.switchTo(t)
	}
}
