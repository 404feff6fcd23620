package clock

import (
	"context"
	"errors"
	"math"
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
//	at > now for every timer that is pending
//	every task is exactly one of: running, in the run queue, parked
//	every parked task is exactly one of: in the timer queue, at a waiter
//
// See the package comment for the rules.
type Virtual struct {
	now     int64  // nanoseconds since the epoch
	seq     uint64 // of the timer that was armed last
	order   uint64 // of the wake-up or the end of a context that came last
	ready   ring
	timers  timers
	list    []watched
	watches uint64 // how often a context was put on the list

	cur     *task   // the running task; nil in the loop and in timer functions
	g       uintptr // the goroutine that may use the clock; 0 = no run
	loopG   uintptr // the goroutine of the loop
	idle    []*coroutine
	tasks   taskList
	root    scope // the context of the run
	outside scope // stands for all contexts of others

	steps         uint64
	instant       uint64 // steps when time moved last
	pollAt        uint64 // steps at which the context given to Run is looked at
	lookAt        uint64 // steps at which the loop has to attend to something
	maxSwitches   uint64
	beforeAdvance func() error

	ctx      context.Context // given to Run
	stopping bool            // the run is over, the rest is unwound
	ignored  int             // blocking calls in a timer function since then
	exited   bool            // a task called runtime.Goexit
	failure  error           // why the run ended early
	done     chan struct{}

	started atomic.Bool
	alarm   atomic.Uint32 // see loop.go
	foreign atomic.Pointer[ForeignError]
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
	v.outside.ended = math.MaxUint64
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
// all have ended; timers that are still pending are dropped then. The error is
// nil, or one of those in the package comment, and the run was ended early.
//
// The context of the tasks has the values of ctx, but not its deadline, which
// is one in real time. The end of ctx ends the run, within 256 steps.
//
// If a task blocks outside the clock, Run returns while it still exists, and
// without synchronisation: variables shared with tasks must not be read then.
//
// A Virtual runs once.
func (v *Virtual) Run(ctx context.Context, f func(ctx context.Context)) error {
	if v.started.Swap(true) {
		return errors.New("clock: Run of a virtual clock that was run before: make a new one")
	}
	v.ctx, v.root.parent = ctx, ctx
	v.Go(&v.root, "main", f)
	go v.drive()
	err := v.await(ctx)
	if v.exited && err == nil {
		runtime.Goexit()
	}
	return err
}
