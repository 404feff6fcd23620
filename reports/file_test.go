package reports_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/reports"
)

// folder lists the files in a folder.
func folder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWritePutsFilesIntoPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b") // is made
	files := reports.Files{Dir: dir, Suite: "scenarios", JSON: filepath.Join(dir, "all.json"), Markdown: filepath.Join(dir, "all")}
	full := []*reports.Result{result(t, pond(3, 0), reports.Provenance{})}
	paths, err := reports.Write(full, files)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"all", "all.json", "scenarios.seeds.txt", "scenarios.txt"}
	if got := folder(t, dir); !slices.Equal(got, want) || len(paths) != 4 {
		t.Errorf("files %v (said: %v), want %v", got, paths, want)
	}
	before, err := os.ReadFile(files.JSON)
	if err != nil {
		t.Fatal(err)
	}

	// A partial report takes the place of none of them.
	partial := []*reports.Result{full[0], result(t, pond(3, 0.1), reports.Provenance{Partial: []string{"it was filtered"}})}
	partial[1].Sweep.Scenario.Name = "other_pond"
	if _, err := reports.Write(partial, files); err != nil {
		t.Fatal(err)
	}
	want = []string{"all", "all.json", "all.partial", "all.partial.json", "scenarios.partial.txt", "scenarios.seeds.partial.txt", "scenarios.seeds.txt", "scenarios.txt"}
	if got := folder(t, dir); !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if after, _ := os.ReadFile(files.JSON); string(after) != string(before) {
		t.Error("the full report has changed")
	}
	info, err := os.Stat(paths[0])
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestWriteRefusesNamesThatAreNoNames(t *testing.T) {
	for _, suite := range []string{"", "../out", "a/b", ".hidden"} {
		_, err := reports.Write(nil, reports.Files{Dir: t.TempDir(), Suite: suite})
		wantError(t, err, fmt.Sprintf("%q", suite), "must be the name of a file")
	}
	if paths, err := reports.Write(nil, reports.Files{}); err != nil || paths != nil {
		t.Errorf("nothing to write: %v, %v", paths, err)
	}
}

func TestFilesAreWrittenAsAWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.txt")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("out of ink")
	err := reports.WriteFile(path, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("half", 10000))
		return broken
	})
	wantError(t, err, path, "out of ink")
	if !errors.Is(err, broken) || strings.Contains(err.Error(), "another place") {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("the file has become %.20q", text)
	}
	if got := folder(t, dir); !slices.Equal(got, []string{"report.txt"}) {
		t.Errorf("left behind: %v", got)
	}
}

func TestFoldersThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	ok := func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }
	for name, path := range map[string]string{
		"a file where a folder should be":   filepath.Join(file, "report.txt"),
		"a folder where the file should be": dir,
		"a name that is too long":           filepath.Join(dir, strings.Repeat("x", 300)),
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, reports.WriteFile(path, ok), fmt.Sprintf("reports: file %q", path), "choose another place, or make this one writable")
		})
	}
	if os.Getuid() != 0 { // nothing is forbidden to root
		locked := filepath.Join(dir, "locked")
		if err := os.Mkdir(locked, 0o555); err != nil {
			t.Fatal(err)
		}
		wantError(t, reports.WriteFile(filepath.Join(locked, "report.txt"), ok), "permission denied", "make this one writable")
	}
	// The others are written all the same.
	paths, err := reports.Write([]*reports.Result{result(t, pond(3, 0), reports.Provenance{})},
		reports.Files{Dir: filepath.Join(file, "out"), Suite: "s", JSON: filepath.Join(dir, "all.json")})
	wantError(t, err, "s.txt", "s.seeds.txt")
	if !slices.Equal(paths, []string{filepath.Join(dir, "all.json")}) {
		t.Errorf("written: %v", paths)
	}
}

func TestLinksAndDevicesStayWhatTheyAre(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	ok := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	if err := reports.WriteFile(link, ok); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if text, _ := os.ReadFile(target); string(text) != "new" {
		t.Errorf("the target is %q", text)
	}
	device := filepath.Join(dir, "device")
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteFile(device, ok); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(device); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Errorf("the device is %v, %v", info.Mode(), err)
	}
}
