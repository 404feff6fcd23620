package clock_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// journal collects lines "instant who" in the order in which they happen.
type journal struct {
	clk   clock.Clock
	lines []string
}

func (j *journal) add(format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf("%v ", j.clk.Elapsed())+fmt.Sprintf(format, args...))
}

func (j *journal) check(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(j.lines, want) {
		t.Errorf("what happened:\n\t%q\nwant:\n\t%q", j.lines, want)
	}
}

type what string

func (w what) String() string { return string(w) }

func TestSleepsRunConcurrently(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	n := 0
	err := v.Run(context.Background(), func(ctx context.Context) {
		for i := range 32 {
			v.Go(ctx, fmt.Sprint(i), func(ctx context.Context) {
				if err := v.Sleep(ctx, time.Second); err != nil {
					t.Error(err)
				}
				n++
			})
		}
	})
	if err != nil || n != 32 || v.Elapsed() != time.Second {
		t.Errorf("32 sleeps of 1 s: %d ended, at %v, %v", n, v.Elapsed(), err)
	}
}

func TestTimersFireInOrderOfDeadlineThenCreation(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	j := &journal{clk: v}
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.AfterFunc(3*time.Second, func() { j.add("a") })
		v.AfterFunc(time.Second, func() { j.add("b") })
		v.Go(ctx, "c", func(ctx context.Context) { v.Sleep(ctx, 3*time.Second); j.add("c") })
		v.AfterFunc(3*time.Second, func() { j.add("d") })
		v.Sleep(ctx, 2*time.Second)
		j.add("main")
		v.Sleep(ctx, 2*time.Second)
	})
	if err != nil {
		t.Fatal(err)
	}
	j.check(t, "1s b", "2s main", "3s a", "3s d", "3s c")
}

func TestStall(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	unwound := false
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Sleep(ctx, time.Second)
		defer func() { unwound = true }()
		if err := v.NewWaiter(what("Godot")).Park(ctx); !errors.Is(err, clock.ErrStopped) {
			t.Error(err)
		}
	})
	if !errors.Is(err, clock.ErrStalled) || !unwound {
		t.Error(err, unwound)
	}
	t.Log(err)
}

func TestTimeoutEndsAPark(t *testing.T) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		ctx, cancel := v.WithTimeout(ctx, 1500*time.Millisecond+1)
		defer cancel()
		err := v.NewWaiter(what("x")).Park(ctx)
		if err != context.DeadlineExceeded || v.Elapsed() != 1500*time.Millisecond+1 {
			t.Error(err, v.Elapsed())
		}
	})
	if err != nil {
		t.Error(err)
	}
}
