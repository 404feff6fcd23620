package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

var seeds = []uint64{30, 10, 20}

// names lists runs as contestant:seed.
func names(r *experiment.Result) []string {
	var all []string
	for _, run := range r.Runs {
		all = append(all, fmt.Sprintf("%s:%d", run.Contestant, run.Seed))
	}
	return all
}

func TestSweepOrdersRunsWhateverTheSchedule(t *testing.T) {
	want := []string{"toad:30", "toad:10", "toad:20", "frog:30", "frog:10", "frog:20"}
	var first *experiment.Result
	for _, parallel := range []int{1, 2, 6, 100} {
		w := newWorld()
		inner := w.run
		var started atomic.Int32
		w.run = func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
			for range 10 - started.Add(1) { // the first to start ends last
				runtime.Gosched()
			}
			return inner(ctx, contestant, seed)
		}
		var lines []string
		r, err := experiment.Sweep(t.Context(), w, experiment.Options{
			Contestants: []string{"toad", "frog"}, Seeds: seeds, Parallel: parallel,
			Progress: func(p experiment.Progress) { lines = append(lines, fmt.Sprintf("%d/%d", p.Done, p.Total)) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := names(r); !slices.Equal(got, want) {
			t.Errorf("parallel %d: runs %v, want %v", parallel, got, want)
		}
		if want := []string{"1/6", "2/6", "3/6", "4/6", "5/6", "6/6"}; !slices.Equal(lines, want) {
			t.Errorf("parallel %d: progress %v", parallel, lines)
		}
		for i := range r.Runs {
			r.Runs[i].Wall = 0
		}
		if first == nil {
			first = r
		} else if !reflect.DeepEqual(first, r) {
			t.Errorf("parallel %d: the result differs from that of one run at a time", parallel)
		}
	}
	if !first.Complete() {
		t.Error("the sweep is not complete")
	}
	if first.Validate() != nil {
		t.Error(first.Validate())
	}
}

func TestSweepKeepsTheOtherRuns(t *testing.T) {
	for name, c := range map[string]struct {
		fail func() (experiment.Run, error)
		says []string
	}{
		"an error":                  {func() (experiment.Run, error) { return experiment.Run{}, errBroken }, []string{"the pond is dry"}},
		"a panic":                   {func() (experiment.Run, error) { panic("splash") }, []string{"panic: splash", "sweep_test.go"}},
		"a panic with an error":     {func() (experiment.Run, error) { panic(errBroken) }, []string{"panic: the pond is dry"}},
		"a Goexit":                  {func() (experiment.Run, error) { runtime.Goexit(); return experiment.Run{}, nil }, []string{"Goexit"}},
		"an infinite value":         {values("done", math.Inf(1)), []string{`metric "done"`, "+Inf", "finite"}},
		"a value that is no number": {values("latency_ms", math.NaN()), []string{`metric "latency_ms"`, "NaN"}},
		"an undeclared value":       {values("depth", 1), []string{`metric "depth"`, "does not declare"}},
		"no completion":             {values("size", 1), []string{`metric "done"`, "completion metric must have a value"}},
		"another seed's run":        {func() (experiment.Run, error) { return experiment.Run{Contestant: "newt", Seed: 1}, nil }, []string{`contestant "newt", seed 1`}},
		"negative iterations": {func() (experiment.Run, error) {
			return experiment.Run{Values: map[string]float64{"done": 1}, Iterations: -1}, nil
		}, []string{"iterations -1"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			inner := w.run
			w.run = func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
				if contestant == "newt" && seed == 10 {
					return c.fail()
				}
				return inner(ctx, contestant, seed)
			}
			r, err := experiment.Sweep(t.Context(), w, experiment.Options{Seeds: seeds})
			wantError(t, err, append(c.says, `scenario "quiet_pond"`, `contestant "newt", seed 10`)...)
			var failure *experiment.RunError
			if !errors.As(err, &failure) || failure.Contestant != "newt" || failure.Seed != 10 {
				t.Errorf("the error is no RunError of newt on 10: %v", err)
			}
			if strings.Contains(err.Error(), errBroken.Error()) && !errors.Is(err, errBroken) {
				t.Errorf("the reason cannot be found in %v", err)
			}
			if want := []string{"frog:30", "frog:10", "frog:20", "newt:30", "newt:20", "toad:30", "toad:10", "toad:20"}; !slices.Equal(names(r), want) {
				t.Errorf("runs %v, want %v", names(r), want)
			}
			if r.Complete() || !slices.Equal(r.Missing("newt"), []uint64{10}) {
				t.Errorf("complete %v, missing %v", r.Complete(), r.Missing("newt"))
			}
		})
	}
}

func values(name string, v float64) func() (experiment.Run, error) {
	return func() (experiment.Run, error) {
		r := experiment.Run{Values: map[string]float64{name: v}}
		if name != "size" && name != "done" {
			r.Values["done"] = 1
		}
		return r, nil
	}
}

func TestSweepTakesAStallAsAResult(t *testing.T) {
	w := newWorld()
	inner := w.run
	w.run = func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
		r, err := inner(ctx, contestant, seed)
		if contestant == "toad" && seed == 20 {
			r.Stall = &experiment.Stall{At: time.Second, Why: "every lily pad is taken"}
		}
		return r, err
	}
	var stalls int
	r, err := experiment.Sweep(t.Context(), w, experiment.Options{Seeds: seeds, Progress: func(p experiment.Progress) {
		if p.Stalled {
			stalls++
		}
	}})
	if err != nil || !r.Complete() || stalls != 1 {
		t.Fatalf("error %v, complete %v, stalls reported %d", err, r.Complete(), stalls)
	}
	if run, _ := r.Run("toad", 20); run.Stall == nil {
		t.Error("the stall is lost")
	}
}

func TestSweepStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	w := newWorld()
	inner := w.run
	w.run = func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
		if contestant == "newt" && seed == 10 {
			cancel(errBroken)
			return experiment.Run{}, context.Cause(ctx)
		}
		return inner(ctx, contestant, seed)
	}
	r, err := experiment.Sweep(ctx, w, experiment.Options{Seeds: seeds, Parallel: 1})
	wantError(t, err, "4 of 9 runs have a result", `contestant "newt", seed 10`)
	if !errors.Is(err, errBroken) {
		t.Errorf("the cause is lost: %v", err)
	}
	// It goes seed by seed, so that what there is can be compared.
	if want := []string{"frog:30", "frog:10", "newt:30", "toad:30"}; !slices.Equal(names(r), want) {
		t.Errorf("runs %v, want %v", names(r), want)
	}
}

// The bubble's clock is simulated: neither test waits for real.

func TestSweepEndsWhenTheBudgetIsSpent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		inner := w.run
		w.run = func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
			select {
			case <-time.After(time.Minute):
				return inner(ctx, contestant, seed)
			case <-ctx.Done():
				return experiment.Run{}, context.Cause(ctx)
			}
		}
		r, err := experiment.Sweep(t.Context(), w, experiment.Options{Seeds: seeds, Parallel: 2, WallBudget: 150 * time.Second})
		wantError(t, err, "4 of 9 runs have a result", "2m30s", "raise the wall budget", `contestant "newt", seed 10`, `contestant "toad", seed 10`)
		if !errors.Is(err, experiment.ErrBudget) || len(r.Runs) != 4 {
			t.Errorf("is ErrBudget: %v, runs %v", errors.Is(err, experiment.ErrBudget), names(r))
		}
	})
}

func TestSweepLeavesAHangingRunBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		w := newWorld()
		inner := w.run
		w.run = func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
			if contestant == "frog" && seed == 30 {
				<-release
			}
			return inner(ctx, contestant, seed)
		}
		r, err := experiment.Sweep(t.Context(), w, experiment.Options{Seeds: seeds, Parallel: 2, WallBudget: time.Minute})
		wantError(t, err, `contestant "frog", seed 30`, "left behind", "8 of 9 runs have a result")
		if !errors.Is(err, experiment.ErrBudget) || len(r.Runs) != 8 {
			t.Errorf("runs %v", names(r))
		}
	})
}

func TestSweepRefusesBadOptions(t *testing.T) {
	for name, c := range map[string]struct {
		o    experiment.Options
		says string
	}{
		"no seeds":           {experiment.Options{}, "no seeds"},
		"a seed twice":       {experiment.Options{Seeds: []uint64{1, 2, 1}}, "seed 1: must be listed once"},
		"no contestants":     {experiment.Options{Seeds: seeds, Contestants: []string{}}, "no contestants"},
		"a contestant twice": {experiment.Options{Seeds: seeds, Contestants: []string{"newt", "newt"}}, `"newt": must be listed once`},
		"a bad name":         {experiment.Options{Seeds: seeds, Contestants: []string{"newt-2"}}, `"newt-2"`},
		"negative parallel":  {experiment.Options{Seeds: seeds, Parallel: -1}, `"Parallel": -1`},
		"negative budget":    {experiment.Options{Seeds: seeds, WallBudget: -1}, `"WallBudget": -1ns`},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := experiment.Sweep(t.Context(), newWorld(), c.o)
			wantError(t, err, c.says)
			if r != nil {
				t.Error("there is a result")
			}
		})
	}
}

// choosy is a world that knows whom else it can run.
type choosy struct{ world }

func (choosy) CheckContestant(name string) error {
	if name != "frog(green)" {
		return errors.New("the choices are frog(green)")
	}
	return nil
}

func TestSweepAsksAboutContestantsThatAreNotListed(t *testing.T) {
	w := choosy{newWorld()}
	w.unsuited = map[string]string{"fish": "cannot leave the water"}
	_, err := experiment.Sweep(t.Context(), w, experiment.Options{Seeds: seeds, Contestants: []string{"frog", "frgo"}})
	wantError(t, err, `scenario "quiet_pond"`, "the choices are frog(green)")
	r, err := experiment.Sweep(t.Context(), w, experiment.Options{Seeds: seeds[:1], Contestants: []string{"fish", "frog(green)"}})
	if err != nil {
		t.Fatal(err)
	}
	if row := rank(t, r, experiment.Calibrated).Row("done"); len(row.Eligible) != 1 || row.Eligible[0].Contestant != "frog(green)" {
		t.Errorf("eligible %v, want the variant, which nobody declared unsuited", row.Eligible)
	}
}

func TestSweepNamesRunsWithoutADigestByTheirValues(t *testing.T) {
	w := newWorld()
	w.metrics = append(w.metrics, clock)
	inner := w.run
	w.run = func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
		r, err := inner(ctx, contestant, seed)
		r.Values["wall_s"] = float64(time.Now().UnixNano())
		if contestant == "toad" {
			r.Digest = "own"
		}
		return r, err
	}
	sweep := func() *experiment.Result {
		r, err := experiment.Sweep(t.Context(), w, experiment.Options{Seeds: seeds})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := sweep(), sweep()
	seen := map[string]bool{}
	for i := range a.Runs {
		if a.Runs[i].Digest != b.Runs[i].Digest {
			t.Errorf("run %d: digests %s and %s", i, a.Runs[i].Digest, b.Runs[i].Digest)
		}
		seen[a.Runs[i].Digest] = true
	}
	if len(seen) != 7 || !seen["own"] { // six different runs, and the toad's own word
		t.Errorf("digests %v", seen)
	}
}
