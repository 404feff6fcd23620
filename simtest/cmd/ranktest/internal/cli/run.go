package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

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

	json, markdown, benchstat, html string
	ownFirstSeed                    bool // --first-seed was not given
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
  ranktest run bursty_provider --html report.html
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
	f.StringVar(&s.html, "html", "", "write a page with charts of everything to this `file`")
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
