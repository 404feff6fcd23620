package clock

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrStalled is what every *StallError matches with errors.Is.
var ErrStalled = errors.New("clock: stalled")

// TaskState is one task in an error.
type TaskState struct {
	// Name is what the task was called when it was started.
	Name string
	// WaitsFor says what it is parked on.
	WaitsFor string
}

// StallError says that a virtual run came to a standstill: tasks are left, and
// nothing that is going to happen can let one of them go on.
type StallError struct {
	// At is the simulated time since the epoch.
	At time.Duration
	// Why is one sentence.
	Why string
	// Tasks are those that had not ended, in the order in which they were
	// started.
	Tasks []TaskState

	cause error
}

func (e *StallError) Error() string {
	return fmt.Sprintf("clock: stalled at %v: %s; %s", e.At, e.Why, describe(e.Tasks))
}

// Is makes errors.Is(err, ErrStalled) true.
func (e *StallError) Is(target error) bool { return target == ErrStalled }

// Unwrap returns what VirtualOptions.BeforeAdvance returned, or nil.
func (e *StallError) Unwrap() error { return e.cause }

// LivelockError says that tasks went on switching without time moving.
type LivelockError struct {
	// At is the simulated time since the epoch.
	At time.Duration
	// Switches is the bound that was passed.
	Switches int
	// Tasks are those that had not ended; the runnable ones are the suspects.
	Tasks []TaskState
}

func (e *LivelockError) Error() string {
	return fmt.Sprintf("clock: livelock at %v: more than %d task switches at this instant; %s",
		e.At, e.Switches, describe(e.Tasks))
}

// BudgetError says that the context given to Run ended before the run did.
type BudgetError struct {
	// At is how far simulated time got.
	At time.Duration
	// Steps is how often a task or a timer function was run.
	Steps uint64
	// Task and Stack are set if the run could not be unwound, because this
	// task did not come back to the clock: it is still running.
	Task  string
	Stack []byte

	cause error
}

func (e *BudgetError) Error() string {
	s := fmt.Sprintf("clock: out of budget at %v of simulated time, after %d steps: %v", e.At, e.Steps, e.cause)
	if e.Task != "" {
		s += fmt.Sprintf("; %s computes and does not come back to the clock\n\n%s", title(e.Task), e.Stack)
	}
	return s
}

// Unwrap returns context.Cause of the context given to Run, if that has ended.
func (e *BudgetError) Unwrap() error { return e.cause }

// PanicError is a panic in a task or in a timer function.
type PanicError struct {
	// Task is the task's name, or "timer function".
	Task string
	// At is the simulated time since the epoch.
	At time.Duration
	// Value is what was given to panic.
	Value any
	// Stack is the stack of the task at the panic.
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("clock: panic in %s at %v: %v\n\n%s", title(e.Task), e.At, e.Value, e.Stack)
}

// Unwrap returns the value of the panic if it is an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// title is how errors call a task.
func title(task string) string {
	if task == timerFunction {
		return "a timer function"
	}
	return fmt.Sprintf("task %q", task)
}

// describe lists tasks, the first ten in words.
func describe(tasks []TaskState) string {
	const most = 10
	var b strings.Builder
	fmt.Fprintf(&b, "tasks that have not ended (%d):", len(tasks))
	for i, t := range tasks {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(tasks)-most)
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %q (%s)", t.Name, t.WaitsFor)
	}
	return b.String()
}

// states describes all tasks that have not ended.
func (v *Virtual) states() []TaskState {
	runnable := map[*task]bool{v.cur: true}
	for i := range v.ready.n {
		runnable[v.ready.at(i).task] = true
	}
	var s []TaskState
	for t := v.tasks.first; t != nil; t = t.next {
		state := TaskState{Name: t.name}
		switch {
		case runnable[t]:
			state.WaitsFor = "runnable"
		case t.waiter != nil:
			state.WaitsFor = t.waiter.String()
		case t.at == never:
			state.WaitsFor = "sleep without end"
		default:
			state.WaitsFor = fmt.Sprintf("sleep until %v", time.Duration(t.at))
		}
		s = append(s, state)
	}
	return s
}
