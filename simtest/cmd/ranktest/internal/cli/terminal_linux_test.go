package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ranktest/ranktest/simtest/cmd/ranktest/internal/cli"
)

// terminal opens a pseudo terminal: what is written to tty, a program's output,
// can be read from screen.
func terminal(t *testing.T) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 60})
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return screen, tty
}

// shown runs a function that writes to a terminal, and returns all that was
// shown.
func shown(t *testing.T, write func(tty *os.File)) string {
	screen, tty := terminal(t)
	text := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, screen) // ends with an error when the last tty is closed
		text <- b.String()
	}()
	write(tty)
	tty.Close()
	return <-text
}

const erased = "\r\x1b[K"

func TestProgressIsShownOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	var stdout bytes.Buffer
	got := shown(t, func(tty *os.File) {
		if status := app("", &stdout, tty).Run(t.Context(), []string{"run", "quiet_pond"}); status != cli.Done {
			t.Errorf("exit status %d", status)
		}
	})
	if !strings.HasPrefix(got, "\rquiet_pond: 0 of 20, 0s") || !strings.HasSuffix(got, erased) {
		t.Errorf("shown: %q, want progress that is erased in the end", got)
	}
	if strings.Contains(stdout.String(), "\x1b") {
		t.Errorf("progress or colors in a pipe: %q", &stdout)
	}
	for line := range strings.SplitSeq(got, "\r") {
		if len(strings.TrimSuffix(line, "\x1b[K")) >= 60 {
			t.Errorf("%q does not fit into the terminal", line)
		}
	}
}

func TestNoProgressOnADumbTerminal(t *testing.T) {
	t.Setenv("TERM", "dumb")
	got := shown(t, func(tty *os.File) { app("", io.Discard, tty).Run(t.Context(), []string{"run", "quiet_pond"}) })
	if got != "" {
		t.Errorf("shown: %q", got)
	}
}

func TestColorsAreForTerminalsWithoutNO_COLOR(t *testing.T) {
	run := func() string {
		return shown(t, func(tty *os.File) { app("", tty, io.Discard).Run(t.Context(), []string{"run", "quiet_pond"}) })
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if got := run(); !strings.Contains(got, "\x1b[1;32m") {
		t.Errorf("no colors in\n%q", got)
	}
	t.Setenv("NO_COLOR", "1")
	if got := run(); strings.Contains(got, "\x1b") {
		t.Errorf("NO_COLOR is ignored in\n%q", got)
	}
}

func TestTracesAreNotForTerminals(t *testing.T) {
	for _, args := range [][]string{{"trace"}, {"trace-run", "bursty_provider", "wait", "1"}} {
		var stderr bytes.Buffer
		got := shown(t, func(tty *os.File) {
			if status := app("", tty, &stderr).Run(t.Context(), args); status != cli.Unusable {
				t.Errorf("%v: exit status %d", args, status)
			}
		})
		if got != "" || !strings.Contains(stderr.String(), `flag --output: "-": must be a file, since the standard output is a terminal`) {
			t.Errorf("%v: shown %q, %s", args, got, &stderr)
		}
	}
}

// The command itself, with a signal: it stops within a moment, prints what it
// has, and exits with the status of an interrupt.
func TestASignalInterruptsTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	binary := filepath.Join(t.TempDir(), "ranktest")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/ranktest/ranktest/simtest/cmd/ranktest").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	screen, tty := terminal(t)
	var stdout bytes.Buffer
	cmd := exec.Command(binary, "run", "bursty_provider", "--seeds", "100000", "--parallel", "1")
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.Stdout, cmd.Stderr = &stdout, tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	// Progress tells when there is something to keep.
	some := regexp.MustCompile(`: [1-9][0-9]* of 500000`)
	var seen []byte
	for buf := make([]byte, 1024); !some.Match(seen); {
		n, err := screen.Read(buf)
		if err != nil {
			t.Fatalf("%v after %q", err, seen)
		}
		seen = append(seen, buf[:n]...)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(screen)
		rest <- all
	}()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.ExitCode() != cli.Interrupted {
			t.Errorf("%v, want exit status %d", err, cli.Interrupted)
		}
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Fatal("it goes on")
	}
	if text := string(<-rest); !strings.Contains(text, "of 500000 runs have a result: interrupt signal received") {
		t.Errorf("standard error: %q", text)
	}
	if !strings.Contains(stdout.String(), "PARTIAL") || !strings.Contains(stdout.String(), "jobs_done") {
		t.Errorf("standard output:\n%s", &stdout)
	}
}
