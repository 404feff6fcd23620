package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/placement"
)

// placeSettings are the flags of place.
type placeSettings struct {
	*generated
	placement.Settings
	generator *pflag.FlagSet // those of generated
	policies  list
	json      string
	saved     string // where the trace goes
}

func (a *App) placeCommand() *cobra.Command {
	s := &placeSettings{generated: newGenerated(), Settings: placement.DefaultSettings()}
	s.PolicySeed = new(big.Int).Set(s.PolicySeed)
	cmd := &cobra.Command{
		Use:   "place [TRACE]",
		Short: "Run placement policies on a trace",
		Long: `Run placement policies on one trace, and print what came of it: of every policy
the metrics, and a digest of everything that happened, which is the same
whenever the same is run again.

The trace is a file that "ranktest trace" or the reference wrote, the standard
input if it is "-", or generated from the flags if there is none. The JSON is
the reference's result file. A row is left empty where a policy has no value.

` + exitStatus("done", "an output could not be written"),
		Example: `  ranktest place trace.json
  ranktest place trace.json --policies one-random,power-two --availability-lag 5 --load-lag 0
  ranktest place --seed 42 --workers 1000 --ticks 500 --arrivals 8 --availability-lag 3 --load-lag 3
  ranktest place trace.json --policy-seed 7 --drain 1000 --restart=false --json result.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("argument %q: must be left out: all that there can be is TRACE", args[1])
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.place(cmd.Context(), s, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&s.policies, "policies", "comma `list` of policies (default: all)")
	complete(cmd, "policies", completePolicies)
	f.IntVar(&s.AvailabilityLag, "availability-lag", s.AvailabilityLag, "`ticks` after which local policies learn who is online")
	f.IntVar(&s.LoadLag, "load-lag", s.LoadLag, "`ticks` after which they learn the loads of others")
	f.IntVar(&s.Drain, "drain", s.Drain, "`ticks` after the last arrivals in which what is left may finish")
	f.Var(integer{s.PolicySeed}, "policy-seed", "`seed` of each policy's choices: any whole number")
	f.BoolVar(&s.RestartOnChurn, "restart", s.RestartOnChurn, "an outage loses the work that was done on evicted tasks")
	f.StringVar(&s.json, "json", "", "write the reference's result file to this `file`; - is the standard output, without a table")
	f.StringVar(&s.saved, "save-trace", "", "write the trace to this `file`")
	for _, name := range []string{"availability-lag", "load-lag", "drain", "policy-seed"} {
		complete(cmd, name, cobra.NoFileCompletions)
	}
	s.generator = s.declare(cmd)
	return cmd
}

func completePolicies(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, ",")+1]
	var found []cobra.Completion
	for _, p := range placement.Policies() {
		found = append(found, cobra.CompletionWithDesc(before+p, placement.PolicyMeaning(p)))
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (s *placeSettings) validate(args []string) error {
	errs := []error{s.Settings.Validate()}
	for i, p := range s.policies {
		switch {
		case !slices.Contains(placement.Policies(), p):
			errs = append(errs, fmt.Errorf("flag --policies: %q: unknown: must be one of %s", p, strings.Join(placement.Policies(), ", ")))
		case slices.Contains(s.policies[:i], p):
			errs = append(errs, fmt.Errorf("flag --policies: %q: must be named once", p))
		}
	}
	if len(args) > 0 {
		s.generator.VisitAll(func(f *pflag.Flag) {
			if f.Changed {
				errs = append(errs, fmt.Errorf("flag --%s: %s: must be left out, since the trace is given: %s", f.Name, f.Value, args[0]))
			}
		})
	}
	return errors.Join(errs...)
}

func (a *App) place(ctx context.Context, s *placeSettings, args []string) error {
	c := &placement.Comparison{Settings: s.Settings}
	var t *placement.Trace
	outputs := []output{
		{"save-trace", s.saved, func(w io.Writer) error { return t.Write(w) }},
		{"json", s.json, c.WriteJSON},
	}
	if err := errors.Join(s.validate(args), checkOutputs(outputs)); err != nil {
		return err
	}
	t, err := a.placed(ctx, s, args)
	if err != nil {
		return err
	}
	if err := a.writeOutputs(outputs[:1], false); err != nil {
		return err
	}
	c.Trace = t.Summary()
	policies := s.policies
	if policies == nil {
		policies = placement.Policies()
	}
	p := startProgress(a.Stderr, "place", len(policies))
	for i, policy := range policies {
		var r *placement.Result
		if r, err = placement.Simulate(ctx, t, policy, s.Settings); err != nil {
			break
		}
		c.Results = append(c.Results, r)
		p.set(i + 1)
	}
	p.end()
	if err != nil && ctx.Err() == nil {
		return err
	}
	partial := len(c.Results) < len(policies)
	if len(c.Results) == 0 {
		return err
	}
	if s.json != "-" {
		err = errors.Join(err, writeComparison(a.Stdout, c, policies))
	}
	return errors.Join(err, a.writeOutputs(outputs[1:], partial))
}

// placed returns the trace to run on.
func (a *App) placed(ctx context.Context, s *placeSettings, args []string) (*placement.Trace, error) {
	switch {
	case len(args) == 0:
		return s.trace(ctx)
	case args[0] == "-":
		data, err := await(ctx, func() ([]byte, error) { return io.ReadAll(a.Stdin) })
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		t, err := placement.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return t, nil
	}
	return placement.Load(args[0])
}

// writeComparison prints the metrics, a column for each policy.
func writeComparison(w io.Writer, c *placement.Comparison, policies []string) error {
	var text strings.Builder
	writeSummary(&text, c.Trace)
	s := c.Settings
	restart := "lose their work"
	if !s.RestartOnChurn {
		restart = "keep their work"
	}
	fmt.Fprintf(&text, "availability seen %d and load %d ticks late, drain of %d ticks, policy seed %d, evicted tasks %s\n",
		s.AvailabilityLag, s.LoadLag, s.Drain, s.PolicySeed, restart)
	if missing := policies[len(c.Results):]; len(missing) > 0 {
		fmt.Fprintf(&text, "PARTIAL: no result of %s\n", strings.Join(missing, ", "))
	}
	text.WriteByte('\n')
	head := []string{"  metric"}
	for _, r := range c.Results {
		name := r.Policy
		if name == placement.Oracle {
			name = "[" + name + "]"
		}
		head = append(head, name)
	}
	rows := [][]string{head}
	for _, m := range placement.Metrics() {
		row := []string{mark(m) + m.Name}
		for _, r := range c.Results {
			v, ok := r.Values()[m.Name]
			if !ok {
				row = append(row, "-")
				continue
			}
			row = append(row, experiment.FormatNumber(v))
		}
		rows = append(rows, row)
	}
	row := []string{"  digest of the run"}
	for _, r := range c.Results {
		row = append(row, fmt.Sprintf("%.12s", r.Digest))
	}
	writeColumns(&text, append(rows, row))
	if _, err := io.WriteString(w, text.String()); err != nil {
		return finding{err}
	}
	return nil
}

func mark(m experiment.Metric) string {
	switch {
	case !m.Directional():
		return "  "
	case m.Better == experiment.Higher:
		return "↑ "
	}
	return "↓ "
}

// writeColumns writes a table: the first column to the left, others to the
// right.
func writeColumns(text *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				text.WriteString(cell + space)
			} else {
				text.WriteString("  " + space + cell)
			}
		}
		text.WriteByte('\n')
	}
}
