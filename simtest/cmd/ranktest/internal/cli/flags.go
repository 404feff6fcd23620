package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError says which flag is wrong, and what would be right.
func flagError(cmd *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := wrong.GetFlag()
		return fmt.Errorf("flag --%s: %q: %s", f.Name, wrong.GetValue(), mustBe(f, wrong.Unwrap()))
	}
	if bare, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("flag --%s: must be followed by a value", bare.GetFlag().Name)
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name = "-" + short
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return fmt.Errorf("flag %s: unknown: must be one of %s", name, strings.Join(names, ", "))
	}
	return err
}

// mustBe says what a flag's value has to be.
func mustBe(f *pflag.Flag, cause error) string {
	switch f.Value.Type() {
	case "int":
		return "must be a whole number"
	case "uint64":
		return "must be a whole number, from 0 to 18446744073709551615"
	case "float64":
		return "must be a number"
	case "bool":
		return "must be true or false"
	case "duration":
		return "must be a duration such as 90s or 10m"
	}
	return cause.Error()
}

// choice is a flag with a few possible values.
type choice struct {
	value   *string
	choices []string
}

// choiceVar declares such a flag, with completion; the first choice is the
// default.
func choiceVar(cmd *cobra.Command, value *string, name, usage string, choices ...string) {
	*value = choices[0]
	cmd.Flags().Var(&choice{value, choices}, name, usage)
	cmd.Flags().Lookup(name).DefValue = "" // the usage says it
	complete(cmd, name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return "choice" }
func (c *choice) Set(text string) error {
	if !slices.Contains(c.choices, text) {
		return errors.New("must be " + strings.Join(c.choices, " or "))
	}
	*c.value = text
	return nil
}

// list is a comma list in which commas within parentheses do not separate.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }
func (l *list) Type() string   { return "list" }
func (l *list) Set(text string) error {
	*l = nil
	depth, from := 0, 0
	for i, c := range text + "," {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth != 0 && i < len(text) {
				continue
			}
			if item := strings.TrimSpace(text[from:i]); item != "" {
				*l = append(*l, item)
			}
			from = i + 1
		}
	}
	if depth != 0 {
		return errors.New("must have as many closing parentheses as opening ones")
	}
	if len(*l) == 0 {
		return errors.New("must be at least one name")
	}
	return nil
}

// exactly returns the check that there is one argument for each word.
func exactly(words ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < len(words) {
			return fmt.Errorf("argument %s: missing: must be given", words[len(args)])
		}
		if len(args) > len(words) {
			return fmt.Errorf("argument %q: must be left out: all that there can be is %s", args[len(words)], strings.Join(words, " "))
		}
		return nil
	}
}
