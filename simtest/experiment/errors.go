package experiment

import (
	"errors"
	"fmt"
)

// ErrBudget is the cause of the end of a context whose wall budget is spent.
var ErrBudget = errors.New("the wall budget is spent")

// RunError says which run has no result, and why.
type RunError struct {
	Scenario, Contestant string
	Seed                 uint64
	Err                  error
}

// Error names the run before the reason.
func (e *RunError) Error() string {
	return fmt.Sprintf("experiment: scenario %q: contestant %q, seed %d: %v", e.Scenario, e.Contestant, e.Seed, e.Err)
}

// Unwrap returns the reason.
func (e *RunError) Unwrap() error { return e.Err }

// PanicError is the reason if a run panicked.
type PanicError struct {
	Value any
	Stack []byte
}

// Error gives the value and the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
