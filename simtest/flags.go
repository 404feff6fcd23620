package simtest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// settings are the flags of a suite. Each has an environment variable, which
// is what a flag is if it is not given: -simtest.first-seed is
// SIMTEST_FIRST_SEED.
type settings struct {
	seeds       int
	firstSeed   uint64
	algorithms  []string
	scenarios   []string
	jobs        int
	concurrency int
	horizon     time.Duration
	wallBudget  time.Duration
	rule        string
	draws       string
	out         string
	json        string
	markdown    string
	html        string
	annotations string
	gate        string
	update      bool
	list        bool
	guide       string // by an option of RunSuite, not by a flag

	set     *flag.FlagSet
	fromEnv map[string]bool // by name without prefix
	errs    []error         // of environment variables
}

// suite holds what the flags of this process say. Flags are global by nature:
// the testing package parses them once, before any spec is built.
var suite = register(flag.CommandLine, os.LookupEnv)

const prefix = "simtest."

// defaultSeeds is enough for benchstat's intervals and for the calibrated rule
// to separate what differs by a few per cent.
const defaultSeeds = 10

// register declares the flags, and sets those that have an environment
// variable.
func register(set *flag.FlagSet, env func(string) (string, bool)) *settings {
	s := &settings{set: set, fromEnv: map[string]bool{}}
	set.IntVar(&s.seeds, prefix+"seeds", defaultSeeds, "how many seeds each contestant is run on")
	set.Uint64Var(&s.firstSeed, prefix+"first-seed", 0, "the first seed, which the others follow (default: the scenario's own)")
	set.Var((*list)(&s.algorithms), prefix+"algorithms", "comma list of contestants, parameters allowed: wait,backoff(base=100ms,cap=2s) (default: those that each scenario is suited to)")
	set.Var((*list)(&s.scenarios), prefix+"scenarios", "comma list of the scenarios to run (default: all)")
	set.IntVar(&s.jobs, prefix+"jobs", 0, "jobs of each run (default: the scenario's own)")
	set.IntVar(&s.concurrency, prefix+"concurrency", 0, "workers of each run (default: the scenario's own)")
	set.DurationVar(&s.horizon, prefix+"horizon", 0, "simulated time after which no job is begun (default: the scenario's own)")
	set.DurationVar(&s.wallBudget, prefix+"wall-budget", experiment.DefaultWallBudget, "real time for each sweep")
	set.StringVar(&s.rule, prefix+"rule", string(experiment.Calibrated), "who shares a row: calibrated or reference")
	set.StringVar(&s.draws, prefix+"draws", "default", "the world's randomness: default, or python for the reference's")
	set.StringVar(&s.out, prefix+"out", "reports/out", "folder of the benchstat reports; like the files below, a relative one is below the module's root")
	set.StringVar(&s.json, prefix+"json", "", "file for the results as JSON")
	set.StringVar(&s.markdown, prefix+"markdown", "", "file for the results as markdown")
	set.StringVar(&s.html, prefix+"html", "", "file for the results as a page that shows every seed, and runs over time")
	set.StringVar(&s.annotations, prefix+"annotations", "", "file for the failures as workflow commands that GitHub shows")
	set.StringVar(&s.gate, prefix+"gate", "ranking", "what must be as committed: ranking (winners and exclusions), exact (every digest), or a comma list of rows")
	set.BoolVar(&s.update, prefix+"update", false, "rewrite the committed rankings, testdata/rankings/<scenario>.txt, after a full run that passed")
	set.BoolVar(&s.list, prefix+"list", false, "print scenarios, algorithms and metrics, and exit")

	set.VisitAll(func(f *flag.Flag) {
		name, ours := strings.CutPrefix(f.Name, prefix)
		if !ours {
			return
		}
		variable := "SIMTEST_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		f.Usage += " ($" + variable + ")"
		if text, ok := env(variable); ok && text != "" {
			s.fromEnv[name] = true
			if err := f.Value.Set(text); err != nil {
				s.errs = append(s.errs, fmt.Errorf("simtest: environment variable %s: %q: %w", variable, text, err))
			}
		}
	})
	return s
}

// given reports whether a flag was set, on the command line or by its
// environment variable.
func (s *settings) given(name string) bool {
	given := s.fromEnv[name]
	s.set.Visit(func(f *flag.Flag) { given = given || f.Name == prefix+name })
	return given
}

// list is a comma list in which commas within parentheses do not separate.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(text string) error {
	*l = nil
	depth, start := 0, 0
	add := func(end int) {
		if item := strings.TrimSpace(text[start:end]); item != "" {
			*l = append(*l, item)
		}
		start = end + 1
	}
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	if depth != 0 {
		return fmt.Errorf("the parentheses do not match")
	}
	add(len(text))
	return nil
}
