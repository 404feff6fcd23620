package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/cmd/ranktest/internal/cli"
)

func TestHelp(t *testing.T) {
	for _, command := range []string{"", "list", "run", "explain", "compare", "trace-run", "trace", "place"} {
		t.Run("ranktest "+command, func(t *testing.T) {
			o := ranktest(t, append(strings.Fields(command), "--help")...)
			o.want(t, cli.Done)
			golden(t, strings.Trim("help."+command, ".")+".txt", o.stdout)
			for line := range strings.Lines(o.stdout) {
				if n := len([]rune(strings.TrimRight(line, "\n"))); n > 132 {
					t.Errorf("a line has %d columns: %s", n, line)
				}
			}
		})
	}
}

func TestHelpCommand(t *testing.T) {
	if got, want := ranktest(t, "help", "run"), ranktest(t, "run", "--help"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := ranktest(t, "help"), ranktest(t, "--help"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Whatever is wrong with a command line is said with the thing, its value and
// what would be right, and nothing is run.
func TestUnusableCommandLines(t *testing.T) {
	readonly := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(readonly, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, c := range []struct {
		args []string
		says []string
	}{
		{nil, []string{"no command: must be one of", "compare", "run"}},
		{[]string{"rum"}, []string{`command "rum": unknown: must be one of`, "run"}},
		{[]string{"help", "rum"}, []string{`command "rum": unknown: must be one of`, "run"}},
		{[]string{"run", "--seed", "3"}, []string{"flag --seed: unknown: must be one of", "--seeds", "--first-seed"}},
		{[]string{"run", "-x"}, []string{"flag -x: unknown"}},
		{[]string{"run", "--seeds"}, []string{"flag --seeds: must be followed by a value"}},
		{[]string{"run", "--seeds", "many"}, []string{`flag --seeds: "many": must be a whole number`}},
		{[]string{"run", "--seeds", "0"}, []string{"flag --seeds: 0: must be from 1 to 1000000"}},
		{[]string{"run", "--first-seed", "-1"}, []string{`flag --first-seed: "-1": must be a whole number, from 0`}},
		{[]string{"run", "--first-seed", "18446744073709551610"}, []string{"flag --first-seed: 18446744073709551610: must leave room"}},
		{[]string{"run", "--horizon", "600"}, []string{`flag --horizon: "600": must be a duration such as 90s`}},
		{[]string{"run", "--jobs", "-1", "--concurrency", "-2"}, []string{"flag --jobs: -1: must not be negative", "flag --concurrency: -2: must not be negative"}},
		{[]string{"run", "--wall-budget", "0s"}, []string{"flag --wall-budget: 0s: must be above 0"}},
		{[]string{"run", "--parallel", "-1"}, []string{"flag --parallel: -1: must not be negative"}},
		{[]string{"run", "--rule", "coin"}, []string{`flag --rule: "coin": must be calibrated or reference`}},
		{[]string{"run", "--draws", "dice"}, []string{`flag --draws: "dice": must be default or python`}},
		{[]string{"run", "--algorithms", "backoff(base=1s"}, []string{`flag --algorithms: "backoff(base=1s": must have as many closing`}},
		{[]string{"run", "--algorithms", ","}, []string{`flag --algorithms: ",": must be at least one name`}},
		{[]string{"run", "bursty_provider", "--algorithms", "stick"}, []string{`scenario "bursty_provider"`, `"stick": unknown`, "sticky"}},
		{[]string{"run", "quiet_pond", "--algorithms", "crawler"}, []string{`contestant "crawler": unknown: must be one of crawl, butterfly, walker`}},
		{[]string{"run", "bursty"}, []string{`scenario "bursty": unknown: must be one of bursty_provider`}},
		{[]string{"run", "quiet_pond", "quiet_pond"}, []string{`scenario "quiet_pond": must be named once`}},
		{[]string{"run", "--json", folder}, []string{"flag --json: " + quoted(folder) + ": must be a file that can be written: it is a folder"}},
		{[]string{"run", "--json", readonly + "/report"}, []string{"flag --json", "must be a file that can be written"}},
		{[]string{"run", "--json", "-", "--markdown", "-"}, []string{`flag --markdown: "-": must be another one than that of --json`}},
		{[]string{"run", "--json", "a", "--benchstat", "./a"}, []string{`flag --benchstat: "./a": must be another one than that of --json`}},
		{[]string{"trace-run", "bursty_provider", "wait"}, []string{"argument SEED: missing"}},
		{[]string{"trace-run", "bursty_provider", "wait", "first"}, []string{`argument SEED: "first": must be a whole number`}},
		{[]string{"trace-run", "bursty_provider", "wit", "1"}, []string{`"wit": unknown`, "wait"}},
		{[]string{"trace-run", "quiet_pond", "crawl", "1"}, []string{`scenario "quiet_pond": has no trace of a run: must be one of bursty_provider`}},
		{[]string{"trace-run", "bursty_provider", "wait", "1", "--output", folder}, []string{"flag --output", "it is a folder"}},
		{[]string{"trace", "now"}, []string{`argument "now": must be left out`}},
		{[]string{"trace", "--workers", "0"}, []string{`field "Workers": 0: must be from 1`}},
		{[]string{"trace", "--churn", "2"}, []string{`field "Churn": 2: must be from 0 to 1`}},
		{[]string{"trace", "--seed", "1.5"}, []string{`flag --seed: "1.5": must be a whole number`}},
		{[]string{"trace", "--output", folder}, []string{"flag --output", "it is a folder"}},
		{[]string{"place", "a", "b"}, []string{`argument "b": must be left out`}},
		{[]string{"place", "missing.json"}, []string{"missing.json: no such file"}},
		{[]string{"place", readonly}, []string{readonly}},
		{[]string{"place", "-"}, []string{"standard input: placement:"}},
		{[]string{"place", readonly, "--workers", "3"}, []string{"flag --workers: 3: must be left out, since the trace is given"}},
		{[]string{"place", "--policies", "power-two,power-four,power-two"}, []string{`flag --policies: "power-four": unknown: must be one of one-random`, `"power-two": must be named once`}},
		{[]string{"place", "--load-lag", "-1"}, []string{`field "LoadLag": -1: must not be negative`}},
		{[]string{"place", "--policy-seed", "x"}, []string{`flag --policy-seed: "x": must be a whole number`}},
		{[]string{"place", "--json", folder}, []string{"flag --json", "it is a folder"}},
		{[]string{"list", "nowhere"}, []string{`scenario "nowhere": unknown`}},
		{[]string{"explain"}, []string{"argument SCENARIO: missing"}},
		{[]string{"explain", "a", "b"}, []string{`argument "b": must be left out`}},
		{[]string{"explain", "nowhere"}, []string{`scenario "nowhere": unknown: must be one of`}},
		{[]string{"explain", "bursty_provider", "--jobs", "-1"}, []string{"flag --jobs: -1"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			o := ranktest(t, c.args...)
			o.want(t, cli.Unusable, append(c.says, "--help")...)
			if o.stdout != "" {
				t.Errorf("standard output is %q, want nothing", o.stdout)
			}
		})
	}
}

func quoted(s string) string { return `"` + s + `"` }

// A check of outputs leaves nothing behind.
func TestCheckingOutputsLeavesNoTrace(t *testing.T) {
	dir := t.TempDir()
	o := ranktest(t, "run", "--seeds", "1", "nowhere", "--json", filepath.Join(dir, "new", "report.json"))
	o.want(t, cli.Unusable)
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("found %v", entries)
	}
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args  []string
		has   []string
		lacks []string
	}{
		{[]string{"explain", ""}, []string{"bursty_provider\tone vendor", "quiet_pond\ta pond"}, nil},
		{[]string{"explain", "quiet_pond", ""}, nil, []string{"pond"}},
		{[]string{"run", "quiet_pond", ""}, []string{"bursty_provider"}, []string{"quiet_pond\t"}},
		{[]string{"run", "--algorithms", ""}, []string{"wait\t", "butterfly", "quota_aware\t"}, nil},
		{[]string{"run", "bursty_provider", "--algorithms", "wait,st"}, []string{"wait,sticky\t"}, []string{"butterfly"}},
		{[]string{"run", "quiet_pond", "--algorithms", ""}, []string{"crawl", "walker"}, []string{"sticky"}},
		{[]string{"run", "--rule", ""}, []string{"calibrated", "reference"}, nil},
		{[]string{"run", "--draws", "p"}, []string{"python"}, nil},
		{[]string{"trace-run", ""}, []string{"bursty_provider"}, []string{"quiet_pond"}},
		{[]string{"trace-run", "bursty_provider", ""}, []string{"sticky\t", "failover\t"}, nil},
		{[]string{"trace-run", "bursty_provider", "wait", ""}, []string{"20260917"}, nil},
		{[]string{"place", "--policies", "power-two,"}, []string{"power-two,power-three\t"}, nil},
		{[]string{"place", ""}, []string{"json"}, nil},
		{[]string{"ru"}, []string{"run\tRun scenarios"}, nil},
	} {
		o := ranktest(t, append([]string{"__complete"}, c.args...)...)
		o.want(t, cli.Done)
		o.wantOutput(t, c.has...)
		for _, s := range c.lacks {
			if strings.Contains(o.stdout, s) {
				t.Errorf("%v: completed by %q:\n%s", c.args, s, o.stdout)
			}
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		o := ranktest(t, "completion", shell)
		o.want(t, cli.Done)
		o.wantOutput(t, "ranktest")
	}
}

func TestList(t *testing.T) {
	o := ranktest(t, "list")
	o.want(t, cli.Done)
	o.wantOutput(t, "SCENARIOS", "bursty_provider", "unsuited: walker: it cannot swim", "backoff(base=", "METRICS of quiet_pond", "strokes per crossing",
		"PLACEMENT POLICIES", "power-two")
	if one := ranktest(t, "list", "quiet_pond"); strings.Contains(one.stdout, "bursty_provider") {
		t.Errorf("list quiet_pond names others:\n%s", one.stdout)
	}
}

// Every scenario that ships can be explained.
func TestExplainWhatShips(t *testing.T) {
	for _, e := range catalog.All() {
		var stdout, stderr bytes.Buffer
		a := &cli.App{Scenarios: catalog.All(), Stdout: &stdout, Stderr: &stderr}
		if status := a.Run(t.Context(), []string{"explain", e.Name}); status != cli.Done {
			t.Errorf("%s: exit status %d: %s", e.Name, status, &stderr)
		}
		for _, heading := range []string{"The world", "What follows", "Who takes part", "What is measured", "All assumptions"} {
			if !strings.Contains(stdout.String(), "\n"+heading+"\n") {
				t.Errorf("%s: no part %q", e.Name, heading)
			}
		}
		for _, odd := range []string{"NaN", "Inf", "%!", "<nil>"} {
			if strings.Contains(stdout.String(), odd) {
				t.Errorf("%s: %q in\n%s", e.Name, odd, &stdout)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	o := ranktest(t, "explain", "bursty_provider", "--concurrency", "30")
	o.want(t, cli.Done)
	o.wantOutput(t, "30 workers share 22 leases")
	o = ranktest(t, "explain", "quiet_pond")
	o.want(t, cli.Done)
	golden(t, "explain.txt", o.stdout)
}
