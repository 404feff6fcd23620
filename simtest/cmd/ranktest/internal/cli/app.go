package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// App is the command with its surroundings.
type App struct {
	// Scenarios are those that can be named.
	Scenarios []catalog.Entry
	Stdin     io.Reader
	// Stdout and Stderr may be terminals, if they are files.
	Stdout, Stderr io.Writer
}

// Run does what the arguments say (without the name of the program) and
// returns the exit status.
func (a *App) Run(ctx context.Context, args []string) int {
	root := a.command()
	root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return Done
	}
	status := statusOf(ctx, err)
	for _, line := range strings.Split(strings.TrimRight(err.Error(), "\n"), "\n") {
		fmt.Fprintf(a.Stderr, "%s: %s\n", cmd.CommandPath(), line)
	}
	if status == Unusable {
		fmt.Fprintf(a.Stderr, "%s: see %s --help\n", cmd.CommandPath(), cmd.CommandPath())
	}
	return status
}

// command builds the tree of commands.
func (a *App) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "ranktest",
		Short: "Which algorithm should this workload use, and did this change the answer?",
		Long: `ranktest answers one question: which algorithm should this workload use, and
did this change the answer?

A scenario writes down the assumptions about a world. Every contestant is run
on every seed of it, on a virtual clock, and the same seed means the same luck
for all of them. A ranking then says, metric by metric, who may claim to be
best; "cannot separate them" is one of the answers.

` + exitStatus("done; for compare, nothing changed for the worse", `for compare, something changed for the worse; for all others, there is
       less than was asked for: a run has no result, or an output could not be
       written`),
		Example: `  ranktest list                                   # what there is to choose from
  ranktest explain bursty_provider                # what a scenario takes for granted
  ranktest run bursty_provider                    # who is best at what
  ranktest run bursty_provider --benchstat new.txt && ranktest compare old.txt new.txt`,
		SilenceErrors: true, // Run prints them
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("command %q: unknown: must be one of %s", args[0], strings.Join(commandNames(cmd), ", "))
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fmt.Errorf("no command: must be one of %s", strings.Join(commandNames(cmd), ", "))
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(helpCommand(root))
	root.AddCommand(a.listCommand(), a.explainCommand(), a.runCommand(), a.compareCommand(), a.traceRunCommand(), a.traceCommand(), a.placeCommand())
	return root
}

// helpCommand is cobra's, but for a command that does not exist.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("command %q: unknown: must be one of %s", strings.Join(args, " "), strings.Join(commandNames(root), ", "))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// scenario makes the scenario of that name.
func (a *App) scenario(name string) (experiment.Scenario, error) {
	i := slices.IndexFunc(a.Scenarios, func(e catalog.Entry) bool { return e.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("scenario %q: unknown: must be one of %s", name, strings.Join(a.scenarioNames(), ", "))
	}
	return a.Scenarios[i].New()
}

// scenarios makes those of the names, or all if there are none.
func (a *App) scenarios(names []string) ([]experiment.Scenario, error) {
	if len(names) == 0 {
		names = a.scenarioNames()
	}
	var all []experiment.Scenario
	var errs []error
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			errs = append(errs, fmt.Errorf("scenario %q: must be named once", name))
			continue
		}
		s, err := a.scenario(name)
		all, errs = append(all, s), append(errs, err)
	}
	return all, errors.Join(errs...)
}

func (a *App) scenarioNames() []string {
	var names []string
	for _, e := range a.Scenarios {
		names = append(names, e.Name)
	}
	return names
}

// note tells the user something that is not a result.
func (a *App) note(format string, args ...any) { fmt.Fprintf(a.Stderr, format+"\n", args...) }
