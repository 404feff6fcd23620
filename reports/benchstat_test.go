package reports_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// steady is the pond without absent values, so that every sample has every
// seed.
func steady(shift float64) *experiment.Result {
	sweep := pond(10, shift)
	sweep.Scenario.Metrics = slices.DeleteFunc(sweep.Scenario.Metrics, func(m experiment.Metric) bool { return m.Name == "rescue_s" })
	for _, run := range sweep.Runs {
		delete(run.Values, "rescue_s")
	}
	return sweep
}

// write puts a report into a file.
func write(t *testing.T, dir, name string, sweep *experiment.Result, format func(io.Writer, []*reports.Result) error) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := reports.WriteFile(path, func(w io.Writer) error { return format(w, []*reports.Result{result(t, sweep, reports.Provenance{})}) }); err != nil {
		t.Fatal(err)
	}
	return path
}

// benchstat runs the real tool, which must have nothing to complain about.
func benchstat(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("go", append([]string{"tool", "benchstat"}, args...)...)
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &complaints)
	}
	if complaints.Len() > 0 {
		t.Errorf("benchstat complains:\n%s", &complaints)
	}
	return out.String()
}

func TestBenchstatComparesTwoReports(t *testing.T) {
	dir := t.TempDir()
	changed := steady(0.003)
	changed.Scenario.Fingerprint = "another" // assumptions and seeds may differ: the comparison must not vanish
	for i := range changed.Seeds {
		changed.Seeds[i]++
	}
	for i := range changed.Runs {
		changed.Runs[i].Seed++
	}
	out := benchstat(t, write(t, dir, "old.txt", steady(0), reports.WriteBenchstat), write(t, dir, "new.txt", changed, reports.WriteBenchstat))

	var units []string
	for _, head := range regexp.MustCompile(`(?m)^ +│ +(\S+) +│ +\S+ +vs base`).FindAllStringSubmatch(out, -1) {
		units = append(units, head[1])
	}
	// Collisions are zero everywhere; wall time is volatile. Nanoseconds are
	// shown as seconds, waits that are zero on some seeds among them.
	if want := []string{"crossings", "m/s", "lap-p95-sec", "stroke-%", "wait-sec"}; !slices.Equal(units, want) {
		t.Errorf("tables %q, want one for each of %q", units, want)
	}
	if n := strings.Count(out, "n=10)"); n != 5*4-1 {
		t.Errorf("%d comparisons of 10 samples, want one for each unit and contestant but the wait of idle, which is zero", n)
	}
	if notes := regexp.MustCompile(`[¹²³⁴]|need >=`).FindAllString(out, -1); notes != nil {
		t.Errorf("warnings %q", notes)
	}
	for _, contestant := range []string{"idle", "crawl", "back(lane=1|2)", "dolphin"} {
		want := len(units)
		if contestant == "idle" {
			want--
		}
		if n := strings.Count(out, "QuietPond/algorithm="+contestant+" "); n != want {
			t.Errorf("%s has %d lines, want one in each table", contestant, n)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

func TestBenchstatComparesSeedBySeed(t *testing.T) {
	dir := t.TempDir()
	out := benchstat(t, write(t, dir, "old.txt", steady(0), reports.WriteSeeds), write(t, dir, "new.txt", steady(0.003), reports.WriteSeeds))
	// Crawl on the first seed: 1.306 m/s before, 1.309 now.
	if !regexp.MustCompile(`crawl/seed=9223372036854775815 +1.306 ±  ?0% +1.309 ±  ?0% +\+0.23%`).MatchString(out) {
		t.Errorf("no exact delta of a seed:\n%s", out)
	}
	if n := strings.Count(out, "/seed="); n != 5*40-10 {
		t.Errorf("%d lines, want one for each unit, contestant and seed", n)
	}
}

func TestBenchfmtReadsWhatWeWrite(t *testing.T) {
	sweep := pond(10, 0)
	for name, format := range map[string]func(io.Writer, []*reports.Result) error{"all": reports.WriteBenchstat, "by seed": reports.WriteSeeds} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := format(&text, []*reports.Result{result(t, sweep, reports.Provenance{})}); err != nil {
				t.Fatal(err)
			}
			reader := benchfmt.NewReader(&text, "pond.txt")
			n := 0
			for reader.Scan() {
				switch record := reader.Result().(type) {
				case *benchfmt.SyntaxError:
					t.Error(record)
				case *benchfmt.Result:
					checkRecord(t, sweep, n, record)
					n++
				}
			}
			if reader.Err() != nil || n != len(sweep.Runs) {
				t.Errorf("%d of %d runs, %v", n, len(sweep.Runs), reader.Err())
			}
			for unit, better := range map[string]int{"crossings": 1, "m/s": 1, "lap-p95-ns": -1, "stroke-%": 0, "collisions": -1} {
				if got := reader.Units().GetBetter(unit); got != better {
					t.Errorf("%s is better %d, want %d", unit, got, better)
				}
			}
		})
	}
}

// checkRecord compares the n-th record with the n-th run.
func checkRecord(t *testing.T, sweep *experiment.Result, n int, record *benchfmt.Result) {
	t.Helper()
	run := sweep.Runs[n]
	name := "QuietPond/algorithm=" + run.Contestant
	if full := string(record.Name.Full()); full != name && full != fmt.Sprintf("%s/seed=%d", name, run.Seed) {
		t.Errorf("record %d is named %s, want %s", n, full, name)
	}
	if _, parts := record.Name.Parts(); strings.HasPrefix(string(parts[len(parts)-1]), "-") {
		t.Errorf("%s: a number of processors was read", record.Name)
	}
	if record.Iters != int(run.Iterations) || record.Config == nil || len(record.Config) != 1 || record.GetConfig("clock") != "virtual" {
		t.Errorf("%s: iterations %d, keys %v", record.Name, record.Iters, record.Config)
	}
	for _, m := range sweep.Scenario.Metrics {
		want, ok := run.Values[m.Name]
		unit := m.Bench
		if strings.HasSuffix(unit, "-ns") { // the reader turns it into seconds
			unit, want = strings.TrimSuffix(unit, "-ns")+"-sec", want*m.Scale()/1e9
		} else {
			want *= m.Scale()
		}
		got, found := record.Value(unit)
		written := ok && !m.Volatile && m.Name != "collisions" && (m.Name != "wait_ms" || run.Contestant != "idle")
		if found != written || found && math.Abs(got-want) > 1e-9*math.Abs(want)+2e-12 { // two picoseconds
			t.Errorf("%s: %s is %v (%v), want %v (%v)", record.Name, unit, got, found, want, ok)
		}
	}
}

func TestUnitsAndNamesMustNotClash(t *testing.T) {
	other := func(name, unit string, better experiment.Direction) *reports.Result {
		sweep := pond(3, 0)
		sweep.Scenario.Name = name
		sweep.Scenario.Metrics[0].Bench = unit
		sweep.Scenario.Metrics[0].Better = better
		sweep.Scenario.Metrics[0].Gated = false
		return result(t, sweep, reports.Provenance{})
	}
	first := result(t, pond(3, 0), reports.Provenance{})
	wantError(t, reports.WriteBenchstat(io.Discard, []*reports.Result{first, other("noisy_pond", "m/s", experiment.Lower)}),
		`"noisy_pond"`, `unit "m/s"`, "higher in scenario \"quiet_pond\"")
	wantError(t, reports.WriteBenchstat(io.Discard, []*reports.Result{first, other("quiet__pond", "m/s", experiment.Higher)}),
		"QuietPond", `already that of scenario "quiet_pond"`)
	if err := reports.WriteBenchstat(io.Discard, []*reports.Result{first, other("noisy_pond", "m/s", experiment.Higher)}); err != nil {
		t.Error(err)
	}
}

func TestManySeedsFitBenchstat(t *testing.T) {
	sweep := pond(2, 0)
	sweep.Seeds, sweep.Runs = nil, nil
	sweep.Contestants = []string{"crawl", "idle"}
	for s := range uint64(5000) {
		sweep.Seeds = append(sweep.Seeds, s*s*1e9+1)
	}
	for _, c := range sweep.Contestants {
		for _, seed := range sweep.Seeds {
			if c == "idle" && seed%3 == 1 {
				continue
			}
			sweep.Runs = append(sweep.Runs, experiment.Run{Contestant: c, Seed: seed, Values: map[string]float64{"crossings": 1}})
		}
	}
	var text bytes.Buffer
	before := result(t, sweep, reports.Provenance{Partial: []string{"many"}})
	if err := reports.WriteBenchstat(&text, []*reports.Result{before}); err != nil {
		t.Fatal(err)
	}
	reader := benchfmt.NewReader(bytes.NewReader(text.Bytes()), "many.txt")
	for reader.Scan() {
	}
	if reader.Err() != nil {
		t.Error(reader.Err())
	}
	after, err := reports.ReadBenchstat(&text, "many.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(after[0].Sweep.Seeds, sweep.Seeds) || len(after[0].Sweep.Runs) != len(sweep.Runs) {
		t.Errorf("%d seeds, %d runs, want %d and %d", len(after[0].Sweep.Seeds), len(after[0].Sweep.Runs), len(sweep.Seeds), len(sweep.Runs))
	}
}
