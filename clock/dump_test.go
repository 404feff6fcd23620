package clock

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestFindGoroutine(t *testing.T) {
	const dump = `goroutine 1 [running]:
main.main()
	/src/main.go:10 +0x1d

goroutine 7 [sync.Mutex.Lock, 2 minutes, locked to thread]:
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
example.com/clock.(*coroutine).run(0xc000104000, 0xc00011e020)
	/src/clock/coroutine.go:50 +0x1a
`
	state, stack := findGoroutine([]byte(dump), "clock.(*coroutine).run(0xc000104000")
	if state != "sync.Mutex.Lock" || len(stack) == 0 || stack[len("goroutine ")] != '7' {
		t.Errorf("state %q, stack:\n%s", state, stack)
	}
	if state, stack := findGoroutine([]byte(dump), "clock.(*coroutine).run(0xc000200000"); state != "" || stack != nil {
		t.Errorf("a goroutine that is not there: %q", state)
	}
}

func TestAGoroutineThatComputesIsNotBlocked(t *testing.T) {
	for state, want := range map[string]bool{
		"running": true, "runnable": true, "GC assist wait": true, "preempted": true,
		"chan receive": false, "select": false, "sleep": false, "IO wait": false, "syscall": false,
		"sync.Mutex.Lock": false, "sync.WaitGroup.Wait": false, "chan receive (nil chan)": false,
	} {
		if busy(state) != want {
			t.Errorf("%q: busy is %t", state, busy(state))
		}
	}
}

func TestLibrarySource(t *testing.T) {
	const stack = "goroutine 7 [sleep]:\ntime.Sleep(0x1)\n\t%stime/sleep.go:1 +0x1\nmain.f()\n\t/src/main.go:10 +0x1d\n"
	if got := place([]byte(fmt.Sprintf(stack, librarySource()))); got != "/src/main.go:10" {
		t.Errorf("the place is %q", got)
	}
}

// A failed run is not unwound for ever, even if its context never ends.
func TestAFailedRunIsGivenUpSomeTime(t *testing.T) {
	w := watchdog{ctx: context.Background(), silent: hopeless}
	if err := w.judge(suspect{}, "running", nil, true); err != nil {
		t.Errorf("given up too early: %v", err)
	}
	w.silent++
	var budget *BudgetError
	if err := w.judge(suspect{task: "busy"}, "running", nil, true); !errors.As(err, &budget) || budget.Task != "busy" {
		t.Errorf("not given up: %v", err)
	}
	if err := w.judge(suspect{}, "running", nil, false); err != nil {
		t.Errorf("a run that goes on was given up: %v", err)
	}
}

// A task that is parked has not blocked: the loop is off the processor, which
// on a busy machine takes time.
func TestAParkedTaskIsNotBlamedForALateLoop(t *testing.T) {
	w := watchdog{ctx: context.Background(), silent: suspicious}
	for range 20 {
		if err := w.judge(suspect{frame: "f"}, parked, nil, false); err != nil {
			t.Fatalf("blamed after %d silent ticks: %v", w.silent, err)
		}
		w.silent++
	}
	w.silent = hopeless
	for range 2 {
		var foreign *ForeignError
		if err := w.judge(suspect{frame: "f"}, parked, nil, false); errors.As(err, &foreign) {
			return
		}
		w.silent++
	}
	t.Error("a coroutine of its own that blocks is never noticed")
}
