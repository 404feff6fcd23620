package simtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ponds is the suite of testdata/gatesuite as a program, in a folder with its
// own committed rankings.
type ponds struct {
	t   *testing.T
	dir string
}

// TestGateInASuite builds the program once; each part has a folder of its own.
func TestGateInASuite(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs")
	}
	program := filepath.Join(t.TempDir(), "ponds.test")
	if text, err := exec.Command("go", "test", "-c", "-o", program, "./testdata/gatesuite").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, part := range []struct {
		name string
		test func(*testing.T, ponds)
	}{
		{"from the first commit to an accepted change", overALife},
		{"is skipped for other worlds", skippedForOtherWorlds},
		{"update refuses what is no full run", updateRefuses},
		{"says what is wrong with its file", unusableFiles},
		{"update says where it cannot write", unwritableFolder},
		{"update names files without a scenario", orphans},
	} {
		t.Run(part.name, func(t *testing.T) {
			p := ponds{t, t.TempDir()}
			if err := os.Link(program, filepath.Join(p.dir, "ponds.test")); err != nil {
				t.Fatal(err)
			}
			part.test(t, p)
		})
	}
}

// run runs the suite in a world with a change, and returns what it printed and
// whether it passed.
func (p ponds) run(change string, flags ...string) (text string, passed bool) {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.dir, "ponds.test"), append([]string{"-ginkgo.no-color", "-simtest.out=" + p.t.TempDir()}, flags...)...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "POND="+change)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		p.t.Fatal(err)
	}
	return string(out), err == nil
}

// parallel is run on two processes.
func (p ponds) parallel(change string, flags ...string) (text string, passed bool) {
	p.t.Helper()
	dir, err := programs()
	if err != nil {
		p.t.Fatal(err)
	}
	args := []string{"--no-color", "--procs=2", filepath.Join(p.dir, "ponds.test"), "--", "-simtest.out=" + p.t.TempDir()}
	cmd := exec.Command(filepath.Join(dir, "ginkgo"), append(args, flags...)...)
	cmd.Env = append(os.Environ(), "POND="+change)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func (p ponds) file(scenario string) string {
	return filepath.Join(p.dir, "testdata", "rankings", scenario+".txt")
}

// commit writes both rankings, of the world without a change.
func (p ponds) commit() {
	p.t.Helper()
	if text, passed := p.run("", "-simtest.update"); !passed {
		p.t.Fatal(text)
	}
}

// says checks that a text has all of these parts, in this order.
func says(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		at := strings.Index(rest, part)
		if at < 0 {
			t.Fatalf("no %q, or not in its place, in\n%s", part, text)
		}
		rest = rest[at+len(part):]
	}
}

func overALife(t *testing.T, p ponds) {
	text, passed := p.run("")
	if passed {
		t.Error("without a committed ranking it passes")
	}
	says(t, text, "no ranking of scenario quiet_pond is committed: there is no file "+p.file("quiet_pond"),
		"If it is as it should be, write it down and commit the file:", "go test -v . -args -simtest.scenarios=quiet_pond -simtest.update")

	text, passed = p.run("", "-simtest.update")
	if !passed {
		t.Error("it cannot be written")
	}
	says(t, text, "testdata/rankings/quiet_pond.txt: written for the first time: 2 rows, 3 contestants on 10 seeds",
		"testdata/rankings/loud_pond.txt: written for the first time")
	committed := read(t, p.file("quiet_pond"))

	if text, passed = p.run(""); !passed {
		t.Errorf("what was committed does not pass:\n%s", text)
	}
	if strings.Contains(text, "Attribution") {
		t.Errorf("something is said about a change:\n%s", text)
	}
	if text, passed = p.run("", "-simtest.gate=exact"); !passed {
		t.Errorf("the same is not exactly the same:\n%s", text)
	}
	text, passed = p.parallel("", "-simtest.update")
	says(t, text, "quiet_pond.txt: unchanged", "loud_pond.txt: unchanged")
	if !passed || read(t, p.file("quiet_pond")) != committed {
		t.Error("written again by two processes it is another file")
	}

	// A contestant changes, and takes a row.
	for _, run := range []func(string, ...string) (string, bool){p.run, p.parallel} {
		text, passed = run("toad learns")
		if passed {
			t.Error("another winner passes")
		}
		says(t, text, "Expected the ranking to be the committed one (testdata/rankings/quiet_pond.txt, level ranking)",
			"quiet_pond: 1 of 2 rows have other winners or exclusions",
			"↑ caught winners before: frog; now: toad",
			"frog", "the same", "none", "wins -> loses to toad",
			"toad", "better by 8 (8 to 8)", "10 of 10 (0 worse)", "loses to frog -> wins",
			"Attribution:", "contestant toad: its runs changed, on 10 of 10 seeds",
			"unchanged: the runs of frog, newt on every seed; the assumptions; the rule; the draws; the seeds",
			"To reproduce one run of toad, on seed ", "-simtest.scenarios=quiet_pond -simtest.algorithms=toad -simtest.first-seed=", " -simtest.seeds=1",
			"To accept what changed, and commit it:", "-simtest.scenarios=quiet_pond -simtest.update")
	}
	if text, passed = p.run("toad learns", "-simtest.gate=wait_ms"); !passed {
		t.Errorf("the row of waiting times did not change:\n%s", text)
	}
	if _, passed = p.run("toad learns", "-simtest.gate=wait_ms,caught"); passed {
		t.Error("a row of the list changed, and it passes")
	}
	text, passed = p.run("", "-simtest.gate=flies")
	if passed {
		t.Error("a row that does not exist passes")
	}
	says(t, text, "flag -simtest.gate: flies: no scenario has a row of that name", "caught, wait_ms")

	// A number changes, and no winner: a note.
	text, passed = p.run("newt yawns")
	if !passed {
		t.Errorf("a number that changed is a failure:\n%s", text)
	}
	says(t, text, "changed, but not the ranking", "all 2 rows have the same winners and exclusions, but not everything is the same",
		"newt", "worse by 0.03", "3 of 10 (3 worse)", "contestant newt: its runs changed, on 3 of 10 seeds")
	if text, passed = p.run("newt yawns", "-simtest.gate=exact"); passed {
		t.Errorf("it is not exactly the same:\n%s", text)
	}

	// An assumption changes: of one scenario, whose runs are all others.
	text, passed = p.run("deep", "-simtest.gate=exact")
	if passed {
		t.Error("another world passes")
	}
	says(t, text, "the scenario: 1 assumption changed", `depth: "shallow" -> "deep"`, "the runs of all contestants changed with it")
	if strings.Contains(text, "loud_pond: ") && strings.Contains(text, "of loud_pond") {
		t.Errorf("the other scenario is blamed, too:\n%s", text)
	}

	// Accepted, for the scenario that was chosen alone.
	text, passed = p.run("toad learns", "-simtest.update", "-simtest.scenarios=loud_pond")
	if !passed {
		t.Error(text)
	}
	says(t, text, "testdata/rankings/loud_pond.txt: rewritten", "winners before: frog; now: toad", "contestant toad: its runs changed")
	if read(t, p.file("quiet_pond")) != committed {
		t.Error("the file of a scenario that was not chosen was rewritten")
	}
	if text, passed = p.run("toad learns", "-simtest.scenarios=loud_pond"); !passed {
		t.Errorf("what was accepted does not pass:\n%s", text)
	}
}

func skippedForOtherWorlds(t *testing.T, p ponds) {
	for _, flags := range [][]string{{"-simtest.seeds=4"}, {"-simtest.first-seed=7", "-simtest.algorithms=frog,toad"}, {"-simtest.rule=reference"}} {
		text, passed := p.run("", flags...)
		if !passed {
			t.Errorf("%v: without a committed ranking, and not to be compared with one, it fails:\n%s", flags, text)
		}
		says(t, text, "not compared with the committed ranking",
			"what is committed is the ranking of quiet_pond as it stands, and the flags ask for another one ("+strings.Join(flags, " ")+")")
	}
	p.commit()
	if text, passed := p.run("toad learns", "-simtest.seeds=10"); passed {
		t.Errorf("with the default given as a flag it is not compared:\n%s", text)
	}
}

func updateRefuses(t *testing.T, p ponds) {
	p.commit()
	before := read(t, p.file("quiet_pond"))
	for _, c := range []struct {
		name   string
		change string
		flags  []string
		says   string
	}{
		{"a label filter", "toad learns", []string{"-ginkgo.label-filter=scenario:quiet_pond"}, "filtered by label: scenario:quiet_pond"},
		{"a focus", "toad learns", []string{"-ginkgo.focus=quiet"}, "filtered by focus or skip"},
		{"a skip", "toad learns", []string{"-ginkgo.skip=reproducible"}, "filtered by focus or skip"},
		{"a dry run", "toad learns", []string{"-ginkgo.dry-run"}, "a dry run; no scenario was run"},
		{"a spec that fails", "spec fails", nil, "1 of the suite's nodes failed"},
		{"a run that fails", "toad panics", nil, "quiet_pond: runs of the sweep failed"},
		{"fewer seeds", "toad learns", []string{"-simtest.seeds=4"}, "flag -simtest.update: -simtest.seeds=4: must not be there"},
		{"other contestants", "toad learns", []string{"-simtest.algorithms=toad,frog"}, "flag -simtest.update: -simtest.algorithms=toad,frog: must not be there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, passed := p.run(c.change, append(c.flags, "-simtest.update")...)
			if passed {
				t.Errorf("it passes:\n%s", text)
			}
			says(t, text, c.says)
			if read(t, p.file("quiet_pond")) != before {
				t.Error("the committed ranking was rewritten")
			}
		})
	}
}

func unusableFiles(t *testing.T, p ponds) {
	p.commit()
	good := read(t, p.file("quiet_pond"))
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(p.file("quiet_pond"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, text string
		says       []string
	}{
		{"corrupt", strings.Replace(good, "winners  frog", "winners  toad", 1), []string{"is not as it was written: an edit by hand, or a merge"}},
		{"cut off", good[:len(good)/2], []string{"is cut off"}},
		{"in conflict", strings.Replace(good, "rule", "<<<<<<< HEAD\nrule", 1), []string{"an unresolved merge"}},
		{"of a later version", strings.Replace(good, "baseline 1", "baseline 2", 1), []string{`format "2": must be 1`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			put(c.text)
			text, passed := p.run("")
			if passed {
				t.Error("it passes")
			}
			says(t, text, append([]string{"the committed ranking of scenario quiet_pond cannot be used: reports: baseline testdata/rankings/quiet_pond.txt"},
				append(c.says, "restore the file from version control, or write it anew", "-simtest.scenarios=quiet_pond -simtest.update")...)...)
		})
	}
	text, passed := p.run("", "-simtest.update")
	says(t, text, "testdata/rankings/quiet_pond.txt: written anew, in place of a file that was of no use")
	if !passed || read(t, p.file("quiet_pond")) != good {
		t.Errorf("it was not repaired:\n%s", text)
	}
	put(read(t, p.file("loud_pond")))
	text, _ = p.run("")
	says(t, text, `testdata/rankings/quiet_pond.txt: reports: the baseline is of scenario "loud_pond": must be of "quiet_pond"`)
}

func unwritableFolder(t *testing.T, p ponds) {
	if err := os.WriteFile(filepath.Join(p.dir, "testdata"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	text, passed := p.run("", "-simtest.update")
	if passed {
		t.Error("it passes")
	}
	says(t, text, `reports: file "testdata/rankings/quiet_pond.txt"`, "not a directory: choose another place, or make this one writable")
}

func orphans(t *testing.T, p ponds) {
	p.commit()
	if err := os.WriteFile(p.file("dry_pond"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	text, _ := p.run("", "-simtest.update")
	says(t, text, "testdata/rankings/dry_pond.txt: belongs to no scenario of this suite; delete it")
}
