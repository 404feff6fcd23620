package cli

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ranktest/ranktest/simtest/placement"
)

// generated are the flags of a trace that is generated.
type generated struct {
	placement.Generator
	seed *big.Int
}

// newGenerated returns the defaults of the reference.
func newGenerated() *generated {
	return &generated{placement.DefaultGenerator(), big.NewInt(42)}
}

// declare declares a flag for each parameter of the generator, in a set that
// tells them from others.
func (g *generated) declare(cmd *cobra.Command) *pflag.FlagSet {
	f := pflag.NewFlagSet("generator", pflag.ContinueOnError)
	f.SortFlags = false
	f.Var(integer{g.seed}, "seed", "`seed` of the trace: any whole number")
	f.IntVar(&g.Workers, "workers", g.Workers, "`number` of workers")
	f.IntVar(&g.Ticks, "ticks", g.Ticks, "`number` of ticks in which tasks arrive")
	f.IntVar(&g.Arrivals, "arrivals", g.Arrivals, "`number` of tasks that arrive in a tick")
	f.Float64Var(&g.BurstProbability, "burst-probability", g.BurstProbability, "`share` of ticks that are bursts, from 0 to 1")
	f.IntVar(&g.BurstMultiplier, "burst-multiplier", g.BurstMultiplier, "`number` of times as many tasks arrive in a burst")
	f.IntVar(&g.MaxWork, "max-work", g.MaxWork, "most `units` of work of a task")
	f.Float64Var(&g.Churn, "churn", g.Churn, "`share` of workers that have an outage, from 0 to 1")
	f.IntVar(&g.OutageMin, "outage-min", g.OutageMin, "least `ticks` of an outage")
	f.IntVar(&g.OutageMax, "outage-max", g.OutageMax, "most `ticks` of an outage")
	cmd.Flags().AddFlagSet(f)
	f.VisitAll(func(flag *pflag.Flag) { complete(cmd, flag.Name, cobra.NoFileCompletions) })
	return f
}

func (g *generated) trace(ctx context.Context) (*placement.Trace, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return await(ctx, func() (*placement.Trace, error) { return g.Trace(g.seed) })
}

func (a *App) traceCommand() *cobra.Command {
	g := newGenerated()
	var path string
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Generate a trace of workers, tasks and outages for place",
		Long: `Generate a trace for "ranktest place": workers of three speeds with one or two of
three capabilities, tasks that arrive in ticks, with bursts, and outages. The
same seed and parameters give the same trace, byte for byte that of the
reference; its digest is printed.

` + exitStatus("done", "the trace could not be written"),
		Example: `  ranktest trace --seed 42 --workers 1000 --ticks 500 --arrivals 8 --output trace.json
  ranktest trace --seed 7 --churn 0.2 | ranktest place -`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.trace(cmd.Context(), g, path) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&path, "output", "o", "-", "write to this `file`; - is the standard output")
	g.declare(cmd)
	return cmd
}

func (a *App) trace(ctx context.Context, g *generated, path string) error {
	if err := a.checkOutput(path); err != nil {
		return err
	}
	t, err := g.trace(ctx)
	if err != nil {
		return err
	}
	if err := a.writeOutputs([]output{{"output", path, t.Write}}, false); err != nil {
		return err
	}
	summary := a.Stdout
	if path == "-" {
		summary = a.Stderr
	}
	writeSummary(summary, t.Summary())
	return nil
}

// writeSummary says what is in a trace.
func writeSummary(w io.Writer, s placement.Summary) {
	var able []string
	for _, capability := range sortedKeys(s.Able) {
		able = append(able, fmt.Sprintf("%s %d", capability, s.Able[capability]))
	}
	fmt.Fprintf(w, "trace of seed %d: %s\n", s.Seed, s.Digest)
	fmt.Fprintf(w, "workers: %d, with %d units of capacity per tick; able: %s\n", s.Workers, s.Capacity, strings.Join(able, ", "))
	fmt.Fprintf(w, "tasks: %d, in %d ticks; outages: %d\n", s.Tasks, s.Ticks, s.Outages)
}
