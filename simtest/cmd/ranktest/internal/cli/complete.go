package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/explain"
)

// complete sets the completion of a flag that exists.
func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the flag was not declared, found by any test
	}
}

// completeScenarios completes up to most arguments by names of scenarios, each
// once; a most of 0 is no limit.
func (a *App) completeScenarios(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		given := map[string]bool{}
		for _, name := range args {
			given[name] = true
		}
		var found []cobra.Completion
		for _, e := range a.Scenarios {
			if given[e.Name] {
				continue
			}
			if s, err := e.New(); err == nil {
				found = append(found, cobra.CompletionWithDesc(e.Name, s.Summary()))
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// contestants are those that the scenarios list, unsuited ones too, and the
// algorithms of package acquire, each with what it does if that is known.
func (a *App) contestants(scenarios []string) []cobra.Completion {
	seen := map[string]bool{}
	var found []cobra.Completion
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			found = append(found, cobra.CompletionWithDesc(name, explain.Contestant(name)))
		}
	}
	all, err := a.scenarios(scenarios)
	if err != nil {
		return nil
	}
	for _, s := range all {
		for _, c := range s.Contestants() {
			add(c)
		}
		for _, c := range sortedKeys(s.Unsuited()) {
			add(c)
		}
		if !takesSpecs(s) {
			continue
		}
		for _, d := range acquire.Definitions() {
			add(d.Name)
		}
	}
	return found
}

// completeAlgorithms completes the last name of a comma list.
func (a *App) completeAlgorithms(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, ",")+1]
	var found []cobra.Completion
	for _, c := range a.contestants(args) {
		found = append(found, before+c)
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
