package cli_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/cmd/ranktest/internal/cli"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// shell runs the commands of a line that are ours, with what the one before a
// pipe has printed, or with input if that is not ours.
func shell(t *testing.T, line, input string) {
	t.Helper()
	line, _, _ = strings.Cut(line, "   #")
	for list := range strings.SplitSeq(line, "&&") {
		piped := input
		for pipe := range strings.SplitSeq(list, "|") {
			words := words(pipe)
			if len(words) == 0 || words[0] != "ranktest" {
				continue
			}
			var stdout, stderr bytes.Buffer
			a := app(piped, &stdout, &stderr)
			a.Scenarios = []catalog.Entry{{Name: "bursty_provider", New: smallProvider}, a.Scenarios[1]}
			if status := a.Run(t.Context(), words[1:]); status != cli.Done && (words[1] != "compare" || status != cli.Finding) {
				t.Errorf("%s: exit status %d: %s", pipe, status, &stderr)
			}
			piped = stdout.String()
		}
	}
}

// smallProvider is the base scenario with less to do.
func smallProvider() (experiment.Scenario, error) {
	s, err := catalog.BurstyProvider()
	if err != nil {
		return nil, err
	}
	return s.(experiment.Adjustable).Adjust(experiment.Adjustment{Jobs: 60})
}

// words splits a command as a shell does, up to a redirection.
func words(command string) []string {
	var all []string
	for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(command, -1) {
		if word == ">" {
			break
		}
		all = append(all, strings.Trim(word, "'"))
	}
	return all
}

// Every example of a help text, and every command of the documentation, does
// what it promises.
func TestExamples(t *testing.T) {
	var lines []string
	help, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range help {
		if !strings.HasPrefix(f.Name(), "help.") {
			continue
		}
		text, err := os.ReadFile("testdata/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		_, examples, _ := strings.Cut(string(text), "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		lines = append(lines, strings.Split(examples, "\n")...)
	}
	doc, err := os.ReadFile("../../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(doc)) {
		if command, ok := strings.CutPrefix(line, "//\tranktest "); ok {
			lines = append(lines, "ranktest "+strings.TrimSpace(command))
		}
	}
	if len(lines) < 25 {
		t.Fatalf("only %d examples: %q", len(lines), lines)
	}
	t.Chdir(t.TempDir())
	ranktest(t, "run", "quiet_pond", "--benchstat", "old.txt").want(t, cli.Done)
	for _, name := range []string{"new.txt", "report.txt"} {
		report, err := os.ReadFile("old.txt")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, report, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ranktest(t, "trace", "--ticks", "20", "--output", "trace.json").want(t, cli.Done)
	input, err := os.ReadFile("old.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		t.Run(strings.TrimSpace(line), func(t *testing.T) { shell(t, line, string(input)) })
	}
}
