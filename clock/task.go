package clock

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"time"
)

// task is one simulated task: a coroutine that the loop resumes.
type task struct {
	event // in the run queue or, while it sleeps, in the timer queue
	v     *Virtual
	name  string
	f     func(context.Context)
	arg   context.Context

	resume func() (struct{}, bool) // made at the first resume
	yield  func(struct{}) bool
	g      uintptr

	// While it is parked:
	waiter        *waiter // where; nil if it sleeps
	scope         *scope  // under which context, if that can end alone
	before, after *task   // its neighbours under that context
	watch         uint64  // number of its entry in the watch list; 0 = none
	asleep        bool
	err           error // what the blocking call returns

	returned   bool
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
	t := &task{v: v, name: name, f: f, arg: ctx}
	t.event.task = t
	v.tasks.add(t)
	v.ready.push(&t.event)
}

// switchTo runs t until it blocks or ends.
func (v *Virtual) switchTo(t *task) {
	if t.resume == nil {
		// Made here and not in Go, so that a clock that is never run leaks
		// no coroutine.
		t.resume, _ = iter.Pull(t.run)
	}
	v.cur, v.g = t, t.g
	t.resume()
}

// run is the coroutine. The watchdog finds its frame by t.
func (t *task) run(yield func(struct{}) bool) {
	t.yield = yield
	t.g = getg()
	t.v.g = t.g
	defer t.end()
	t.f(t.arg)
	t.returned = true
	runtime.KeepAlive(t)
}

// end is deferred: the task has returned, or panics, or exits its goroutine.
func (t *task) end() {
	v := t.v
	v.tasks.remove(t)
	if !t.returned {
		v.broke(t.name, recover())
	}
	v.cur, v.g = nil, v.loopG
}

// errIgnored is the panic that ends a task which does not heed ErrStopped.
var errIgnored = errors.New("clock: a task goes on after the end of its run: it ignores ErrStopped")

// broke records that what the loop ran did not return: p is what it panicked
// with, or nil if it called runtime.Goexit.
func (v *Virtual) broke(name string, p any) {
	switch {
	case p == nil:
		v.exited = !v.stopping || v.exited
		v.stop()
	case p != any(errIgnored):
		v.fail(&PanicError{Task: name, At: time.Duration(v.now), Value: p, Stack: debug.Stack()})
	}
}

// block parks the task until the loop resumes it, and returns what the
// blocking call is to return.
func (t *task) block() error {
	t.yield(struct{}{})
	if t.v.stopping {
		return ErrStopped
	}
	if err := t.err; err != nil {
		t.err = nil
		return err
	}
	return nil
}

// wake makes a parked task runnable. Its event must not be pending any more.
func (v *Virtual) wake(t *task) {
	if t.waiter != nil {
		t.waiter.task, t.waiter = nil, nil
	}
	t.asleep, t.watch = false, 0
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

// refuse returns the error of a blocking call that cannot block.
func (v *Virtual) refuse(t *task, call string) error {
	if t == nil {
		if v.own() && (v.stopping || v.g == 0) {
			return ErrStopped
		}
		return v.intrude(call)
	}
	// The run is being unwound.
	t.ignored++
	if t.ignored > 2*patience {
		runtime.Goexit() // it recovers even the panic
	}
	if t.ignored > patience {
		panic(errIgnored)
	}
	return ErrStopped
}

// patience is how many calls a task may make after the end of its run.
const patience = 1000

// spin is the return of a blocking call that has nothing to wait for. It
// counts as a step, so that a loop of such calls is a livelock and not a hang.
func (v *Virtual) spin(t *task, err error) error {
	if v.steps-v.instant < v.maxSwitches && !v.mustLook() {
		v.steps++
		return err
	}
	v.ready.push(&t.event)
	if e := t.block(); e != nil {
		return e
	}
	return err
}

// waitsFor says what the task is parked on.
func (t *task) waitsFor() string {
	switch {
	case t.waiter != nil:
		return t.waiter.String()
	case t.asleep && t.event.seq != 0:
		return fmt.Sprintf("sleep until %v", time.Duration(t.event.at))
	case t.asleep:
		return "sleep without end"
	default:
		return "runnable"
	}
}
