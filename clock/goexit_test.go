package clock_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

func TestSkipNowInATaskSkipsTheTest(t *testing.T) {
	var v *clock.Virtual
	var sub *testing.T
	unwound, after := false, false
	t.Run("skipped", func(t *testing.T) {
		sub = t
		v = clock.NewVirtual(clock.VirtualOptions{})
		_ = v.Run(context.Background(), func(ctx context.Context) {
			v.Go(ctx, "parked", func(ctx context.Context) {
				defer func() { unwound = true }()
				_ = v.NewWaiter(what("nothing")).Park(ctx)
			})
			_ = v.Sleep(ctx, time.Second)
			t.SkipNow()
		})
		after = true
	})
	if !sub.Skipped() || !unwound || after {
		t.Errorf("skipped: %t, the other task unwound: %t, the test went on: %t", sub.Skipped(), unwound, after)
	}
}

func TestGoexitInATimerFunction(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	unwound, after := false, false
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = v.Run(context.Background(), func(ctx context.Context) {
			defer func() { unwound = true }()
			v.AfterFunc(time.Second, runtime.Goexit)
			_ = v.Sleep(ctx, time.Minute)
		})
		after = true
	}()
	<-done
	if !unwound || after || v.Elapsed() != time.Second {
		t.Errorf("the task unwound: %t, the caller went on: %t, at %v", unwound, after, v.Elapsed())
	}
}

// failing is set for the process that runs TestThatFails.
const failing = "CLOCK_TEST_THAT_FAILS"

func TestThatFails(t *testing.T) {
	if os.Getenv(failing) == "" {
		t.Skip("run by TestFailNowInATaskFailsTheTestAtItsLine")
	}
	v := clock.NewVirtual(clock.VirtualOptions{})
	_ = v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "parked", func(ctx context.Context) {
			defer t.Log("the other task unwound")
			_ = v.NewWaiter(what("nothing")).Park(ctx)
		})
		_ = v.Sleep(ctx, time.Second)
		t.Logf("failing after %s", nextLine())
		t.Fatal("as it should")
	})
	t.Log("the test went on")
}

func TestFailNowInATaskFailsTheTestAtItsLine(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestThatFails$", "-test.v", "-test.fullpath")
	cmd.Env = append(os.Environ(), failing+"=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skipf("this binary cannot run itself: %v", err)
	}
	if err == nil {
		t.Errorf("the test did not fail")
	}
	text := string(out)
	line := regexp.MustCompile(`failing after (\S+)`).FindStringSubmatch(text)
	if line == nil || !strings.Contains(text, line[1]+": as it should") ||
		!strings.Contains(text, "the other task unwound") || !strings.Contains(text, "--- FAIL: TestThatFails") ||
		strings.Contains(text, "the test went on") || strings.Contains(text, "panic") {
		t.Errorf("its output:\n%s", text)
	}
}
