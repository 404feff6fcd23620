package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/ranktest/ranktest/simtest/experiment"
)

func (a *App) traceRunCommand() *cobra.Command {
	w := &world{}
	var path string
	cmd := &cobra.Command{
		Use:   "trace-run SCENARIO ALGORITHM SEED",
		Short: "Write one run in every detail, for Perfetto",
		Long: `Make one run, the same as "ranktest run" makes with the same flags, and write
it in the Trace Event Format: a row for each worker with its jobs, attempts,
waits for a lease, calls and pauses, and rows for each endpoint with requests,
refusals, cooldowns, storms and capacity. It opens in https://ui.perfetto.dev
and in chrome://tracing.

` + exitStatus("done", "the run has no result, or could not be written"),
		Example: `  ranktest trace-run bursty_provider wait 20260917 --output wait.json
  ranktest trace-run bursty_provider 'backoff(base=100ms)' 7 --jobs 100 | gzip > backoff.json.gz`,
		Args:              exactly("SCENARIO", "ALGORITHM", "SEED"),
		ValidArgsFunction: a.completeTraceRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.traceRun(cmd.Context(), w, path, args[0], args[1], args[2])
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&path, "output", "o", "-", "write to this `file`; - is the standard output")
	w.declare(cmd)
	return cmd
}

func (a *App) traceRun(ctx context.Context, w *world, path, name, contestant, seedText string) error {
	if err := errors.Join(w.validate(), a.checkOutput(path)); err != nil {
		return err
	}
	seed, err := strconv.ParseUint(seedText, 10, 64)
	if err != nil {
		return fmt.Errorf("argument SEED: %q: must be a whole number, from 0 to 18446744073709551615", seedText)
	}
	scenario, err := a.scenario(name)
	if err != nil {
		return err
	}
	if scenario, err = w.adjust(scenario); err != nil {
		return err
	}
	if err := checkContestant(scenario, contestant); err != nil {
		return err
	}
	tracer, ok := scenario.(experiment.Tracer)
	if !ok {
		return fmt.Errorf("scenario %q: has no trace of a run: must be one of %s", name, strings.Join(a.traced(), ", "))
	}
	p := startProgress(a.Stderr, name+", "+contestant+", seed "+seedText, 1)
	defer p.end()
	err = a.writeOutputs([]output{{"output", path, func(to io.Writer) error {
		defer p.end() // before anything else is said
		return tracer.WriteTrace(ctx, to, contestant, seed)
	}}}, false)
	if err == nil && path != "-" {
		a.note("open it in https://ui.perfetto.dev")
	}
	return err
}

// checkOutput checks the one output of a command. A terminal is none for what
// only programs read.
func (a *App) checkOutput(path string) error {
	if f, ok := a.Stdout.(*os.File); ok && path == "-" && term.IsTerminal(int(f.Fd())) {
		return errors.New(`flag --output: "-": must be a file, since the standard output is a terminal`)
	}
	return checkOutputs([]output{{flag: "output", path: path}})
}

// traced are the scenarios that can show a run.
func (a *App) traced() []string {
	var names []string
	for _, e := range a.Scenarios {
		if s, err := e.New(); err == nil {
			if _, ok := s.(experiment.Tracer); ok {
				names = append(names, e.Name)
			}
		}
	}
	return names
}

// completeTraceRun completes the scenario, then one of its contestants, then
// its first seed.
func (a *App) completeTraceRun(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	switch len(args) {
	case 0:
		found = append(found, a.traced()...)
	case 1:
		found = a.contestants(args)
	case 2:
		if s, err := a.scenario(args[0]); err == nil {
			found = append(found, strconv.FormatUint(firstSeed(s), 10))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
