package reports_test

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

func TestGoldenFiles(t *testing.T) {
	full := result(t, pond(10, 0), reports.Provenance{})
	all := []*reports.Result{full}
	few := pond(3, 0)
	few.Runs = slices.Delete(few.Runs, 4, 5)
	partial := result(t, few, reports.Provenance{Rule: experiment.Reference, Draws: "python", Partial: []string{"the suite was filtered by label"}})

	golden(t, "pond.table", format(t, func(w io.Writer) error { return reports.WriteTable(w, full, reports.TableOptions{}) }))
	golden(t, "pond.colors.table", format(t, func(w io.Writer) error {
		return reports.WriteTable(w, full, reports.TableOptions{Color: true, Short: true})
	}))
	golden(t, "partial.table", format(t, func(w io.Writer) error { return reports.WriteTable(w, partial, reports.TableOptions{}) }))
	golden(t, "pond.md", format(t, func(w io.Writer) error { return reports.WriteMarkdown(w, all) }))
	golden(t, "pond.json", format(t, func(w io.Writer) error { return reports.WriteJSON(w, []*reports.Result{partial}) }))
	golden(t, "pond.txt", format(t, func(w io.Writer) error { return reports.WriteBenchstat(w, all) }))
	golden(t, "partial.seeds.txt", format(t, func(w io.Writer) error { return reports.WriteSeeds(w, []*reports.Result{partial}) }))
}

// The same result gives the same bytes, and so does the same sweep executed
// again, in which only volatile values differ.
func TestReportsOfTheSameRunsAreEqual(t *testing.T) {
	again := pond(10, 0)
	for i := range again.Runs {
		again.Runs[i].Values["wall_s"] *= 3
		again.Runs[i].Wall *= 2
	}
	a, b := []*reports.Result{result(t, pond(10, 0), reports.Provenance{})}, []*reports.Result{result(t, again, reports.Provenance{})}
	for name, write := range map[string]func(io.Writer, []*reports.Result) error{
		"JSON": reports.WriteJSON, "markdown": reports.WriteMarkdown, "benchstat": reports.WriteBenchstat, "seeds": reports.WriteSeeds,
	} {
		first := format(t, func(w io.Writer) error { return write(w, a) })
		for range 20 { // maps are iterated in another order every time
			if format(t, func(w io.Writer) error { return write(w, b) }) != first {
				t.Errorf("%s differs", name)
				break
			}
		}
	}
}

func TestResultsSurviveJSON(t *testing.T) {
	sweep := pond(4, 0)
	sweep.Seeds[3] = math.MaxUint64
	for i := range sweep.Runs {
		if sweep.Runs[i].Seed == 1<<63+10 {
			sweep.Runs[i].Seed = math.MaxUint64
		}
	}
	sweep.Runs[0].Values["speed"] = math.SmallestNonzeroFloat64
	sweep.Runs[1].Values["speed"] = 0.1 + 1e-17
	sweep.Runs = slices.Delete(sweep.Runs, 8, 9)
	before := result(t, sweep, reports.Provenance{Rule: experiment.Reference, Draws: "python", Partial: []string{"it was a dry run"}})
	text, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	var after *reports.Result
	if err := json.Unmarshal(text, &after); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(before, after) {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
	if len(after.Partial) != 2 {
		t.Errorf("partial for %q, want the dry run and the missing run", after.Partial)
	}

	for _, damaged := range []string{
		`[]`, `{}`, strings.Replace(string(text), `"9223372036854775815"`, `"-1"`, 1),
		strings.Replace(string(text), `"rule":"reference"`, `"rule":"toss"`, 1),
		strings.Replace(string(text), `"better":"higher"`, `"better":"sideways"`, 1),
	} {
		if json.Unmarshal([]byte(damaged), new(reports.Result)) == nil {
			t.Errorf("accepted: %.200s", damaged)
		}
	}
}

// The JSON's shape, as readers of it rely on it.
func TestJSONShape(t *testing.T) {
	r := result(t, pond(10, 0), reports.Provenance{})
	text := format(t, func(w io.Writer) error { return reports.WriteJSON(w, []*reports.Result{r}) })
	var got struct {
		Ranktest  int
		Scenarios []struct {
			Scenario string
			Seeds    []string
			Partial  *bool
			Runs     []struct {
				Contestant, Seed, Digest string
				Metrics                  map[string]float64
				Stalled                  *struct {
					AtS float64 `json:"at_s"`
				}
				Lanes map[string]int64 `json:"laps_by_lane"`
			}
			Aggregates  map[string]map[string]map[string]float64
			Winners     map[string][]string
			Excluded    map[string][]map[string]any `json:"excluded_by_completion"`
			NotCompared map[string]string           `json:"not_compared"`
			Unsuited    map[string]string
			Warnings    []string
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	s := got.Scenarios[0]
	if got.Ranktest != 1 || s.Scenario != "quiet_pond" || *s.Partial || s.Seeds[0] != "9223372036854775815" || len(s.Runs) != 40 {
		t.Errorf("%+v", got)
	}
	run := s.Runs[11]
	if run.Contestant != "crawl" || run.Seed != "9223372036854775816" || run.Lanes["north"] != 11 || run.Stalled.AtS != 432.036781903 {
		t.Errorf("%+v", run)
	}
	if _, volatile := run.Metrics["wall_s"]; volatile || run.Metrics["speed"] != r.Sweep.Runs[11].Values["speed"] {
		t.Errorf("metrics %v", run.Metrics)
	}
	if w, ok := s.Winners["wall_s"]; !ok || w == nil || len(w) != 0 {
		t.Errorf("winners of a row that crowns nobody: %v, want an empty list", w)
	}
	if e := s.Excluded["speed"]; len(e) != 1 || e[0]["contestant"] != "idle" || len(s.Excluded) != 2 {
		t.Errorf("excluded %v", s.Excluded)
	}
	if g := s.Aggregates["dolphin"]["crossings"]; len(g) != 4 || g["min"] != 1430 {
		t.Errorf("aggregates %v", g)
	}
	if s.NotCompared == nil || s.Unsuited["dive"] == "" || s.Warnings == nil {
		t.Errorf("not compared %v, unsuited %v, warnings %v", s.NotCompared, s.Unsuited, s.Warnings)
	}
}

func TestNewRefusesWhatCannotBeReported(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*experiment.Result, *reports.Provenance)
		says   string
	}{
		"a value that is no number":    {func(r *experiment.Result, _ *reports.Provenance) { r.Runs[0].Values["speed"] = math.NaN() }, `metric "speed": value NaN`},
		"an unknown rule":              {func(_ *experiment.Result, p *reports.Provenance) { p.Rule = "toss" }, `rule "toss"`},
		"draws in two lines":           {func(_ *experiment.Result, p *reports.Provenance) { p.Draws = "a\nb" }, "must be one line"},
		"a reason in two lines":        {func(_ *experiment.Result, p *reports.Provenance) { p.Partial = []string{"a\nb"} }, "must be one line"},
		"counts named like a field":    {func(r *experiment.Result, _ *reports.Provenance) { r.Runs[0].Counts["seed"] = nil }, `counts "seed"`},
		"a contestant nobody can name": {func(r *experiment.Result, _ *reports.Provenance) { r.Contestants[0] = "a b" }, `"a b"`},
	} {
		t.Run(name, func(t *testing.T) {
			sweep, p := pond(3, 0), reports.Provenance{Rule: experiment.Calibrated}
			c.damage(sweep, &p)
			_, err := reports.New(sweep, p)
			wantError(t, err, c.says)
		})
	}
}

func TestColors(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	if reports.ColorFor(f) {
		t.Error("a file gets colors")
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, like a terminal
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if !reports.ColorFor(null) {
		t.Error("a terminal gets no colors")
	}
	t.Setenv("NO_COLOR", "1")
	if reports.ColorFor(null) {
		t.Error("NO_COLOR is not respected")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if reports.ColorFor(null) {
		t.Error("a dumb terminal gets colors")
	}
}

// With a part of the contestants, the unsuited ones that nobody asked for are
// no columns; asked for, they are, and stay N/A.
func TestColumnsOfAPart(t *testing.T) {
	table := func(contestants ...string) string {
		sweep := pond(3, 0)
		sweep.Contestants = contestants
		sweep.Runs = slices.DeleteFunc(sweep.Runs, func(r experiment.Run) bool { return !slices.Contains(contestants, r.Contestant) })
		for i := range sweep.Runs[:3] {
			if slices.Contains(contestants, "dive") {
				run := sweep.Runs[i]
				run.Contestant = "dive"
				sweep.Runs = append(sweep.Runs, run)
			}
		}
		return result(t, sweep, reports.Provenance{}).String()
	}
	if text := table("idle", "crawl"); strings.Contains(strings.Split(text, "\n\n")[1], "dive") {
		t.Errorf("dive has a column:\n%s", text)
	}
	if text := table("idle", "dive"); !strings.Contains(strings.Split(text, "\n\n")[1], "N/A") {
		t.Errorf("dive has no N/A:\n%s", text)
	}
}
