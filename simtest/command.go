package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ranktest/ranktest/reports"
)

// wayOut names the commands that reproduce a drift and that accept it.
func wayOut(d *reports.Drift) string {
	name := d.Now.Scenario
	reproduce := []string{"-simtest.scenarios=" + name}
	what := "the scenario"
	if contestant, seed, ok := d.Suspect(); ok {
		what = fmt.Sprintf("one run of %s, on seed %d", contestant, seed)
		reproduce = append(reproduce, "-simtest.algorithms="+contestant, fmt.Sprintf("-simtest.first-seed=%d", seed), "-simtest.seeds=1")
	}
	return fmt.Sprintf("To reproduce %s:\n    %s\nTo accept what changed, and commit it:\n    %s\n",
		what, command(reproduce...), acceptCommand(name))
}

func acceptCommand(scenario string) string {
	return command("-simtest.scenarios="+scenario, "-simtest.update")
}

// command returns the line, for the module's root, that runs the suite of the
// working folder with these flags. A module without ginkgo as a tool runs it
// by go test, which shows what is printed only with -v.
func command(flags ...string) string {
	root := moduleRoot()
	pkg := "."
	if here, err := os.Getwd(); err == nil {
		if below, err := filepath.Rel(root, here); err == nil && below != "." {
			pkg = "./" + filepath.ToSlash(below)
		}
	}
	words := []string{"go test -v", quote(pkg), "-args"}
	if mod, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil && strings.Contains(string(mod), "onsi/ginkgo/v2/ginkgo") {
		words = []string{"go tool ginkgo", quote(pkg), "--"}
	}
	for _, f := range flags {
		words = append(words, quote(f))
	}
	return strings.Join(words, " ")
}

// quote makes a word safe for a shell.
func quote(word string) string {
	plain := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-_./=,:+@%", c)
	}
	if word != "" && !strings.ContainsFunc(word, func(c rune) bool { return !plain(c) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
