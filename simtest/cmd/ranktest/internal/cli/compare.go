package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/spf13/cobra"

	"github.com/ranktest/ranktest/reports"
)

func (a *App) compareCommand() *cobra.Command {
	var threshold float64
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two reports seed by seed, and fail if something got worse",
		Long: `Compare two reports in benchstat's format, written by "ranktest run --benchstat"
or by the test suite, seed by seed: of each contestant and metric the change
relative to the old report, its interval, and the seeds on which it is better
and worse. Benchstat cannot do this: it does not know that the k-th line of
both files is the same seed, so a change of 1 % on each of 10 seeds is noise
to it.

A change for the worse is one beyond chance (all intervals hold at once with
95 %) and beyond the threshold. What is in one report only is named, and does
not count. One of the files may be "-", the standard input.

` + exitStatus("nothing changed for the worse", "something changed for the worse, beyond chance and the threshold"),
		Example: `  ranktest run --benchstat old.txt && git switch mine && ranktest run --benchstat new.txt
  ranktest compare old.txt new.txt
  ranktest compare --threshold 2.5 old.txt new.txt    # only what is more than 2.5 % worse
  git show main:report.txt | ranktest compare - report.txt`,
		Args: exactly("OLD", "NEW"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compare(cmd.Context(), args[0], args[1], threshold)
		},
	}
	cmd.Flags().Float64Var(&threshold, "threshold", 0, "the change, in `percent`, that does not matter")
	complete(cmd, "threshold", cobra.NoFileCompletions)
	return cmd
}

// errWorse is the finding of compare.
var errWorse = errors.New("something changed for the worse")

func (a *App) compare(ctx context.Context, before, now string, threshold float64) error {
	if !(threshold >= 0) || math.IsInf(threshold, 1) {
		return fmt.Errorf("flag --threshold: %v: must be a percentage from 0, such as 2.5", threshold)
	}
	if before == "-" && now == "-" {
		return errors.New(`arguments "-" "-": only one of them can be the standard input`)
	}
	old, errOld := a.readReport(ctx, before)
	new, errNew := a.readReport(ctx, now)
	if err := errors.Join(errOld, errNew); err != nil {
		return err
	}
	c, err := reports.Compare(old, new, threshold/100)
	if err != nil {
		return err
	}
	if err := reports.WriteComparison(a.Stdout, c); err != nil {
		return finding{err}
	}
	if c.Worse() {
		return finding{errWorse}
	}
	return nil
}

// readReport reads a report from a file, or from the standard input.
func (a *App) readReport(ctx context.Context, path string) ([]*reports.Result, error) {
	if path == "-" {
		return await(ctx, func() ([]*reports.Result, error) { return reports.ReadBenchstat(a.Stdin, "standard input") })
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return reports.ReadBenchstat(f, path)
}
