package reports_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// committed is the baseline of a sweep of the pond, which lists what it takes
// for granted.
func committed(t *testing.T, sweep *experiment.Result) *reports.Baseline {
	t.Helper()
	b, err := reports.NewBaseline(result(t, sweep, reports.Provenance{}))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func listedPond(seeds int) *experiment.Result {
	sweep := pond(seeds, 0)
	sweep.Scenario.Assumptions = experiment.Assumptions{{Key: "depth", Value: "2m"}, {Key: "lane.north.width", Value: "1.5"}, {Key: "name", Value: `"= # -"`}}
	return sweep
}

func TestBaselinesAreReadableText(t *testing.T) {
	text := format(t, committed(t, listedPond(4)).Write)
	golden(t, "pond.baseline", text)
}

func TestBaselinesComeBackFromText(t *testing.T) {
	for _, seeds := range []int{1, 4, 10} {
		before := committed(t, listedPond(seeds))
		text := format(t, before.Write)
		after, err := reports.ReadBaseline(strings.NewReader(text), "pond.txt")
		if err != nil {
			t.Fatal(err)
		}
		drift, err := reports.Gate(before, after)
		if err != nil || drift.Any() {
			t.Errorf("%d seeds: %v, came back as something else:\n%v", seeds, err, drift)
		}
		if again := format(t, after.Write); again != text {
			t.Errorf("%d seeds: written again it is another text:\n%s", seeds, again)
		}
		if _, err := reports.ReadBaseline(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")), "pond.txt"); err != nil {
			t.Errorf("with the line ends of another system: %v", err)
		}
	}
}

// A baseline is the same wherever the runs were made, and volatile values, of
// which there is one in the pond, are not in it.
func TestBaselinesOfTheSameRunsAreEqual(t *testing.T) {
	again := listedPond(4)
	for i := range again.Runs {
		again.Runs[i].Values["wall_s"] *= 3
		again.Runs[i].Wall *= 2
		again.Runs[i].Counts = nil
	}
	if format(t, committed(t, listedPond(4)).Write) != format(t, committed(t, again).Write) {
		t.Error("two baselines of the same runs differ")
	}
}

func TestNewBaselineRefuses(t *testing.T) {
	make := func(p reports.Provenance, change func(*experiment.Result)) error {
		sweep := pond(3, 0)
		change(sweep)
		_, err := reports.NewBaseline(result(t, sweep, p))
		return err
	}
	none := func(*experiment.Result) {}
	wantError(t, make(reports.Provenance{Partial: []string{"filtered by label"}}, none), "partial result is no baseline", "filtered by label")
	wantError(t, make(reports.Provenance{}, func(r *experiment.Result) { r.Runs = r.Runs[:8] }), "partial", "4 of 12 runs have no result")
	wantError(t, make(reports.Provenance{}, func(r *experiment.Result) { r.Runs[4].Digest = "" }), `contestant "crawl", seed 9223372036854775816`, `digest ""`, "one word")
	wantError(t, make(reports.Provenance{}, func(r *experiment.Result) { r.Runs[4].Digest = "a b" }), `digest "a b"`)
	wantError(t, make(reports.Provenance{}, func(r *experiment.Result) {
		r.Contestants = slices.Clone(r.Contestants)
		r.Contestants[1] = "-"
		for i := range r.Runs {
			if r.Runs[i].Contestant == "crawl" {
				r.Runs[i].Contestant = "-"
			}
		}
	}), `contestant "-"`, "rename")
	wantError(t, make(reports.Provenance{}, func(r *experiment.Result) {
		r.Contestants, r.Runs = []string{"dive"}, nil
		for _, seed := range r.Seeds {
			r.Runs = append(r.Runs, experiment.Run{Contestant: "dive", Seed: seed, Values: map[string]float64{"crossings": 1}, Digest: "d"})
		}
	}), "nobody who ran is suited")
}

func TestReadBaselineSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	text := format(t, committed(t, listedPond(4)).Write)
	replace := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("there is no %q to replace", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for _, c := range []struct {
		name, text string
		says       []string
	}{
		{"an empty file", "", []string{"pond.txt: is empty"}},
		{"only comments", "# soon\n\n", []string{"is empty"}},
		{"another file", "package main\n", []string{`pond.txt:1: "package main"`, `"ranktest baseline"`}},
		{"a later version", replace("baseline 1", "baseline 2"), []string{`pond.txt:1: format "2"`, "must be 1"}},
		{"a file cut off", text[:len(text)/2], []string{"is cut off", `"end"`}},
		{"an unresolved merge", replace("rule calibrated\n", "<<<<<<< ours\nrule calibrated\n=======\nrule reference\n>>>>>>> theirs\n"), []string{"pond.txt:5: an unresolved merge"}},
		{"an edited winner", replace("winners        back(lane=1|2)", "winners        crawl"), []string{"is not as it was written", "merge"}},
		{"an edited value", replace("1410", "1411"), []string{"is not as it was written"}},
		{"an edited comment", replace("edits are refused", "edits are welcome"), []string{"is not as it was written"}},
		{"an unknown rule", replace("rule calibrated", "rule mine"), []string{`pond.txt:5: experiment: rule "mine"`}},
		{"seeds that are none", replace("seeds 9223372036854775815..9223372036854775818", "seeds few"), []string{`pond.txt:7: seeds "few"`}},
		{"no contestants", replace("contestants idle crawl back(lane=1|2) dolphin", "contestants -"), []string{"contestants: must be at least one"}},
		{"a contestant twice", replace("contestants idle crawl", "contestants idle idle"), []string{`"idle": must be named once`}},
		{"an unknown winner", replace("winners        back(lane=1|2)", "winners        butterfly"), []string{`"butterfly": must be one of the contestants idle, crawl`}},
		{"a missing value", replace("1410 1417", "1410"), []string{`"crawl`, "a mean, a colon and 4 values"}},
		{"a value that is none", replace("1410 1417", "1410 NaN"), []string{`value "NaN": must be a finite number, or -`}},
		{"a value beyond all", replace("1410 1417", "1410 1e999"), []string{`value "1e999"`}},
		{"a row twice", replace("row crossings", "row speed"), []string{`row "speed": must come once`}},
		{"a row without a direction", replace("row crossings higher completion", "row crossings"), []string{`row "crossings"`, "higher or lower"}},
		{"a row that crowns nobody", replace("row crossings higher completion", "row crossings neutral"), []string{`row "crossings neutral"`}},
		{"an unknown word about a row", replace("row crossings higher completion", "row crossings higher golden"), []string{`"crossings higher golden"`}},
		{"an assumption without a value", replace("depth=2m", "depth"), []string{`"depth": must be an assumption, key=value`}},
		{"a missing digest", replace("  crawl 9223372036854775816 00000000000000000000000000000065\n", ""), []string{"must be the digest of crawl on seed 9223372036854775816"}},
		{"a section out of place", replace("\nruns\n", "\nreruns\n"), []string{`"reruns": must be a row or "runs"`}},
		{"more after the end", text + "end 0\n", []string{`"end 0": must not follow the end`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := reports.ReadBaseline(strings.NewReader(c.text), "pond.txt")
			wantError(t, err, append(c.says, "restore the file from version control", "-simtest.update")...)
		})
	}
}

// Whatever one does to a file is found: every line that is taken out, every
// place where it ends too early, every character that is another one.
func TestReadBaselineFindsEveryDamage(t *testing.T) {
	text := format(t, committed(t, listedPond(2)).Write)
	refused := func(what, damaged string) {
		t.Helper()
		if _, err := reports.ReadBaseline(strings.NewReader(damaged), "pond.txt"); err == nil {
			t.Errorf("%s was not noticed", what)
		}
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines[:len(lines)-1] { // what follows the last line end is no line
		refused("that line "+line+" is gone", strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""))
	}
	for i := range len(text) - 1 { // without its last line end a file is whole
		refused("the end at "+text[max(0, i-20):i], text[:i])
		if text[i] != 'x' {
			refused("x instead of "+text[i:i+1]+" after "+text[max(0, i-20):i], text[:i]+"x"+text[i+1:])
		}
	}
}

func TestUpdateSaysWhatChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rankings", "pond.txt")
	update := func(sweep *experiment.Result) string {
		t.Helper()
		change, err := committed(t, sweep).Update(path)
		if err != nil {
			t.Fatal(err)
		}
		return change
	}
	if got, want := update(listedPond(4)), path+": written for the first time: 6 rows, 4 contestants on 4 seeds"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := update(listedPond(4)), path+": unchanged"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if again, err := os.Stat(path); err != nil || !os.SameFile(info, again) {
		t.Errorf("a file that is as it should be was replaced (%v)", err)
	}
	faster := listedPond(4)
	speedUp(faster, "crawl")
	got := update(faster)
	for _, want := range []string{path + ": rewritten\n", "winners before: back(lane=1|2); now: crawl", "contestant crawl: its runs changed, on 4 of 4 seeds"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if err := os.WriteFile(path, []byte("rubbish\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := update(listedPond(4)); !strings.Contains(got, "written anew, in place of a file that was of no use") || !strings.Contains(got, `"rubbish"`) {
		t.Errorf("got %q", got)
	}
}

func TestBaselineFilesThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	_, err := reports.LoadBaseline(filepath.Join(dir, "pond.txt"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file is %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = committed(t, pond(3, 0)).Update(filepath.Join(file, "pond.txt"))
	wantError(t, err, filepath.Join(file, "pond.txt"), "not a directory", "choose another place, or make this one writable")
	_, err = reports.LoadBaseline(dir)
	wantError(t, err, dir, "is a directory")
}

func FuzzReadBaseline(f *testing.F) {
	sweep := listedPond(1)
	sweep.Scenario.Metrics = sweep.Scenario.Metrics[:2]
	for i := range sweep.Runs {
		maps.DeleteFunc(sweep.Runs[i].Values, func(name string, _ float64) bool { return name != "speed" && name != "crossings" })
	}
	r, err := reports.New(sweep, reports.Provenance{Rule: experiment.Calibrated})
	if err != nil {
		f.Fatal(err)
	}
	b, err := reports.NewBaseline(r)
	if err != nil {
		f.Fatal(err)
	}
	var text strings.Builder
	if err := b.Write(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	f.Add("ranktest baseline 1\nscenario x\nseeds 1..99999\ncontestants a b\nend 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := reports.ReadBaseline(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		again, err := reports.ReadBaseline(strings.NewReader(format(t, b.Write)), "f")
		if err != nil {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
		if drift, err := reports.Gate(b, again); err != nil || drift.Any() {
			t.Errorf("it changes when written: %v %v", err, drift)
		}
	})
}
