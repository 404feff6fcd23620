// Package clock is the source of time, and of waiting, for code that has to
// run the same in production and in a simulation.
//
// Such code takes a [Clock] and asks it for everything that package time,
// package context and the go statement would do: the current instant, sleeps,
// timers, timeouts, a place to wait for another task, and new tasks. There are
// three clocks: [Real] for production, [Virtual] for simulations, and [Scaled],
// real time that is sped up, to check that a simulation leaves nothing out.
//
// # Virtual time
//
// A [Virtual] runs tasks that are written in ordinary blocking style:
//
//	v := clock.NewVirtual(clock.VirtualOptions{})
//	err := v.Run(ctx, func(ctx context.Context) {
//		v.Go(ctx, "worker", func(ctx context.Context) {
//			v.Sleep(ctx, time.Hour) // takes about 100 ns
//		})
//	})
//
// Its time starts at the [Epoch], stands still while any task can run, and
// then jumps to the next instant at which something is due. So a day of
// sleeping costs what the switches cost, a timeout is exact to the nanosecond,
// and the same program does the same on every run and on every machine.
//
// Tasks take turns: exactly one runs at a time, until it waits or ends. A task
// is
//
//   - running: at most one;
//   - runnable: it is in the run queue, and runs when those before it have
//     had their turn;
//   - parked: in [Virtual.Sleep] or [Waiter].Park, until its time has come, it
//     is woken, or its context ends.
//
// Since a task is only interrupted where it waits, tasks share memory without
// locks. (Code that also runs on a Real clock needs them there, of course. A
// mutex that is never held across a wait is never contended here.)
//
// # Order
//
// Everything that happens has its place in one order:
//
//   - The run queue is first in, first out. A task that was woken or started,
//     or that sleeps for no time, goes to its end.
//   - When no task is runnable, time moves to the earliest deadline of a timer.
//     All timers due at that instant take effect in the order of their
//     creation, before any task runs: a sleeping task becomes runnable, a
//     function of [Virtual.AfterFunc] goes to the run queue like a task, and a
//     context ends. Whatever these wake in turn goes behind them.
//   - So a context has ended for everybody who runs at the instant of its
//     deadline. Between a deadline and the end of a sleep at the same instant,
//     the older timer wins.
//   - A context that ends wakes the tasks parked under it in the order in which
//     they parked, then ends its children in the order of their creation.
//   - Of a wake-up and the end of the context, a parked task gets the one that
//     comes first.
//
// # Contexts
//
// The context that a task is handed, and those of [Virtual.WithTimeout], are of
// the clock: their deadlines are virtual, and their end takes effect at once,
// through any number of context.WithValue.
//
// Any other context works, too. What package context derives from a context of
// the clock ends with it, at once. But an end that the clock does not bring
// about itself (the cancel function of context.WithCancel was called) is
// noticed after the step in which it happened, and while somebody waits under
// such a context, each step costs a look at it. Clock.WithTimeout with a very
// long timeout is a cancellable context without either drawback.
//
// # The end of a run
//
// A run never hangs. It ends when all tasks have ended, or with an error that
// says why it cannot go on, when it is at simulated time, and which tasks wait
// for what:
//
//   - [StallError]: no task is runnable and no timer is pending, or
//     [VirtualOptions].BeforeAdvance has found that time will not help.
//   - [LivelockError]: tasks go on and on without time moving.
//   - [BudgetError]: the context given to [Virtual.Run] has ended.
//   - [PanicError]: a task or a timer's function panicked.
//   - [ForeignError]: a goroutine that is none of the tasks called into the
//     clock, or a task blocked outside the clock (on a channel, a held mutex,
//     time.Sleep, the network). This is noticed in real time, after about a
//     second without a step.
//
// Then all tasks are unwound, in the order of their start: the context of the
// run ends, every blocking call returns [ErrStopped], deferred functions run,
// and no goroutine is left. Only a task that blocks outside the clock cannot be
// made to return; Run returns nevertheless, and unwinds the rest if that task
// ever comes back.
//
// A task that calls runtime.Goexit (testing.T.FailNow, say) ends the run in the
// same way, and then the goroutine that called Run: the test fails, at its
// line.
//
// # What a task must not do
//
// It must not block outside the clock, nor let another goroutine use the clock
// or a context of it, nor call runtime.LockOSThread, which the runtime does not
// allow in a coroutine. (context.AfterFunc does use another goroutine.) Time
// that it takes from package time is real time, and the results are not
// reproducible any more.
//
// Goroutines can be told apart on amd64 and arm64 only; elsewhere a foreign
// call is not always noticed.
//
// # Cost
//
// Tasks are coroutines (iter.Pull), switched without the scheduler. A sleep
// costs about four times what an event costs in a loop over callbacks, which
// cannot run blocking code, and allocates nothing; a sleep that ends before
// anything else is due costs a tenth of that. See the benchmarks.
package clock
