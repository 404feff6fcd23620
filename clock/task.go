package clock

import (
	"context"
	"errors"
	"fmt"
	"runtime"
)

// task is one simulated task. What a switch touches comes first, so that it
// shares a cache line or two.
type task struct {
	event // in the run queue or, while it sleeps, in the timer queue

	// Of its coroutine, from when it begins:
	resume func() (struct{}, bool)
	yield  func(struct{}) bool
	g      uintptr

	// While it is parked:
	scope         *scope  // under which context, unless it is the run's
	err           error   // what the blocking call is to return
	waiter        *waiter // where; nil if it sleeps
	before, after *task   // its neighbours under that context
	watch         uint64  // number of its entry in the watch list

	name       string
	f          func(context.Context)
	ctx        context.Context
	co         *coroutine
	ignored    int // calls while the run was being unwound
	prev, next *task
}

// taskList holds the tasks that have not ended, in the order of their start.
type taskList struct {
	first, last *task
	n           int
}

func (l *taskList) add(t *task) {
	t.prev = l.last
	if l.last != nil {
		l.last.next = t
	} else {
		l.first = t
	}
	l.last = t
	l.n++
}

func (l *taskList) remove(t *task) {
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		l.first = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	} else {
		l.last = t.prev
	}
	t.prev, t.next = nil, nil
	l.n--
}

// Go starts f as a task of its own, behind everything that is runnable now.
// While a run is unwound, and after it, Go does nothing.
func (v *Virtual) Go(ctx context.Context, name string, f func(ctx context.Context)) {
	if !v.own() {
		v.intrude("Go")
		return
	}
	if v.stopping {
		return
	}
	t := &task{name: name, f: f, ctx: ctx}
	t.event.task = t
	v.tasks.add(t)
	v.ready.push(&t.event)
}

// remove takes a task that has ended, or never began, off the list.
func (v *Virtual) remove(t *task) {
	v.tasks.remove(t)
	if v.tasks.n == 0 {
		v.alarm.Or(over)
	}
}

// block parks the task until the loop resumes it, and returns what the
// blocking call is to return.
func (t *task) block() error {
	t.yield(struct{}{})
	err := t.err
	if err != nil {
		t.err = nil
	}
	return err
}

// wake makes a parked task runnable. Its timer must not be pending any more.
func (v *Virtual) wake(t *task) {
	if t.waiter != nil {
		t.waiter.task, t.waiter = nil, nil
	}
	if t.scope != nil {
		t.scope.leave(t)
	}
	v.ready.push(&t.event)
}

// abort makes a parked task runnable and has its blocking call return err.
func (v *Virtual) abort(t *task, err error) {
	v.disarm(&t.event)
	t.err = err
	v.wake(t)
}

// spin is the return of a blocking call that has nothing to wait for. It
// counts as a step, so that a loop of such calls is a livelock and not a hang.
func (v *Virtual) spin(err error) error {
	if (v.alarm.Load() != 0 || v.steps >= v.lookAt) && !v.attend() {
		return ErrStopped
	}
	v.steps++
	return err
}

// patience is how often a task may call the clock after the end of its run.
const patience = 1000

// errIgnored is the panic that ends a task that does not heed ErrStopped.
var errIgnored = errors.New("clock: a task goes on after the end of its run: it ignores ErrStopped")

// refuse is a blocking call that may not block: the caller is no task (nil), or
// the run is being unwound.
func (v *Virtual) refuse(t *task, call string) error {
	switch {
	case !v.own():
		return v.intrude(call)
	case !v.started.Load():
		return fmt.Errorf("clock: %s before Run: only a task can wait", call)
	case !v.stopping:
		err := v.foreignCall(call)
		err.Task = timerFunction
		v.fail(err)
		return err
	}
	if v.g == 0 {
		return ErrStopped // the run was over long ago
	}
	ignored := &v.ignored // by a timer function
	if t != nil {
		ignored = &t.ignored
	}
	*ignored++
	if *ignored > 2*patience && t != nil {
		runtime.Goexit() // it recovered from the panic and still goes on
	}
	if *ignored > patience {
		panic(errIgnored)
	}
	return ErrStopped
}
