package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// DefaultWallBudget bounds the real time of a sweep that sets no budget.
const DefaultWallBudget = 10 * time.Minute

// abandonAfter is how long a run may go on after its context has ended. A run
// looks at its context every few thousand events, so only one that hangs
// outside the simulation is left behind.
const abandonAfter = 2 * time.Second

// Options say what to run.
type Options struct {
	// Contestants to run, in the order of every output; nil means those that
	// the scenario is suited to. Names that it does not list are handed to it
	// as they are (after its CheckContestant, if it is an [Entrant]): a
	// scenario may know how to make them.
	Contestants []string
	// Seeds to run each of them on: at least one, without repetition.
	Seeds []uint64
	// Parallel is the number of runs at a time; 0 means GOMAXPROCS. It
	// changes no result.
	Parallel int
	// WallBudget is the real time for the whole sweep; 0 means
	// DefaultWallBudget.
	WallBudget time.Duration
	// Progress, if set, is called after each run, one call at a time, in the
	// order in which runs end.
	Progress func(Progress)
}

// Progress tells how far a sweep is.
type Progress struct {
	// Done runs of Total have ended, this one included.
	Done, Total int
	// Contestant and Seed name the run that has just ended.
	Contestant string
	Seed       uint64
	// Err is why it has no result, or nil.
	Err error
	// Stalled says that it has one, but came to a standstill.
	Stalled bool
}

// Sweep makes every run and returns the results contestant by contestant, seed
// by seed, whatever the schedule was. A run that fails, panics or breaks its
// scenario's declaration becomes a [*RunError]; the others go on, and the
// result holds them: where some runs failed, both the result and the joined
// error are returned. The result is nil only if nothing could be started.
//
// When ctx ends or the budget is spent, no further run starts, and the error
// says how far the sweep got and wraps the context's cause ([ErrBudget] for
// the budget).
func Sweep(ctx context.Context, s Scenario, o Options) (*Result, error) {
	d, err := Describe(s)
	if err != nil {
		return nil, err
	}
	if o.Contestants == nil {
		o.Contestants = d.Contestants
	}
	if err := o.validate(s, d); err != nil {
		return nil, fmt.Errorf("experiment: scenario %q: %w", d.Name, err)
	}
	if o.WallBudget == 0 {
		o.WallBudget = DefaultWallBudget
	}
	if o.Parallel == 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.WallBudget, fmt.Errorf("%w (%v)", ErrBudget, o.WallBudget))
	defer cancel()

	w := &sweep{scenario: s, description: d, options: o, slots: make([]slot, len(o.Contestants)*len(o.Seeds))}
	var workers sync.WaitGroup
	for range min(o.Parallel, len(w.slots)) {
		workers.Go(func() { w.work(ctx) })
	}
	workers.Wait()
	return w.collect(ctx)
}

func (o Options) validate(s Scenario, d Description) error {
	switch {
	case o.Parallel < 0:
		return fmt.Errorf("field %q: %d: must not be negative; 0 means all cores", "Parallel", o.Parallel)
	case o.WallBudget < 0:
		return fmt.Errorf("field %q: %v: must not be negative; 0 means %v", "WallBudget", o.WallBudget, DefaultWallBudget)
	}
	if err := checkAsked(o.Contestants, o.Seeds); err != nil {
		return err
	}
	if e, ok := s.(Entrant); ok {
		for _, c := range o.Contestants {
			if _, unsuited := d.Unsuited[c]; unsuited || slices.Contains(d.Contestants, c) {
				continue
			}
			if err := e.CheckContestant(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweep is the state of one call of Sweep.
type sweep struct {
	scenario    Scenario
	description Description
	options     Options
	slots       []slot // contestant by contestant, seed by seed

	mu   sync.Mutex
	next int // the next slot to run
	done int // ended runs
}

// slot holds what became of one run; neither set: it was not started.
type slot struct {
	run *Run
	err error
}

// work makes runs until there are none left or ctx has ended.
func (w *sweep) work(ctx context.Context) {
	for ctx.Err() == nil {
		w.mu.Lock()
		i := w.next
		w.next++
		w.mu.Unlock()
		if i >= len(w.slots) {
			return
		}
		// Seed by seed, so that a sweep that is cut short has made pairs.
		c, k := i%len(w.options.Contestants), i/len(w.options.Contestants)
		contestant, seed := w.options.Contestants[c], w.options.Seeds[k]
		out := w.run(ctx, contestant, seed)
		w.slots[c*len(w.options.Seeds)+k] = out
		w.report(out, contestant, seed)
	}
}

func (w *sweep) report(out slot, contestant string, seed uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	if w.options.Progress != nil {
		w.options.Progress(Progress{
			Done: w.done, Total: len(w.slots), Contestant: contestant, Seed: seed,
			Err: out.err, Stalled: out.run != nil && out.run.Stall != nil,
		})
	}
}

// run makes one run in a goroutine of its own, so that it can be left behind
// if it hangs.
func (w *sweep) run(ctx context.Context, contestant string, seed uint64) slot {
	start := time.Now()
	ended := make(chan slot, 1)
	go w.call(ctx, contestant, seed, ended)

	var out slot
	select {
	case out = <-ended:
	case <-ctx.Done():
		select {
		case out = <-ended:
		case <-time.After(abandonAfter):
			out.err = fmt.Errorf("still running %v after its context ended, and left behind: Run must return when its context is done: %w",
				abandonAfter, context.Cause(ctx))
		}
	}
	if out.err == nil {
		out.err = w.accept(out.run, contestant, seed, time.Since(start))
	}
	if out.err != nil {
		return slot{err: &RunError{w.description.Name, contestant, seed, out.err}}
	}
	return out
}

// call runs the scenario and hands over what came of it, be it a panic or an
// end of the goroutine without a return.
func (w *sweep) call(ctx context.Context, contestant string, seed uint64, ended chan<- slot) {
	out := slot{err: errors.New("runtime.Goexit was called inside Run (a test's FailNow, perhaps): Run must return")}
	defer func() { ended <- out }()
	defer func() {
		if v := recover(); v != nil {
			out.err = &PanicError{v, debug.Stack()}
		}
	}()
	run, err := w.scenario.Run(ctx, contestant, seed)
	out = slot{&run, err}
}

// accept completes and checks the result of a run.
func (w *sweep) accept(run *Run, contestant string, seed uint64, wall time.Duration) error {
	if run.Contestant == "" {
		run.Contestant, run.Seed = contestant, seed
	}
	if run.Contestant != contestant || run.Seed != seed {
		return fmt.Errorf("Run returned the result of contestant %q, seed %d", run.Contestant, run.Seed)
	}
	if err := w.description.CheckRun(*run); err != nil {
		return err
	}
	if run.Digest == "" {
		run.Digest = w.description.valuesDigest(*run)
	}
	run.Wall = wall
	return nil
}

// collect puts the runs and the errors in order.
func (w *sweep) collect(ctx context.Context) (*Result, error) {
	r := &Result{
		Scenario:    w.description,
		Contestants: slices.Clone(w.options.Contestants),
		Seeds:       slices.Clone(w.options.Seeds),
	}
	var failures []error
	for _, out := range w.slots {
		switch {
		case out.run != nil:
			r.Runs = append(r.Runs, *out.run)
		case out.err != nil:
			failures = append(failures, out.err)
		}
	}
	if w.done < len(w.slots) || (len(failures) > 0 && ctx.Err() != nil) {
		remedy := ""
		if errors.Is(context.Cause(ctx), ErrBudget) {
			remedy = "; raise the wall budget, or lower the number of seeds, contestants or the size of the workload"
		}
		failures = append(failures, fmt.Errorf("experiment: scenario %q: %d of %d runs have a result: %w%s",
			w.description.Name, len(r.Runs), len(w.slots), context.Cause(ctx), remedy))
	}
	return r, errors.Join(failures...)
}
