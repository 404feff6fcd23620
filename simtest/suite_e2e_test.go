package simtest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// programs builds the small suite and the ginkgo command, once.
var programs = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "simtest"); err != nil {
		return "", err
	}
	built = dir
	// A program looks for the committed rankings below the folder that it runs in.
	if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS("testdata/suite/testdata")); err != nil {
		return dir, err
	}
	for _, args := range [][]string{
		{"test", "-c", "-o", filepath.Join(dir, "small.test"), "./testdata/suite"},
		{"build", "-o", filepath.Join(dir, "ginkgo"), "github.com/onsi/ginkgo/v2/ginkgo"},
	} {
		if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return dir, fmt.Errorf("%w\n%s", err, text)
		}
	}
	return dir, nil
})

// built is the folder of the programs, "" until they are needed.
var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// ginkgo runs the small suite as a user would and returns what it printed.
func ginkgo(t *testing.T, flags []string, suiteFlags ...string) (string, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs other programs")
	}
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--no-color"}, flags...)
	args = append(args, filepath.Join(dir, "small.test"), "--")
	cmd := exec.Command(filepath.Join(dir, "ginkgo"), append(args, suiteFlags...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run is ginkgo for runs that must succeed, with the reports in a folder.
func run(t *testing.T, out string, flags []string, suiteFlags ...string) string {
	t.Helper()
	text, err := ginkgo(t, flags, append(suiteFlags, "-simtest.out="+out)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return text
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestReportsAreTheSameInSerialAndInParallel(t *testing.T) {
	serial, parallel := t.TempDir(), t.TempDir()
	run(t, serial, nil, "-simtest.json="+filepath.Join(serial, "all.json"), "-simtest.markdown="+filepath.Join(serial, "all.md"))
	run(t, parallel, []string{"-p", "--randomize-all"}, "-simtest.json="+filepath.Join(parallel, "all.json"), "-simtest.markdown="+filepath.Join(parallel, "all.md"))
	for _, name := range []string{"small.txt", "small.seeds.txt", "all.json", "all.md"} {
		if read(t, serial, name) != read(t, parallel, name) {
			t.Errorf("%s differs between serial and parallel runs", name)
		}
	}
	text := read(t, serial, "small.txt")
	if strings.Index(text, "BenchmarkSmall/") > strings.Index(text, "BenchmarkCalm/") {
		t.Error("scenarios are not in the order in which they are declared")
	}
	units := benchfmt.NewReader(strings.NewReader(text), "small.txt")
	lines := 0
	for units.Scan() {
		switch r := units.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(r)
		case *benchfmt.Result:
			lines++
		}
	}
	if want := 5*10 + 2*10; lines != want {
		t.Errorf("the report has %d lines, want %d", lines, want)
	}
}

func TestBenchstatComparesTwoReports(t *testing.T) {
	before, after := t.TempDir(), t.TempDir()
	run(t, before, nil)
	run(t, after, nil, "-simtest.jobs=140")
	cmd := exec.Command("go", "tool", "benchstat", filepath.Join(before, "small.txt"), filepath.Join(after, "small.txt"))
	var warnings bytes.Buffer
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, warnings.String())
	}
	text := string(out)
	if warnings.Len() > 0 {
		t.Errorf("benchstat warns: %s", warnings.String())
	}
	units := map[string]bool{}
	for _, line := range strings.Split(read(t, before, "small.txt"), "\n") {
		if strings.HasPrefix(line, "Benchmark") {
			fields := strings.Fields(line)
			for i := 3; i < len(fields); i += 2 {
				units[fields[i]] = true
			}
		}
	}
	if n := strings.Count(text, "vs base"); n != len(units) || n < 10 {
		t.Errorf("%d tables for %d units", n, len(units))
	}
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "¹") && line != "¹ all samples are equal":
			t.Errorf("a footnote: %s", line)
		case strings.Contains(line, "(p=") && !strings.Contains(line, "n=10"):
			t.Errorf("not 10 samples: %s", line)
		}
	}
}

func TestAPartNeverReplacesAFullReport(t *testing.T) {
	out := t.TempDir()
	full := filepath.Join(out, "small.txt")
	if err := os.WriteFile(full, []byte("full"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, flags := range map[string]struct{ ginkgo, suite []string }{
		"a label filter":      {ginkgo: []string{"--label-filter=scenario:calm"}},
		"a focus":             {ginkgo: []string{"--focus=calm"}},
		"a skip":              {ginkgo: []string{"--skip=excludes"}},
		"a scenario selected": {suite: []string{"-simtest.scenarios=calm"}},
		"a dry run":           {ginkgo: []string{"--dry-run"}},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, out, flags.ginkgo, flags.suite...)
			if read(t, full) != "full" {
				t.Error("the full report was overwritten")
			}
		})
	}
	if !strings.Contains(read(t, out, "small.partial.txt"), "partial") {
		t.Error("the partial report does not say that it is one")
	}
}

func TestJSONHasSeedsAsTexts(t *testing.T) {
	out := t.TempDir()
	file := filepath.Join(out, "r.json")
	run(t, out, nil, "-simtest.first-seed=18446744073709551000", "-simtest.seeds=2", "-simtest.json="+file)
	var report struct {
		Scenarios []struct {
			Seeds []string
			Runs  []struct{ Seed string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, file)), &report); err != nil {
		t.Fatal(err)
	}
	if s := report.Scenarios[0]; s.Seeds[1] != "18446744073709551001" || s.Runs[0].Seed != "18446744073709551000" {
		t.Errorf("seeds are %v, the first run's %v", s.Seeds, s.Runs[0].Seed)
	}
}

func TestWrongFlagsAreRefusedWithTheRemedy(t *testing.T) {
	for flag, want := range map[string]string{
		"-simtest.seeds=0":                "-simtest.seeds: 0: must be from 1",
		"-simtest.scenarios=bursty":       "there are small, calm",
		"-simtest.algorithms=wait,stickt": "sticky",
		"-simtest.rule=mine":              "must be calibrated or reference",
		"-simtest.draws=dice":             "must be default or python",
		"-simtest.jobs=-1":                "must not be negative",
	} {
		text, err := ginkgo(t, nil, flag)
		if err == nil || !strings.Contains(text, want) {
			t.Errorf("%s: error %v, want %q in\n%s", flag, err, want, text)
		}
	}
}

func TestAnUnwritableFolderIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := ginkgo(t, nil, "-simtest.seeds=2", "-simtest.out="+filepath.Join(file, "below"))
	if err == nil || !strings.Contains(text, filepath.Join(file, "below")) {
		t.Errorf("error %v, want the folder in\n%s", err, text)
	}
}

func TestEnvironmentVariablesStandForFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs")
	}
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	cmd := exec.Command(filepath.Join(dir, "small.test"))
	cmd.Env = append(os.Environ(), "SIMTEST_SEEDS=3", "SIMTEST_OUT="+out, "SIMTEST_SCENARIOS=calm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if n := strings.Count(read(t, out, "small.calm.txt"), "\nBenchmarkCalm/algorithm=wait "); n != 3 {
		t.Errorf("%d seeds were run, want 3", n)
	}
}
