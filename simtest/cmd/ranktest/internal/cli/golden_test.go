package cli_test

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/cmd/ranktest/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outcome is what a command did.
type outcome struct {
	status         int
	stdout, stderr string
}

// ranktest runs the command in this process, with the scenarios that ship and
// those of this test.
func ranktest(t *testing.T, args ...string) outcome { return ranktestOn(t, t.Context(), "", args...) }

func ranktestOn(t *testing.T, ctx context.Context, stdin string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := app(stdin, &stdout, &stderr).Run(ctx, args)
	return outcome{status, stdout.String(), stderr.String()}
}

func app(stdin string, stdout, stderr io.Writer) *cli.App {
	base := catalog.Entry{Name: "bursty_provider", New: catalog.BurstyProvider}
	return &cli.App{Scenarios: append([]catalog.Entry{base}, ponds()...), Stdin: strings.NewReader(stdin), Stdout: stdout, Stderr: stderr}
}

// want checks the exit status, and what the standard error must contain.
func (o outcome) want(t *testing.T, status int, says ...string) {
	t.Helper()
	if o.status != status {
		t.Errorf("exit status %d, want %d; standard error:\n%s", o.status, status, o.stderr)
	}
	for _, s := range says {
		if !strings.Contains(o.stderr, s) {
			t.Errorf("standard error is\n%s\nwant it to contain %q", o.stderr, s)
		}
	}
}

// wantOutput checks what the standard output must contain.
func (o outcome) wantOutput(t *testing.T, says ...string) {
	t.Helper()
	for _, s := range says {
		if !strings.Contains(o.stdout, s) {
			t.Errorf("standard output is\n%s\nwant it to contain %q", o.stdout, s)
		}
	}
}

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what was printed (go test -update rewrites it):\n%s", path, got)
	}
}
