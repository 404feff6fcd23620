package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// runSettings are the flags of run.
type runSettings struct {
	world
	seeds      int
	firstSeed  uint64
	algorithms list
	rule       string
	wallBudget time.Duration
	parallel   int
	short      bool

	json, markdown, benchstat string
	ownFirstSeed              bool // --first-seed was not given
}

// defaultSeeds is enough for intervals, and to separate what differs by a few
// per cent.
const defaultSeeds = 10

func (a *App) runCommand() *cobra.Command {
	s := &runSettings{}
	cmd := &cobra.Command{
		Use:   "run [SCENARIO...]",
		Short: "Run scenarios and rank the contestants",
		Long: `Run the contestants of the scenarios, all scenarios if none is named, on every
seed, and print a table of means with a * on whoever may claim a row.

The flags are those of the test suite, without its prefix. A file named "-" is
the standard output; then there is no table. If some runs have no result, or
if it is interrupted, what there is is printed, marked as partial; it goes to
files with "partial" in their names (report.partial.json), so that it never
takes the place of a full report.

` + exitStatus("done", "some runs have no result, or an output could not be written"),
		Example: `  ranktest run bursty_provider
  ranktest run bursty_provider --seeds 30 --algorithms 'wait,backoff(base=100ms,cap=2s)'
  ranktest run bursty_provider --jobs 300 --horizon 90s --short
  ranktest run --benchstat new.txt --markdown new.md
  ranktest run bursty_provider --json - | jq '.scenarios[0].winners'
  ranktest run bursty_provider --draws python --rule reference --seeds 3`,
		ValidArgsFunction: a.completeScenarios(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.ownFirstSeed = !cmd.Flags().Changed("first-seed")
			return a.run(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&s.seeds, "seeds", defaultSeeds, "`number` of seeds that each contestant is run on")
	f.Uint64Var(&s.firstSeed, "first-seed", 0, "the first `seed`, which the others follow (default: the scenario's own)")
	f.Var(&s.algorithms, "algorithms", "comma `list` of contestants, parameters allowed (default: those that each scenario is suited to)")
	complete(cmd, "algorithms", a.completeAlgorithms)
	s.world.declare(cmd)
	choiceVar(cmd, &s.rule, "rule", "who shares a row: calibrated (the default) or reference", string(experiment.Calibrated), string(experiment.Reference))
	f.DurationVar(&s.wallBudget, "wall-budget", experiment.DefaultWallBudget, "real `time` for each scenario")
	f.IntVar(&s.parallel, "parallel", 0, "`number` of runs at a time; changes no result (default: one for each processor)")
	f.BoolVar(&s.short, "short", false, "print the most important rows only")
	f.StringVar(&s.json, "json", "", "write everything as JSON to this `file`")
	f.StringVar(&s.markdown, "markdown", "", "write tables in markdown to this `file`")
	f.StringVar(&s.benchstat, "benchstat", "", "write what benchstat and ranktest compare read to this `file`")
	for _, name := range []string{"seeds", "first-seed", "wall-budget", "parallel"} {
		complete(cmd, name, cobra.NoFileCompletions)
	}
	return cmd
}

func (s *runSettings) validate() error {
	const mostSeeds = 1_000_000
	errs := []error{s.world.validate()}
	check := func(ok bool, flag string, value any, want string) {
		if !ok {
			errs = append(errs, fmt.Errorf("flag --%s: %v: %s", flag, value, want))
		}
	}
	check(s.seeds >= 1 && s.seeds <= mostSeeds, "seeds", s.seeds, fmt.Sprintf("must be from 1 to %d", mostSeeds))
	check(s.firstSeed <= ^uint64(0)-uint64(max(s.seeds, 1)), "first-seed", s.firstSeed, "must leave room for the seeds that follow it")
	check(s.wallBudget > 0, "wall-budget", s.wallBudget, "must be above 0")
	check(s.parallel >= 0, "parallel", s.parallel, "must not be negative; 0 is one for each processor")
	return errors.Join(errs...)
}

// outputs are what is written in the end.
func (s *runSettings) outputs(results *[]*reports.Result) []output {
	to := func(flag, path string, write func(io.Writer, []*reports.Result) error) output {
		return output{flag, path, func(w io.Writer) error { return write(w, *results) }}
	}
	return []output{
		to("json", s.json, reports.WriteJSON),
		to("markdown", s.markdown, reports.WriteMarkdown),
		to("benchstat", s.benchstat, reports.WriteBenchstat),
	}
}

func (a *App) run(ctx context.Context, s *runSettings, names []string) error {
	var results []*reports.Result
	outputs := s.outputs(&results)
	if err := errors.Join(s.validate(), checkOutputs(outputs)); err != nil {
		return err
	}
	scenarios, err := a.entered(s, names)
	if err != nil {
		return err
	}
	var errs []error
	begun := 0
	for _, scenario := range scenarios {
		if ctx.Err() != nil {
			break
		}
		begun++
		result, err := a.sweep(ctx, s, scenario)
		errs = append(errs, err)
		if result == nil {
			continue
		}
		results = append(results, result)
		if !toStdout(outputs) {
			errs = append(errs, a.table(result, s.short, len(results) == 1))
		}
	}
	if n := len(scenarios); begun < n {
		errs = append(errs, fmt.Errorf("%w: %d of %d scenarios were not begun", context.Cause(ctx), n-begun, n))
	}
	if len(results) > 0 {
		errs = append(errs, a.writeOutputs(outputs, markPartial(results, len(scenarios))))
	}
	return errors.Join(errs...)
}

// table prints a result, the first without an empty line above it.
func (a *App) table(r *reports.Result, short, first bool) error {
	if !first {
		fmt.Fprintln(a.Stdout)
	}
	if err := reports.WriteTable(a.Stdout, r, reports.TableOptions{Color: a.color(), Short: short}); err != nil {
		return finding{err}
	}
	return nil
}

// markPartial reports whether the results are not all that was asked for. If
// scenarios are missing, it says so in the results that there are.
func markPartial(results []*reports.Result, scenarios int) bool {
	if len(results) < scenarios {
		for _, r := range results {
			r.Partial = append(r.Partial, fmt.Sprintf("%d of %d scenarios have a result", len(results), scenarios))
		}
	}
	return slices.ContainsFunc(results, func(r *reports.Result) bool { return len(r.Partial) > 0 })
}

// entered returns the scenarios as the flags want them. Of those that were
// named every one must fit the flags; of all, those that do are run.
func (a *App) entered(s *runSettings, names []string) ([]experiment.Scenario, error) {
	all, err := a.scenarios(names)
	if err != nil {
		return nil, err
	}
	var fitting []experiment.Scenario
	var errs []error
	for _, scenario := range all {
		adjusted, err := s.adjust(scenario)
		for _, c := range s.algorithms {
			if err == nil {
				err = checkContestant(adjusted, c)
			}
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		fitting = append(fitting, adjusted)
	}
	if len(errs) > 0 && (len(names) > 0 || len(fitting) == 0) {
		return nil, errors.Join(errs...)
	}
	for _, err := range errs {
		a.note("left out: %v", err)
	}
	return fitting, nil
}

// sweep runs a scenario. Both a result and an error mean that some of the runs
// have none.
func (a *App) sweep(ctx context.Context, s *runSettings, scenario experiment.Scenario) (*reports.Result, error) {
	first := s.firstSeed
	if s.ownFirstSeed {
		first = firstSeed(scenario)
	}
	o := experiment.Options{Contestants: s.algorithms, WallBudget: s.wallBudget, Parallel: s.parallel}
	for i := range uint64(s.seeds) {
		o.Seeds = append(o.Seeds, first+i)
	}
	contestants := len(s.algorithms)
	if contestants == 0 {
		contestants = len(scenario.Contestants())
	}
	p := startProgress(a.Stderr, scenario.Name(), contestants*s.seeds)
	o.Progress = func(at experiment.Progress) { p.set(at.Done) }
	swept, err := experiment.Sweep(ctx, scenario, o)
	p.end()
	if swept == nil {
		return nil, err
	}
	var partial []string
	if ctx.Err() != nil && !swept.Complete() {
		partial = append(partial, "interrupted")
	}
	if err != nil {
		err = finding{brief(err, context.Cause(ctx))}
	}
	if len(swept.Runs) == 0 {
		return nil, err
	}
	result, wrong := reports.New(swept, reports.Provenance{Rule: experiment.Rule(s.rule), Draws: s.draws, Partial: partial})
	if wrong != nil {
		return nil, finding{errors.Join(err, wrong)}
	}
	return result, err
}

// brief leaves the first few of many errors, and of those that only say that
// the context has ended none.
func brief(err, cause error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	const most = 3
	var kept []error
	more := 0
	for _, e := range joined.Unwrap() {
		_, ofRun := errors.AsType[*experiment.RunError](e)
		switch {
		case ofRun && cause != nil && errors.Is(e, cause):
		case ofRun && len(kept) >= most:
			more++
		default:
			kept = append(kept, e)
		}
	}
	if more > 0 {
		kept = append(kept, fmt.Errorf("and %d more like these", more))
	}
	return errors.Join(kept...)
}

// color reports whether the standard output wants colors.
func (a *App) color() bool {
	f, ok := a.Stdout.(*os.File)
	return ok && reports.ColorFor(f)
}
