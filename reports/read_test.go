package reports_test

import (
	"bytes"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// written returns reports as benchstat text.
func written(t *testing.T, format func(io.Writer, []*reports.Result) error, results ...*reports.Result) string {
	t.Helper()
	var text bytes.Buffer
	if err := format(&text, results); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func read(t *testing.T, text string) []*reports.Result {
	t.Helper()
	results, err := reports.ReadBenchstat(strings.NewReader(text), "given.txt")
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	few := pond(4, 0)
	few.Scenario.Name = "noisy_pond"
	few.Runs = slices.Delete(few.Runs, 9, 11)
	few.Contestants = []string{"dive", "back(lane=1|2)", "crawl", "idle"}
	few.Runs = slices.DeleteFunc(few.Runs, func(r experiment.Run) bool { return r.Contestant == "dolphin" })
	slices.SortStableFunc(few.Runs, func(a, b experiment.Run) int {
		return slices.Index(few.Contestants, a.Contestant) - slices.Index(few.Contestants, b.Contestant)
	})
	before := []*reports.Result{
		result(t, pond(10, 0), reports.Provenance{}),
		result(t, few, reports.Provenance{Rule: experiment.Reference, Draws: "python", Partial: []string{"it was focused"}}),
	}
	for name, format := range map[string]func(io.Writer, []*reports.Result) error{"all": reports.WriteBenchstat, "by seed": reports.WriteSeeds} {
		t.Run(name, func(t *testing.T) {
			after := read(t, written(t, format, before...))
			if len(after) != 2 {
				t.Fatalf("%d scenarios", len(after))
			}
			for i := range before {
				compareResults(t, before[i], after[i])
			}
		})
	}
}

func compareResults(t *testing.T, before, after *reports.Result) {
	t.Helper()
	if !reflect.DeepEqual(before.Provenance, after.Provenance) {
		t.Errorf("provenance %+v, want %+v", after.Provenance, before.Provenance)
	}
	b, a := before.Sweep, after.Sweep
	if a.Scenario.Name != b.Scenario.Name || a.Scenario.Summary != b.Scenario.Summary || a.Scenario.Fingerprint != b.Scenario.Fingerprint ||
		!slices.Equal(a.Scenario.Contestants, b.Scenario.Contestants) || !reflect.DeepEqual(a.Scenario.Unsuited, b.Scenario.Unsuited) ||
		!reflect.DeepEqual(a.Scenario.References, b.Scenario.References) {
		t.Errorf("scenario %+v, want %+v", a.Scenario, b.Scenario)
	}
	if !slices.Equal(a.Contestants, b.Contestants) || !slices.Equal(a.Seeds, b.Seeds) || len(a.Runs) != len(b.Runs) {
		t.Fatalf("contestants %v, seeds %v, %d runs", a.Contestants, a.Seeds, len(a.Runs))
	}
	for i := range b.Runs {
		x, y := b.Runs[i], a.Runs[i]
		if x.Contestant != y.Contestant || x.Seed != y.Seed || x.Iterations != y.Iterations {
			t.Errorf("run %d is %s on %d, want %s on %d", i, y.Contestant, y.Seed, x.Contestant, x.Seed)
		}
		if (x.Stall == nil) != (y.Stall == nil) || x.Stall != nil && (x.Stall.At != y.Stall.At || x.Stall.Why != y.Stall.Why) {
			t.Errorf("run %d: stall %+v, want %+v", i, y.Stall, x.Stall)
		}
		for _, m := range b.Scenario.Metrics {
			want, ok := x.Values[m.Name]
			got, found := y.Values[m.Name]
			if found != (ok && !m.Volatile) || found && math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("run %d: %s is %v (%v), want %v (%v)", i, m.Name, got, found, want, ok)
			}
		}
	}
	for i, row := range after.Ranking.Rows {
		if want := before.Ranking.Row(row.Metric.Name); !slices.Equal(row.Winners, want.Winners) {
			t.Errorf("row %d: winners %v, want %v", i, row.Winners, want.Winners)
		}
	}
}

// What was read is written the same.
func TestReadingIsLossless(t *testing.T) {
	for _, sweep := range []*experiment.Result{pond(10, 0), steady(1.0 / 3)} {
		text := written(t, reports.WriteBenchstat, result(t, sweep, reports.Provenance{}))
		if again := written(t, reports.WriteBenchstat, read(t, text)...); again != text {
			t.Errorf("got\n%s\nwant\n%s", again, text)
		}
	}
}

func TestFilesWithPartsTakenOut(t *testing.T) {
	text := written(t, reports.WriteBenchstat, result(t, pond(4, 0), reports.Provenance{}))
	lines := strings.SplitAfter(text, "\n")
	without := func(drop func(i int, line string) bool) *reports.Result {
		var kept strings.Builder
		for i, line := range lines {
			if !drop(i, line) {
				kept.WriteString(line)
			}
		}
		return read(t, kept.String())[0]
	}

	gone := without(func(_ int, line string) bool { return strings.Contains(line, "=crawl ") })
	if len(gone.Sweep.Runs) != 12 || !slices.Equal(gone.Partial, []string{"4 of 16 runs have no result: crawl on 9223372036854775815..9223372036854775818"}) {
		t.Errorf("%d runs, partial for %q", len(gone.Sweep.Runs), gone.Partial)
	}
	first := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "=crawl ") })
	short := without(func(i int, _ string) bool { return i == first })
	if len(short.Sweep.Runs) != 12 || !strings.Contains(short.Partial[0], "crawl has 3 lines in the file but 4 seeds") {
		t.Errorf("%d runs, partial for %q", len(short.Sweep.Runs), short.Partial)
	}
}

func TestReadRefusesWhatItDoesNotUnderstand(t *testing.T) {
	text := written(t, reports.WriteBenchstat, result(t, pond(2, 0), reports.Provenance{}))
	replace := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("the text has no %q", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for name, c := range map[string]struct{ text, says string }{
		"an empty file":         {"", "no line begins with \"# ranktest\""},
		"a file of go test":     {"BenchmarkFoo-8 100 12 ns/op\n", `given.txt:1: benchmark "Foo-8": no comment above says`},
		"another version":       {replace("# ranktest 1;", "# ranktest 2;"), `given.txt:1: format "2": must be 1`},
		"a scenario twice":      {text + text, "must be in a file once"},
		"a seed of letters":     {replace("seeds 9", "seeds x9"), "must be numbers and ranges"},
		"a range of everything": {replace("seeds 9223372036854775815..", "seeds 1.."), "must be numbers and ranges"},
		"a range backwards":     {replace("..9223372036854775816", "..1"), "must be numbers and ranges"},
		"an unknown unit":       {replace(" crossings 1.2", " corsings 1.2"), `unit "corsings"`},
		"a value of letters":    {replace(" 3 crossings", " many crossings"), `value "many"`},
		"an infinite value":     {replace(" 3 crossings", " Inf crossings"), "must be finite"},
		"iterations of letters": {replace(" 5000 3", " some 3"), `iterations "some"`},
		"a unit without value":  {replace(" 3 crossings", " 3"), "pairs of value and unit"},
		"an unknown rule":       {replace("ranking rule calibrated", "ranking rule toss"), `rule "toss"`},
		"a metric in no JSON":   {replace("# metric {", "# metric ("), "metric: "},
		"no metrics":            {replace("\n# metric {", "\n# mtric {"), `unit "m/s": no comment above`},
		"a stall without seed":  {replace("# stalled crawl 9", "# stalled 9"), "must be a contestant, a seed and a duration"},
		"a stall without colon": {replace("s: every lane", "s every lane"), "a colon and a text"},
		"a stall at no time":    {replace("7m12.036781903s: ", "soon: "), "invalid duration"},
		"a line of a megabyte":  {text + strings.Repeat("x", 2<<20), "token too long"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := reports.ReadBenchstat(strings.NewReader(c.text), "given.txt")
			wantError(t, err, c.says, "given.txt")
		})
	}
}

// Whatever is in a file, reading it ends with a result or an error, and what
// was read can be written and read again.
func FuzzReadBenchstat(f *testing.F) {
	for _, seeds := range []int{1, 3} {
		r, err := reports.New(pond(seeds, 0), reports.Provenance{Rule: experiment.Calibrated})
		if err != nil {
			f.Fatal(err)
		}
		var text bytes.Buffer
		if err := reports.WriteBenchstat(&text, []*reports.Result{r}); err != nil {
			f.Fatal(err)
		}
		f.Add(text.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		results, err := reports.ReadBenchstat(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := reports.WriteBenchstat(&again, results); err != nil {
			return // units that clash, say
		}
		if _, err := reports.ReadBenchstat(&again, "again"); err != nil {
			t.Errorf("%v\n%s", err, again.String())
		}
	})
}
