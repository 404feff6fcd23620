package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/placement"
)

func (a *App) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list [SCENARIO...]",
		Short: "List scenarios, algorithms with their parameters, and metrics",
		Long: `List what there is to choose from: the scenarios with those who take part, the
acquire algorithms with their parameters and defaults, the placement policies,
and every metric with its unit, direction, gating and meaning.`,
		Example: `  ranktest list
  ranktest list bursty_provider`,
		ValidArgsFunction: a.completeScenarios(0),
		RunE:              func(_ *cobra.Command, args []string) error { return a.list(args) },
	}
}

func (a *App) list(names []string) error {
	scenarios, err := a.scenarios(names)
	if err != nil {
		return err
	}
	if err := reports.WriteListing(a.Stdout, scenarios, acquire.Definitions()); err != nil {
		return finding{err}
	}
	t := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nPLACEMENT POLICIES")
	for _, p := range placement.Policies() {
		fmt.Fprintf(t, "  %s\t%s\n", p, placement.PolicyMeaning(p))
	}
	if err := t.Flush(); err != nil {
		return finding{err}
	}
	return nil
}
