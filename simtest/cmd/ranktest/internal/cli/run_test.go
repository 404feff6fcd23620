package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/cmd/ranktest/internal/cli"
)

func TestRunPrintsATable(t *testing.T) {
	o := ranktest(t, "run", "quiet_pond")
	o.want(t, cli.Done)
	golden(t, "run.txt", o.stdout)
	if o.stderr != "" {
		t.Errorf("standard error is %q, want nothing: it is no terminal", o.stderr)
	}
	short := ranktest(t, "run", "quiet_pond", "--short")
	short.wantOutput(t, "crossings")
	if strings.Contains(short.stdout, "strokes") {
		t.Errorf("--short prints a row that is no headline:\n%s", short.stdout)
	}
}

// jsonReport is what the tests look at of a JSON report.
type jsonReport struct {
	Scenarios []struct {
		Scenario   string
		Rule       string
		Draws      string
		Partial    bool
		PartialWhy []string `json:"partial_why"`
		Seeds      []string
		Runs       []struct {
			Contestant string
			Digest     string
			Metrics    map[string]float64
		}
		Winners map[string][]string
	}
}

func (o outcome) json(t *testing.T) jsonReport {
	t.Helper()
	return parseJSON(t, []byte(o.stdout))
}

func parseJSON(t *testing.T, data []byte) jsonReport {
	t.Helper()
	var r jsonReport
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	return r
}

func TestRunFollowsItsFlags(t *testing.T) {
	o := ranktest(t, "run", "bursty_provider", "--json", "-", "--seeds", "2", "--first-seed", "18446744073709551613",
		"--algorithms", "wait, backoff(base=100ms,cap=2s)", "--jobs", "30", "--concurrency", "3", "--horizon", "20s",
		"--rule", "reference", "--draws", "python", "--parallel", "1", "--wall-budget", "5m")
	o.want(t, cli.Done)
	s := o.json(t).Scenarios[0]
	if s.Rule != "reference" || s.Draws != "python" || strings.Join(s.Seeds, " ") != "18446744073709551613 18446744073709551614" || s.Partial {
		t.Errorf("got %+v", s)
	}
	if len(s.Runs) != 4 || s.Runs[3].Contestant != "backoff(base=100ms,cap=2s)" {
		t.Fatalf("runs are %+v", s.Runs)
	}
	for _, r := range s.Runs {
		m := r.Metrics
		if sum := m["jobs_done"] + m["jobs_failed"] + m["jobs_unstarted"]; sum != 30 {
			t.Errorf("%s: %v jobs, want 30", r.Contestant, sum)
		}
	}
}

// The same command prints the same, whatever the number of runs at a time.
func TestRunIsReproducible(t *testing.T) {
	args := []string{"run", "bursty_provider", "--json", "-", "--seeds", "2", "--jobs", "40"}
	first := ranktest(t, append(args, "--parallel", "1")...)
	second := ranktest(t, append(args, "--parallel", "4")...)
	if first.stdout != second.stdout {
		t.Error("two runs of the same command differ")
	}
}

func TestRunWritesFiles(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	o := ranktest(t, "run", "quiet_pond", "bursty_provider", "--jobs", "0", "--seeds", "2",
		"--json", in("new/report.json"), "--markdown", in("report.md"), "--benchstat", in("report.txt"), "--html", in("report.html"))
	o.want(t, cli.Done, "wrote "+in("new/report.json"), "wrote "+in("report.md"), "wrote "+in("report.txt"))
	o.wantOutput(t, "quiet_pond: a pond", "\n\nbursty_provider: ")
	data, err := os.ReadFile(in("new/report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r := parseJSON(t, data); len(r.Scenarios) != 2 || r.Scenarios[0].Partial {
		t.Errorf("got %+v", r)
	}
	// The page has the runs over time, and the explanation, of worlds that have
	// them.
	page, err := os.ReadFile(in("report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"quiet_pond", "bursty_provider", "The endpoint fast-flaky", "in flight"} {
		if !strings.Contains(string(page), says) {
			t.Errorf("the page has no %q", says)
		}
	}
	text, err := os.Open(in("report.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if results, err := reports.ReadBenchstat(text, "report.txt"); err != nil || len(results) != 2 {
		t.Errorf("%d results, %v", len(results), err)
	}
}

// What does not fit the flags is left out of all scenarios, but an error among
// those that were named.
func TestRunLeavesOutWhatCannotBeAdjusted(t *testing.T) {
	o := ranktest(t, "run", "--jobs", "10", "--seeds", "1", "--short", "--algorithms", "wait")
	o.want(t, cli.Done, "left out, since the flags do not fit: quiet_pond, deep_pond, frozen_pond", `the first of them: scenario "quiet_pond": cannot be adjusted`)
	o.wantOutput(t, "bursty_provider")
	o = ranktest(t, "run", "--jobs", "10", "quiet_pond", "bursty_provider")
	o.want(t, cli.Unusable, `scenario "quiet_pond": cannot be adjusted: leave out --jobs`)
	if o.stdout != "" {
		t.Errorf("something was run:\n%s", o.stdout)
	}
}

func TestUnsuitedContestantsRunIfAskedFor(t *testing.T) {
	o := ranktest(t, "run", "quiet_pond", "--algorithms", "walker,crawl", "--seeds", "1")
	o.want(t, cli.Done)
	o.wantOutput(t, "N/A")
}

// A run without a result is a finding: the others are printed, and files get
// another name.
func TestAFailedRunLeavesAPartialReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(file, []byte("a full report of yesterday"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := ranktest(t, "run", "deep_pond", "--seeds", "3", "--json", file)
	o.want(t, cli.Finding, `contestant "diver", seed 8: panic: out of breath`, "pond_test.go", "report.partial.json")
	o.wantOutput(t, "PARTIAL", "1 of 6 runs have no result: diver on 8")
	if data, _ := os.ReadFile(file); string(data) != "a full report of yesterday" {
		t.Errorf("a partial report took the place of a full one")
	}
	if strings.Contains(o.stderr, "--help") {
		t.Errorf("usage is not the problem:\n%s", o.stderr)
	}
}

func TestASpentBudgetSaysWhatToDo(t *testing.T) {
	o := ranktest(t, "run", "frozen_pond", "--seeds", "1", "--wall-budget", "50ms", "--parallel", "1")
	o.want(t, cli.Finding, "1 of 2 runs have a result", "the wall budget is spent (50ms)", "raise the wall budget")
	o.wantOutput(t, "PARTIAL")
}

// An interrupt keeps what was computed, of the scenario that it hits, too.
func TestAnInterruptPrintsWhatThereIs(t *testing.T) {
	dir := t.TempDir()
	file, page := filepath.Join(dir, "report.json"), filepath.Join(dir, "report.html")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	interrupt := func() { cancel(errors.New("interrupt signal received")) }
	o := ranktestOn(t, context.WithValue(ctx, skating{}, interrupt), "", "run", "bursty_provider", "frozen_pond", "quiet_pond", "--seeds", "2", "--parallel", "1", "--json", file, "--html", page)
	o.want(t, cli.Interrupted, `scenario "frozen_pond": 1 of 4 runs have a result: interrupt signal received`,
		"1 of 3 scenarios were not begun", "wrote "+reports.PartialPath(file), "wrote "+reports.PartialPath(page))
	o.wantOutput(t, "bursty_provider: ", "frozen_pond: ", "PARTIAL", "interrupted")
	data, err := os.ReadFile(reports.PartialPath(file))
	if err != nil {
		t.Fatal(err)
	}
	r := parseJSON(t, data)
	if len(r.Scenarios) != 2 || !r.Scenarios[0].Partial || len(r.Scenarios[1].Runs) != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestAnInterruptBeforeTheFirstRun(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupt signal received"))
	o := ranktestOn(t, ctx, "", "run", "quiet_pond")
	o.want(t, cli.Interrupted, "interrupt signal received", "1 of 1 scenarios were not begun")
	if o.stdout != "" {
		t.Errorf("got %q", o.stdout)
	}
}

// full is a standard output without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnOutputThatFailsIsAFinding(t *testing.T) {
	for _, args := range [][]string{
		{"run", "quiet_pond"},
		{"run", "quiet_pond", "--json", "-"},
		{"run", "quiet_pond", "--html", "-"},
		{"list"},
		{"explain", "quiet_pond"},
	} {
		var stderr bytes.Buffer
		status := app("", full{}, &stderr).Run(t.Context(), args)
		if status != cli.Finding || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: exit status %d, %s", args, status, &stderr)
		}
	}
}
