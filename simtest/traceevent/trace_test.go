package traceevent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/traceevent"
)

func written(t *testing.T, trace *traceevent.Trace) string {
	t.Helper()
	var text bytes.Buffer
	if err := trace.Write(&text); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text.Bytes()) {
		t.Fatalf("not JSON:\n%s", &text)
	}
	return text.String()
}

// Names come first, then events by time; of those that begin together, what
// lasts longer; of equals, what was added first.
func TestWrittenBytes(t *testing.T) {
	trace := &traceevent.Trace{}
	trace.About("scenario", `a "quoted" name`)
	trace.About("seed", "18446744073709551615")
	client := trace.Process("client")
	row := client.Thread("worker-0")
	other := trace.Process("endpoint").Thread("slot 1")
	row.Slice("call", 2*time.Millisecond, 2*time.Millisecond+1)
	row.Slice("job", 2*time.Millisecond, time.Second, traceevent.Arg{Key: "result", Value: "done"}, traceevent.Arg{Key: "ok", Value: true})
	client.Counter("in flight", 0, 1.5)
	other.Instant("refused", 1234567, traceevent.Arg{Key: "request", Value: uint64(7)}, traceevent.Arg{Key: "job", Value: -3})
	want := `{"displayTimeUnit":"ms","otherData":{"scenario":"a \"quoted\" name","seed":"18446744073709551615"},"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"client"}},
{"ph":"M","name":"process_sort_index","pid":1,"tid":0,"args":{"sort_index":1}},
{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"worker-0"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"endpoint"}},
{"ph":"M","name":"process_sort_index","pid":2,"tid":0,"args":{"sort_index":2}},
{"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"slot 1"}},
{"ph":"M","name":"thread_sort_index","pid":2,"tid":1,"args":{"sort_index":1}},
{"ph":"C","name":"in flight","pid":1,"tid":0,"ts":0.000,"args":{"value":1.5}},
{"ph":"i","name":"refused","pid":2,"tid":1,"ts":1234.567,"s":"t","args":{"request":7,"job":-3}},
{"ph":"X","name":"job","pid":1,"tid":1,"ts":2000.000,"dur":998000.000,"args":{"result":"done","ok":true}},
{"ph":"X","name":"call","pid":1,"tid":1,"ts":2000.000,"dur":0.001}
]}
`
	if got := written(t, trace); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if again := written(t, trace); again != want {
		t.Error("written twice, it differs")
	}
}

func TestAnEmptyTraceIsValid(t *testing.T) {
	written(t, &traceevent.Trace{})
}

func TestTimesAreExact(t *testing.T) {
	trace := &traceevent.Trace{}
	row := trace.Process("p").Thread("t")
	row.Instant("late", math.MaxInt64)
	if text := written(t, trace); !strings.Contains(text, `"ts":9223372036854775.807`) {
		t.Errorf("the last nanosecond is lost:\n%s", text)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	for says, add := range map[string]func(*traceevent.Thread){
		`"x" from -1ns`:                   func(r *traceevent.Thread) { r.Slice("x", -1, 1) },
		`"x" from 2ns to 1ns`:             func(r *traceevent.Thread) { r.Slice("x", 2, 1) },
		`"x" at 1ns: argument "n": NaN`:   func(r *traceevent.Thread) { r.Instant("x", 1, traceevent.Arg{Key: "n", Value: math.NaN()}) },
		`argument "e": *errors.errorStri`: func(r *traceevent.Thread) { r.Instant("x", 1, traceevent.Arg{Key: "e", Value: errors.New("no")}) },
	} {
		trace := &traceevent.Trace{}
		add(trace.Process("p").Thread("t"))
		if err := trace.Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v does not say %q", err, says)
		}
	}
	trace := &traceevent.Trace{}
	trace.Process("p")
	if err := trace.Write(full{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want that of the writer", err)
	}
}

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
