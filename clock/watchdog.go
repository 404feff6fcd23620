package clock

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A task that blocks outside the clock (on a channel, say) takes the loop with
// it: nothing in simulated time can happen any more, and the blocked goroutine
// cannot be made to return. So the loop has a goroutine of its own, while the
// one that called Run keeps an eye on it, in real time, and returns if need be.
// It costs the loop nothing: every tick raises an alarm, which the loop would
// look at before its next step anyway, and finds it unanswered at the next tick
// if there was no step.

const (
	// tick is the time between two questions.
	tick = 200 * time.Millisecond
	// suspicious is how many unanswered ticks make a task suspect.
	suspicious = 3
	// hopeless is how many unanswered ticks the unwinding of a run may take.
	hopeless = 50
)

// parked is the state of a task that has handed over to the loop, or to a
// coroutine of its own. It is then the loop that is late: on a machine with no
// time to spare it can be off the processor for seconds. Only if that lasts is
// the task suspect, for what its own coroutine may be doing.
const parked = "coroutine"

type watchdog struct {
	v      *Virtual
	ctx    context.Context
	silent int    // ticks in a row without an answer
	look   int    // number of silent ticks at which to look
	blamed string // who was found blocked when last looked at, and how
	late   int    // looks since ctx ended
}

// await waits until the run has ended, or has to be given up.
func (v *Virtual) await(ctx context.Context) error {
	t := time.NewTicker(tick)
	defer t.Stop()
	w := watchdog{v: v, ctx: ctx}
	for {
		select {
		case <-v.done:
			return v.failure
		case <-t.C:
		}
		if err := w.check(); err != nil {
			select {
			case <-v.done:
				return v.failure
			default:
			}
			v.alarm.Or(abandoned)
			return err
		}
	}
}

// check is done every tick; an error means that the run is given up.
func (w *watchdog) check() error {
	alarm := w.v.alarm.Or(asked)
	if alarm&asked == 0 {
		w.silent, w.look, w.late, w.blamed = 0, suspicious, 0, ""
		return nil
	}
	if w.silent++; w.silent < w.look {
		return nil
	}
	s := w.v.suspect()
	state, stack := findGoroutine(dump(), s.frame)
	err := w.judge(s, state, stack, alarm&over != 0)
	if err != nil && alarm&over != 0 {
		return errors.Join(w.v.failure, err) // why it was being unwound
	}
	return err
}

// errStays is why a run is given up that has failed and cannot be unwound.
var errStays = errors.New("the run was over long ago")

// judge decides about a suspect that was found in state.
func (w *watchdog) judge(s suspect, state string, stack []byte, unwinding bool) error {
	if state != "" && !busy(state) && !(state == parked && w.silent < hopeless) {
		blame := fmt.Sprint(s.frame, state)
		if w.blamed == blame {
			return &ForeignError{At: s.at, Task: s.task, State: state, Place: place(stack), Stack: stack}
		}
		w.blamed, w.look = blame, w.silent+1
		return nil
	}
	w.blamed = ""
	ended := w.ctx.Err() != nil
	if ended {
		w.late++
	}
	if w.late > suspicious || unwinding && w.silent > hopeless {
		cause := context.Cause(w.ctx)
		if cause == nil {
			cause = errStays
		}
		return &BudgetError{At: s.at, Steps: s.steps, Task: s.task, Stack: stack, cause: cause}
	}
	if ended {
		w.look = w.silent + 1
	} else {
		// It computes. A look stops the world, so look less and less often.
		w.look = w.silent + min(w.silent, hopeless/2)
	}
	return nil
}

// suspect is what the loop ran when it was last heard of.
type suspect struct {
	task  string
	frame string // how its goroutine is found in a dump
	at    time.Duration
	steps uint64
}

// suspect reads without synchronisation: it is called when the loop has been
// standing still for a long time.
//
//go:norace
func (v *Virtual) suspect() suspect {
	s := suspect{at: time.Duration(v.now), steps: v.steps}
	if t := v.cur; t != nil {
		s.task = t.name
		s.frame = fmt.Sprintf("clock.(*coroutine).run(%p", t.co)
	} else {
		s.task = timerFunction
		s.frame = fmt.Sprintf("clock.(*Virtual).drive(%p", v)
	}
	return s
}
