package clock_test

import (
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

func TestErrorsSayWhatWhereAndWhatToDo(t *testing.T) {
	tasks := []clock.TaskState{{Name: "main", WaitsFor: "runnable"}, {Name: "worker", WaitsFor: "sleep until 3s"}}
	stack := []byte("goroutine 7 [select]:\n...")
	tests := []struct {
		err  error
		want string
	}{
		{&clock.StallError{At: time.Second, Why: "nothing is runnable", Tasks: tasks},
			`clock: stalled at 1s: nothing is runnable; tasks that have not ended (2): "main" (runnable), "worker" (sleep until 3s)`},
		{&clock.LivelockError{At: time.Second, Switches: 100, Tasks: tasks[:1]},
			`clock: livelock at 1s: more than 100 task switches at this instant; tasks that have not ended (1): "main" (runnable)`},
		{&clock.PanicError{Task: "worker", At: time.Second, Value: "oops", Stack: stack},
			"clock: panic in task \"worker\" at 1s: oops\n\ngoroutine 7 [select]:\n..."},
		{&clock.PanicError{Task: "timer function", At: time.Second, Value: "oops", Stack: stack},
			"clock: panic in a timer function at 1s: oops\n\ngoroutine 7 [select]:\n..."},
		{&clock.ForeignError{At: time.Second, Task: "worker", State: "select", Place: "a.go:7", Stack: stack},
			"clock: task \"worker\" blocked outside the clock at 1s (select), at a.go:7: wait with Sleep or a Waiter of the clock\n\ngoroutine 7 [select]:\n..."},
		{&clock.ForeignError{At: time.Second, Call: "Sleep", Task: "timer function", Place: "a.go:7", Stack: stack},
			"clock: Sleep called at 1s in a timer function, which must not block, at a.go:7: start a task for it\n\ngoroutine 7 [select]:\n..."},
		{&clock.ForeignError{At: time.Second, Call: "Waiter.Wake", Place: "a.go:7", Stack: stack},
			"clock: Waiter.Wake called at 1s by a goroutine that is no task of this virtual clock, at a.go:7: start it with Clock.Go\n\ngoroutine 7 [select]:\n..."},
		{&clock.BudgetError{At: time.Hour, Steps: 12, Task: "worker", Stack: stack},
			"clock: out of budget at 1h0m0s of simulated time, after 12 steps: <nil>; task \"worker\" computes and does not come back to the clock\n\ngoroutine 7 [select]:\n..."},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
		}
	}
}
