package simtest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a piece of code in the README, with the comment before it and the
// words after the opening fence.
type block struct {
	comment, info, text string
	line                int
}

var fence = regexp.MustCompile("(?ms)(?:^<!-- (.*?) -->\n)?^```([^\n]*)\n(.*?)^```$")

func readmeBlocks(t *testing.T) []block {
	t.Helper()
	text := read(t, "..", "README.md")
	var blocks []block
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		b := block{info: text[m[4]:m[5]], text: text[m[6]:m[7]], line: 1 + strings.Count(text[:m[0]], "\n")}
		if m[2] >= 0 {
			b.comment = text[m[2]:m[3]]
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// The README's commands run, its programs compile, and what it says that a
// command prints is what the command prints.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command of the README")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	own := ownModule(t, root)
	kinds := map[string]int{}
	for _, b := range readmeBlocks(t) {
		t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) {
			command, isOutput := strings.CutPrefix(b.comment, "output of: ")
			file, isFile := strings.CutPrefix(b.comment, "file: ")
			switch {
			case isOutput:
				kinds["output"]++
				if got := shell(t, root, command); got != b.text {
					t.Errorf("%s prints\n%s", command, got)
				}
			case isFile:
				kinds["file"]++
				path := filepath.Join(own, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(b.text), 0o644); err != nil {
					t.Fatal(err)
				}
				shell(t, own, "go vet ./"+filepath.Dir(file))
			case b.info == "sh":
				kinds["sh"]++
				shell(t, root, commands(b.text))
			case b.info == "sh own":
				kinds["sh own"]++
				shell(t, own, commands(b.text))
			default:
				t.Errorf("a block that is nothing that could be tested: %q %q", b.comment, b.info)
			}
		})
	}
	for _, kind := range []string{"output", "file", "sh", "sh own"} {
		if kinds[kind] == 0 {
			t.Errorf("the README has no block of the kind %q", kind)
		}
	}
}

// commands leaves out what cannot be run by a test: the clone that this is,
// the tests of which this is one, and the download of what has not been
// published yet.
func commands(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "git clone "), strings.HasPrefix(line, "go test ./..."), strings.HasPrefix(line, "go get "):
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// ownModule makes a module that uses this one, as "go get" would.
func ownModule(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	mod := strings.Replace(read(t, root, "go.mod"), "module github.com/ranktest/ranktest", "module example.com/shop", 1)
	mod += "\nrequire github.com/ranktest/ranktest v0.0.0\nreplace github.com/ranktest/ranktest => " + root + "\n"
	for name, text := range map[string]string{"go.mod": mod, "go.sum": read(t, root, "go.sum")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func shell(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "GINKGO_NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", command, err, out)
	}
	return string(out)
}
