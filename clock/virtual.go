package clock

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// VirtualOptions are the settings of a Virtual clock; the zero value is usable.
type VirtualOptions struct {
	// MaxSwitches is how many task switches and timer functions one instant
	// may have before the run ends with a *LivelockError; 0 means 1,000,000.
	MaxSwitches int

	// BeforeAdvance is asked when nothing is runnable and time is about to
	// move. An error ends the run with a *StallError that wraps it: nothing
	// that time can bring would help any more. It may be asked more than once
	// at an instant, must not change anything and must not block.
	BeforeAdvance func() error
}

// pollEvery is the number of steps between two looks at the context given to
// Run. A power of two.
const pollEvery = 256

// Virtual is a clock whose time is simulated. Invariants between two steps:
//
//	at > now              for every timer that is pending
//	a task is running, or in the run queue, or parked: exactly one of them
//	a parked task is in the timer queue, or at a waiter, or neither (it sleeps without end)
//
// See the package comment for the rules.
type Virtual struct {
	now     int64 // nanoseconds since the epoch
	seq     uint64
	order   uint64 // of wake-ups and ends of contexts
	ready   ring
	timers  timers
	watched []watch
	watches uint64

	cur   *task   // the running task; nil in the loop and in timer functions
	g     uintptr // the goroutine that may use the clock; 0 = no run
	loopG uintptr
	tasks taskList
	root  scope

	steps         uint64
	instant       uint64 // steps when time moved last
	maxSwitches   uint64
	beforeAdvance func() error

	ctx      context.Context // given to Run
	stopping bool            // the run is over, tasks are unwound
	exited   bool            // a task called runtime.Goexit
	failure  error           // why the run ended early

	started atomic.Bool
	alarm   atomic.Bool // the loop is to look at what follows
	foreign atomic.Pointer[ForeignError]
	done    chan struct{}
}

// NewVirtual returns a clock that stands at the Epoch. Before Run, pools and
// tasks may be set up on it by one goroutine.
func NewVirtual(o VirtualOptions) *Virtual {
	v := &Virtual{
		maxSwitches:   1_000_000,
		beforeAdvance: o.BeforeAdvance,
		done:          make(chan struct{}),
	}
	if o.MaxSwitches > 0 {
		v.maxSwitches = uint64(o.MaxSwitches)
	}
	v.timers.init()
	v.root = scope{v: v, parent: context.Background(), deadline: never}
	return v
}

// Now returns the Epoch plus the simulated time since then.
func (v *Virtual) Now() time.Time { return Epoch.Add(v.Elapsed()) }

// Elapsed returns the simulated time since the Epoch.
func (v *Virtual) Elapsed() time.Duration {
	if !v.own() {
		v.intrude("Elapsed")
		return v.peek()
	}
	return time.Duration(v.now)
}

// Steps returns how often a task or a timer function has been run: the amount
// of simulated work.
func (v *Virtual) Steps() uint64 { return v.steps }

// Run runs f as the task "main", and every task that is started with Go, until
// all have ended. It may be called once.
func (v *Virtual) Run(ctx context.Context, f func(ctx context.Context)) error {
	if v.started.Swap(true) {
		return errors.New("clock: Run of a virtual clock that was run before: make a new one")
	}
	v.ctx, v.root.parent = ctx, ctx
	v.Go(&v.root, "main", f)
	go v.drive()
	<-v.done
	if v.exited && v.failure == nil {
		runtime.Goexit()
	}
	return v.failure
}
