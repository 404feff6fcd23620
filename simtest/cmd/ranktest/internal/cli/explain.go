package cli

import (
	"github.com/spf13/cobra"

	"github.com/ranktest/ranktest/simtest/explain"
)

func (a *App) explainCommand() *cobra.Command {
	w := &world{}
	cmd := &cobra.Command{
		Use:   "explain SCENARIO",
		Short: "Explain what a scenario takes for granted, in words and numbers",
		Long: `Explain a scenario: what its world is, what each part of it can do, what the
client does, what follows from that for everybody, who takes part, who is not
suited and why, what is measured, and every assumption by name.

All numbers follow from the assumptions; nothing is run.`,
		Example: `  ranktest explain bursty_provider
  ranktest explain bursty_provider --concurrency 24 | less`,
		Args:              exactly("SCENARIO"),
		ValidArgsFunction: a.completeScenarios(1),
		RunE:              func(_ *cobra.Command, args []string) error { return a.explain(w, args[0]) },
	}
	cmd.Flags().SortFlags = false
	w.declare(cmd)
	return cmd
}

func (a *App) explain(w *world, name string) error {
	if err := w.validate(); err != nil {
		return err
	}
	scenario, err := a.scenario(name)
	if err != nil {
		return err
	}
	if scenario, err = w.adjust(scenario); err != nil {
		return err
	}
	if err := explain.Write(a.Stdout, scenario); err != nil {
		return finding{err}
	}
	return nil
}
