package traceevent

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
)

// Trace collects events. The zero value is empty and ready to use.
type Trace struct {
	about  []Arg
	names  []event
	events []event
	pids   int
}

// Process is a group of rows.
type Process struct {
	trace   *Trace
	pid     int
	threads int
}

// Thread is a row.
type Thread struct {
	process *Process
	tid     int
}

// Arg is a detail that a viewer shows with an event. Value is a string, an
// int, an int64, a uint64, a float64 that is finite, or a bool.
type Arg struct {
	Key   string
	Value any
}

type event struct {
	phase    byte // X, i, C or M
	name     string
	pid, tid int
	at, took time.Duration
	args     []Arg
}

// About adds a detail of the whole trace.
func (t *Trace) About(key string, value any) { t.about = append(t.about, Arg{key, value}) }

// Process adds a group; groups are shown in the order in which they were added.
func (t *Trace) Process(name string) *Process {
	t.pids++
	t.describe("process", name, t.pids, 0, t.pids)
	return &Process{trace: t, pid: t.pids}
}

// Thread adds a row to the group; rows are shown in the order in which they
// were added.
func (p *Process) Thread(name string) *Thread {
	p.threads++
	p.trace.describe("thread", name, p.pid, p.threads, p.threads)
	return &Thread{p, p.threads}
}

// describe names a process or a thread and gives it its place.
func (t *Trace) describe(what, name string, pid, tid, place int) {
	t.names = append(t.names,
		event{phase: 'M', name: what + "_name", pid: pid, tid: tid, args: []Arg{{"name", name}}},
		event{phase: 'M', name: what + "_sort_index", pid: pid, tid: tid, args: []Arg{{"sort_index", place}}})
}

// Slice adds something that took time, from from to to.
func (t *Thread) Slice(name string, from, to time.Duration, args ...Arg) {
	p := t.process
	p.trace.events = append(p.trace.events, event{'X', name, p.pid, t.tid, from, to - from, args})
}

// Instant adds a moment.
func (t *Thread) Instant(name string, at time.Duration, args ...Arg) {
	p := t.process
	p.trace.events = append(p.trace.events, event{'i', name, p.pid, t.tid, at, 0, args})
}

// Counter sets a number of the group from at on.
func (p *Process) Counter(name string, at time.Duration, value float64) {
	p.trace.events = append(p.trace.events, event{'C', name, p.pid, 0, at, 0, []Arg{{"value", value}}})
}

// Write writes everything that was added as one JSON object, an event a line:
// names first, then by time, what lasts longer first, so that a slice comes
// before those in it.
//
// An error means that w failed, or that an event cannot be written: it ends
// before it begins, begins before 0, or has an argument of another type.
func (t *Trace) Write(w io.Writer) error {
	sorted := slices.Clone(t.events)
	slices.SortStableFunc(sorted, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.took, a.took))
	})
	out := bufio.NewWriter(w)
	text := []byte(`{"displayTimeUnit":"ms","otherData":`)
	text, err := appendArgs(text, t.about)
	if err != nil {
		return err
	}
	text = append(text, `,"traceEvents":[`...)
	separator := "\n"
	for _, list := range [][]event{t.names, sorted} {
		for _, e := range list {
			text = append(text, separator...)
			if text, err = e.append(text); err != nil {
				return err
			}
			if _, err := out.Write(text); err != nil {
				return err
			}
			text, separator = text[:0], ",\n"
		}
	}
	text = append(text, "\n]}\n"...)
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Flush()
}

func (e *event) append(text []byte) ([]byte, error) {
	if e.at < 0 || e.took < 0 {
		return nil, fmt.Errorf("traceevent: %q from %v to %v: must not begin before 0 or end before it begins", e.name, e.at, e.at+e.took)
	}
	text = append(text, `{"ph":"`...)
	text = append(text, e.phase)
	text = append(text, `","name":`...)
	text = appendString(text, e.name)
	text = append(text, `,"pid":`...)
	text = strconv.AppendInt(text, int64(e.pid), 10)
	text = append(text, `,"tid":`...)
	text = strconv.AppendInt(text, int64(e.tid), 10)
	if e.phase != 'M' {
		text = appendMicroseconds(append(text, `,"ts":`...), e.at)
	}
	switch e.phase {
	case 'X':
		text = appendMicroseconds(append(text, `,"dur":`...), e.took)
	case 'i':
		text = append(text, `,"s":"t"`...) // it belongs to its thread
	}
	if len(e.args) > 0 {
		var err error
		if text, err = appendArgs(append(text, `,"args":`...), e.args); err != nil {
			return nil, fmt.Errorf("traceevent: %q at %v: %w", e.name, e.at, err)
		}
	}
	return append(text, '}'), nil
}

func appendMicroseconds(text []byte, d time.Duration) []byte {
	text = strconv.AppendInt(text, int64(d/1000), 10)
	ns := d % 1000
	return append(text, '.', byte('0'+ns/100), byte('0'+ns/10%10), byte('0'+ns%10))
}

func appendArgs(text []byte, args []Arg) ([]byte, error) {
	text = append(text, '{')
	for i, a := range args {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(appendString(text, a.Key), ':')
		switch v := a.Value.(type) {
		case string:
			text = appendString(text, v)
		case int:
			text = strconv.AppendInt(text, int64(v), 10)
		case int64:
			text = strconv.AppendInt(text, v, 10)
		case uint64:
			text = strconv.AppendUint(text, v, 10)
		case bool:
			text = strconv.AppendBool(text, v)
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("argument %q: %v: must be finite", a.Key, v)
			}
			text = strconv.AppendFloat(text, v, 'g', -1, 64)
		default:
			return nil, fmt.Errorf("argument %q: %T: must be a string, a whole number, a float64 or a bool", a.Key, a.Value)
		}
	}
	return append(text, '}'), nil
}

// appendString quotes as JSON does. Bytes that are no UTF-8 are replaced.
func appendString(text []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // cannot fail for a string
	return append(text, quoted...)
}
