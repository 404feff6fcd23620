package clock

import (
	"context"
	"time"
)

// What an alarm is about: the loop attends to it before the next step.
const (
	asked     = 1 << iota // the watchdog wants to know whether the loop lives
	intruded              // a foreign goroutine has called
	abandoned             // Run has returned already
	watching              // there are contexts to poll
	over                  // no task is left, or the rest is to be unwound
)

// drive runs the loop and then unwinds what is left, on a goroutine of its own.
// When a task exits its goroutine (runtime.Goexit, testing.T.FailNow), package
// iter passes that on to the goroutine that resumed it, which is this one. A
// new one then goes on, as it does after a panic in a timer function.
func (v *Virtual) drive() {
	finished := false
	defer func() {
		if !finished {
			v.broke(timerFunction, recover())
			go v.drive()
			return
		}
		v.g = 0
		close(v.done)
	}()
	v.loopG = getg()
	v.noTask()
	v.loop()
	v.unwind()
	finished = true
}

// loop runs what is runnable, and moves time when nothing is.
func (v *Virtual) loop() {
	for {
		if v.alarm.Load() != 0 || v.steps >= v.lookAt {
			v.noTask()
			if !v.attend() {
				return
			}
		}
		e := v.ready.pop()
		if e == nil {
			if e = v.advance(); e == nil {
				continue
			}
		}
		v.steps++
		switch t := e.task; {
		case t == nil:
			v.invoke(e.call)
		case t.resume == nil:
			v.begin(t)
		default:
			v.switchTo(t)
		}
	}
}

// advance moves time to the next deadline, and makes runnable all that is due
// then, in order. If that is a single task, it is returned instead.
func (v *Virtual) advance() *event {
	h := &v.timers
	for h.next != never && !h.first().live() {
		h.pop()
		h.dead--
	}
	if h.next == never {
		v.stall("no task is runnable and no timer is pending", nil)
		return nil
	}
	if v.beforeAdvance != nil {
		v.noTask()
		if err := v.beforeAdvance(); err != nil {
			v.stall(err.Error(), err)
			return nil
		}
	}
	now := h.next
	v.now, v.instant = now, v.steps
	e := h.pop().ev
	e.seq = 0
	if t := e.task; t != nil && h.next != now {
		if t.scope != nil {
			t.scope.leave(t)
		}
		return e
	}
	v.due(e)
	for h.next == now {
		e := h.pop()
		if !e.live() {
			h.dead--
			continue
		}
		e.ev.seq = 0
		v.due(e.ev)
	}
	return nil
}

// due brings about what a timer was for.
func (v *Virtual) due(e *event) {
	switch {
	case e.task != nil:
		v.wake(e.task)
	case e.ctx != nil:
		e.ctx.end(context.DeadlineExceeded, context.DeadlineExceeded)
	default:
		e.call.queued = true
		v.ready.push(e)
	}
}

// attend looks at alarms and bounds before a step, and reports whether the run
// goes on. It is called by the loop, or by a task that does not wait (cur).
func (v *Virtual) attend() bool {
	alarm := v.alarm.And(^uint32(asked))
	if alarm&intruded != 0 {
		v.fail(v.foreign.Load())
	}
	if alarm&abandoned != 0 {
		v.stop()
	}
	if alarm&watching != 0 {
		v.poll()
	}
	if v.steps >= v.pollAt {
		v.pollAt = v.steps + pollEvery
		if v.ctx.Err() != nil {
			v.fail(&BudgetError{At: time.Duration(v.now), Steps: v.steps, cause: context.Cause(v.ctx)})
		}
	}
	if v.steps-v.instant >= v.maxSwitches && (v.ready.n > 0 || v.cur != nil) {
		v.fail(&LivelockError{At: time.Duration(v.now), Switches: int(v.maxSwitches), Tasks: v.states()})
	}
	v.lookAt = min(v.pollAt, v.instant+v.maxSwitches)
	return v.alarm.Load()&over == 0
}

func (v *Virtual) stall(why string, cause error) {
	v.noTask()
	v.fail(&StallError{At: time.Duration(v.now), Why: why, Tasks: v.states(), cause: cause})
}

// fail ends the run early. Only the first failure counts.
func (v *Virtual) fail(err error) {
	if !v.stopping {
		v.failure = err
		v.stop()
	}
}

// stop ends the run: from here on no call blocks any more.
func (v *Virtual) stop() {
	if v.stopping {
		return
	}
	v.stopping = true
	v.alarm.Or(over)
	cause := v.failure
	if cause == nil {
		cause = context.Canceled
	}
	v.root.end(context.Canceled, cause)
}

// unwind has every task return from where it is parked, in the order of their
// start, so that deferred functions run, and ends the coroutines.
func (v *Virtual) unwind() {
	v.stop()
	for t := v.tasks.first; t != nil; t = v.tasks.first {
		v.alarm.And(^uint32(asked))
		if t.resume == nil {
			v.remove(t) // it never began
			continue
		}
		t.err = ErrStopped
		v.switchTo(t)
	}
	for _, c := range v.idle {
		c.resume()
	}
	v.idle = nil
}
