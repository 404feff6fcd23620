package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/cmd/ranktest/internal/cli"
)

// report writes a report of 10 seeds of a pond, changed by the replacement,
// and returns the file.
func report(t *testing.T, name string, change func(line string) string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	ranktest(t, "run", "quiet_pond", "--benchstat", path).want(t, cli.Done)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for line := range strings.Lines(string(data)) {
		text.WriteString(change(line))
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func unchanged(line string) string { return line }

func TestCompareNothingChanged(t *testing.T) {
	o := ranktest(t, "compare", report(t, "old.txt", unchanged), report(t, "new.txt", unchanged))
	o.want(t, cli.Done)
	o.wantOutput(t, "Nothing changed")
}

// Each stroke count of crawl, 40 or 41, becomes 1 % larger.
func onePerCent(line string) string {
	if !strings.Contains(line, "=crawl") {
		return line
	}
	return strings.NewReplacer(" 40 strokes", " 40.4 strokes", " 41 strokes", " 41.41 strokes").Replace(line)
}

func TestCompareFindsOnePerCentOnEverySeed(t *testing.T) {
	old, new := report(t, "old.txt", unchanged), report(t, "new.txt", onePerCent)
	o := ranktest(t, "compare", old, new)
	o.want(t, cli.Finding, "something changed for the worse")
	o.wantOutput(t, "crawl", "0 better, 10 worse", "+1.00 %")
	ranktest(t, "compare", old, new, "--threshold", "2").want(t, cli.Done)
	ranktest(t, "compare", new, old).want(t, cli.Done) // for the better
}

func TestCompareReadsTheStandardInput(t *testing.T) {
	data, err := os.ReadFile(report(t, "old.txt", unchanged))
	if err != nil {
		t.Fatal(err)
	}
	o := ranktestOn(t, t.Context(), string(data), "compare", "-", report(t, "new.txt", onePerCent))
	o.want(t, cli.Finding)
}

func TestCompareSaysWhatItCannotPair(t *testing.T) {
	without := func(line string) string {
		if strings.Contains(line, "=butterfly") && strings.HasPrefix(line, "Benchmark") {
			return ""
		}
		return line
	}
	o := ranktest(t, "compare", report(t, "old.txt", unchanged), report(t, "new.txt", without))
	o.want(t, cli.Done)
	o.wantOutput(t, "butterfly", "in the old report only")
}

func TestCompareUnusableInput(t *testing.T) {
	good := report(t, "good.txt", unchanged)
	corrupt := report(t, "corrupt.txt", func(line string) string { return strings.Replace(line, " 40 strokes", " forty strokes", 1) })
	foreign := report(t, "foreign.txt", func(line string) string {
		return strings.ReplaceAll(strings.ReplaceAll(line, "quiet_pond", "loud_pond"), "QuietPond", "LoudPond")
	})
	nothing := filepath.Join(t.TempDir(), "nothing.txt")
	if err := os.WriteFile(nothing, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{good}, []string{"argument NEW: missing"}},
		{[]string{good, filepath.Join(t.TempDir(), "missing.txt")}, []string{"missing.txt: no such file"}},
		{[]string{t.TempDir(), good}, []string{"is a directory"}},
		{[]string{good, nothing}, []string{"nothing.txt: no line begins with"}},
		{[]string{good, corrupt}, []string{"corrupt.txt:", "forty"}},
		{[]string{good, foreign}, []string{"no value is in both reports", "quiet_pond: the scenario is in the old report only"}},
		{[]string{"-", "-"}, []string{"only one of them"}},
		{[]string{good, good, "--threshold", "-1"}, []string{"flag --threshold: -1: must be a percentage from 0"}},
		{[]string{good, good, "--threshold", "NaN"}, []string{"flag --threshold: NaN"}},
		{[]string{good, good, "--threshold", "much"}, []string{`flag --threshold: "much": must be a number`}},
	} {
		ranktest(t, append([]string{"compare"}, c.args...)...).want(t, cli.Unusable, c.says...)
	}
}

// silent is a standard input on which nothing comes.
type silent struct{ context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.Done()
	return 0, io.EOF
}

func TestAnInterruptEndsTheWaitForInput(t *testing.T) {
	good := report(t, "good.txt", unchanged)
	for _, args := range [][]string{{"compare", good, "-"}, {"place", "-"}} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithCancelCause(t.Context())
		a := app("", &stdout, &stderr)
		a.Stdin = silent{t.Context()}
		time.AfterFunc(10*time.Millisecond, func() { cancel(errors.New("interrupt signal received")) })
		if status := a.Run(ctx, args); status != cli.Interrupted || stdout.Len() > 0 || !strings.Contains(stderr.String(), "interrupt signal received") {
			t.Errorf("%v: exit status %d, %s", args, status, &stderr)
		}
	}
}
