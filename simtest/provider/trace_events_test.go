package provider_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// traced is a trace as a viewer reads it.
type traced struct {
	DisplayTimeUnit string
	OtherData       map[string]string
	TraceEvents     []tracedEvent
}

type tracedEvent struct {
	Ph, Name, S string
	Pid, Tid    *int
	Ts, Dur     *json.Number
	Args        map[string]any
}

// ns reads microseconds with three decimals, exactly.
func ns(t *testing.T, n *json.Number) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(n.String() + "us")
	if err != nil || !strings.Contains(n.String(), ".") {
		t.Fatalf("time %s: %v", n, err)
	}
	return d
}

// readTrace writes a trace and checks what the format demands: every event
// has what its phase needs, every row and group has a name, slices of a row
// lie within each other or side by side and come parents first, and counters
// are numbers that really change.
func readTrace(t *testing.T, s experiment.Scenario, contestant string, seed uint64) traced {
	t.Helper()
	var text, again bytes.Buffer
	if err := s.(experiment.Tracer).WriteTrace(t.Context(), &text, contestant, seed); err != nil {
		t.Fatal(err)
	}
	if err := s.(experiment.Tracer).WriteTrace(t.Context(), &again, contestant, seed); err != nil || !bytes.Equal(text.Bytes(), again.Bytes()) {
		t.Fatalf("written again, it differs (%v)", err)
	}
	var trace traced
	if err := json.Unmarshal(text.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	type row struct{ pid, tid int }
	named, sorted := map[row]bool{}, map[row]bool{}
	open := map[row][]time.Duration{} // ends of the slices that are going on
	counters := map[string]float64{}
	last := time.Duration(0)
	for i, e := range trace.TraceEvents {
		if e.Pid == nil || e.Tid == nil || e.Name == "" {
			t.Fatalf("event %d: %+v: needs pid, tid and name", i, e)
		}
		r := row{*e.Pid, *e.Tid}
		if e.Ph == "M" {
			switch e.Name {
			case "process_name", "thread_name":
				named[r] = e.Args["name"] != ""
			case "process_sort_index", "thread_sort_index":
				sorted[r] = true
			default:
				t.Fatalf("event %d: unknown metadata %q", i, e.Name)
			}
			continue
		}
		if e.Ts == nil || ns(t, e.Ts) < last {
			t.Fatalf("event %d: %+v: needs a time, not before that of the event above it", i, e)
		}
		at := ns(t, e.Ts)
		last = at
		if !named[r] || !sorted[r] || !named[row{r.pid, 0}] {
			t.Fatalf("event %d: %+v: its row or group has no name or place", i, e)
		}
		switch e.Ph {
		case "X":
			end := at + ns(t, e.Dur)
			if end <= at {
				t.Fatalf("event %d: %+v: takes no time", i, e)
			}
			stack := slices.DeleteFunc(open[r], func(end time.Duration) bool { return end <= at })
			if n := len(stack); n > 0 && stack[n-1] < end {
				t.Fatalf("event %d: %+v: overlaps the slice around it, which ends at %v", i, e, stack[n-1])
			}
			open[r] = append(stack, end)
		case "i":
			if e.S != "t" {
				t.Fatalf("event %d: %+v: needs a scope", i, e)
			}
		case "C":
			key := fmt.Sprintf("%d %s", r.pid, e.Name)
			v, isNumber := e.Args["value"].(float64)
			if before, known := counters[key]; !isNumber || v < 0 || known && before == v || !known && at > 0 {
				t.Fatalf("event %d: %+v: must be a number that is new, from the beginning on", i, e)
			}
			counters[key] = v
		default:
			t.Fatalf("event %d: phase %q is not used here", i, e.Ph)
		}
	}
	return trace
}

// count counts events whose names begin with a prefix.
func (tr traced) count(phase, prefix string) float64 {
	n := 0.0
	for _, e := range tr.TraceEvents {
		if e.Ph == phase && strings.HasPrefix(e.Name, prefix) {
			n++
		}
	}
	return n
}

// One endpoint that takes one request at a time, though the pool hands out two
// leases, and needs a second; two workers with a job each; a storm that lasts.
func crowdedWorld() provider.World {
	w := plainWorld()
	w.Endpoints[0].Capacity, w.Endpoints[0].Weight = 2, 0.5
	w.Endpoints[0].Storm = provider.Storm{Rate: 1, Duration: 10 * time.Second}
	w.Workload.Jobs, w.Workload.Concurrency = 2, 2
	w.Retry = acquire.Retry{MaxAttempts: 3, Backoff: acquire.Backoff{Base: time.Second, Factor: 1, Cap: time.Second, Jitter: acquire.NoJitter}}
	return w
}

// Worker 1 is refused at 0, and again as soon as the Retry-After of 0.25 s has
// passed, and gives up after the third time, at 0.5 s; each time, the pool
// lets the endpoint cool down for as long. Worker 0 has its answer at 1 s.
func TestTraceByHand(t *testing.T) {
	s, err := provider.New(crowdedWorld())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	names := map[string]string{}
	for _, e := range readTrace(t, s, "wait", 1).TraceEvents {
		key := fmt.Sprintf("%d.%d", *e.Pid, *e.Tid)
		if e.Ph == "M" {
			if name, ok := e.Args["name"].(string); ok {
				names[key] = name
			}
			continue
		}
		line := fmt.Sprintf("%s %s %s", ns(t, e.Ts), names[key], e.Name)
		if e.Ph == "X" {
			line = fmt.Sprintf("%s-%s %s %s", ns(t, e.Ts), ns(t, e.Ts)+ns(t, e.Dur), names[key], e.Name)
		}
		if v, ok := e.Args["value"]; ok {
			line += fmt.Sprintf(" = %v", v)
		}
		if v, ok := e.Args["result"]; ok {
			line += fmt.Sprintf(": %v", v)
		}
		got = append(got, line)
	}
	want := []string{
		"0s-1s worker-0 job 0: done",
		"0s-1s worker-0 step 0, attempt 1: ok",
		"0s-1s worker-0 only: ok",
		"0s-1s weather storm",
		"0s-1s slot 1 ok: ok",
		"0s-500ms worker-1 job 1: given up",
		"0s-250ms worker-1 pause before a retry",
		"0s-250ms in the client's pool cooling down",
		"0s worker-1 step 0, attempt 1: failed",
		"0s worker-1 refused by only: 429-capacity",
		"0s only capacity = 1",
		"0s refusals 429-capacity: 429-capacity",
		"0s only in flight = 1",
		"0s only storm = 1",
		"250ms-500ms worker-1 pause before a retry",
		"250ms-500ms in the client's pool cooling down",
		"250ms worker-1 step 0, attempt 2: failed",
		"250ms worker-1 refused by only: 429-capacity",
		"250ms refusals 429-capacity: 429-capacity",
		"500ms-750ms in the client's pool cooling down",
		"500ms worker-1 step 0, attempt 3: failed",
		"500ms worker-1 refused by only: 429-capacity",
		"500ms refusals 429-capacity: 429-capacity",
		"1s only in flight = 0",
		"1s only storm = 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What the trace shows is what the run counted.
func TestTraceOfTheBaseScenario(t *testing.T) {
	s, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	const seed = 20260926
	for _, contestant := range []string{"immediate", "sticky"} {
		run, err := s.Run(t.Context(), contestant, seed)
		if err != nil {
			t.Fatal(err)
		}
		trace := readTrace(t, s, contestant, seed)
		if trace.OtherData["digest"] != run.Digest || trace.OtherData["seed"] != "20260926" {
			t.Errorf("%s: about %v, want digest %s", contestant, trace.OtherData, run.Digest)
		}
		requests := trace.count("i", "429-")
		for _, result := range []string{"ok", "503", "connection", "timeout"} {
			requests += trace.count("X", result)
		}
		v := run.Values
		attempts := v["attempts_per_completed_job"] * v["jobs_done"]
		for what, pair := range map[string][2]float64{
			"jobs":     {trace.count("X", "job ") + trace.count("i", "job "), v["jobs_done"] + v["jobs_failed"]},
			"requests": {requests, v["requests"]},
			"refusals": {trace.count("i", "refused by "), v["requests"] * v["refusal_rate"]},
			"attempts": {trace.count("X", "step ") + trace.count("i", "step "), attempts},
			"pauses":   {trace.count("X", "pause") + trace.count("i", "pause"), attempts * v["retry_rate"]},
		} {
			if d := pair[0] - pair[1]; d > 1e-6 || d < -1e-6 {
				t.Errorf("%s: %s: %v in the trace, %v in the run", contestant, what, pair[0], pair[1])
			}
		}
	}
}

// Nobody comes back from death by the reference's rules: the run stands still,
// and what was going on then is shown up to that moment.
func TestTraceOfAStandstill(t *testing.T) {
	s, err := provider.New(doomedWorld())
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Run(t.Context(), "wait", 1)
	if err != nil || run.Stall == nil {
		t.Fatalf("stall %v, error %v: this world must stand still", run.Stall, err)
	}
	trace := readTrace(t, s, "wait", 1)
	if trace.OtherData["stalled"] != run.Stall.Why {
		t.Errorf("about %v", trace.OtherData)
	}
	last := map[string]time.Duration{}
	unfinished := 0
	for _, e := range trace.TraceEvents {
		if e.Ph == "X" {
			last[e.Name] = max(last[e.Name], ns(t, e.Ts)+ns(t, e.Dur))
		}
		if e.Args["unfinished"] == true {
			unfinished++
		}
	}
	if unfinished == 0 || last["job 8"] != run.Stall.At || last["cooling down"] >= run.Stall.At {
		t.Errorf("%d unfinished, ends %v; the run stood still at %v", unfinished, last, run.Stall.At)
	}
}

// doomedWorld has an endpoint at which everything fails, at once every second.
// Two workers give up a job after each failure, up to the eighth.
func doomedWorld() provider.World {
	w := plainWorld()
	w.Endpoints[0].ErrorRate = 1
	w.Workload.Concurrency, w.Workload.Jobs = 2, 100
	w.Health = pool.ReferenceHealth()
	return w
}

// The format's rules hold whatever a world does, and looking changes nothing.
func TestTracesOfWorldsOfEveryKind(t *testing.T) {
	for _, name := range sortedNames(worldsOfEveryKind) {
		t.Run(name, func(t *testing.T) {
			w := plainWorld()
			w.Endpoints[0].Capacity, w.Endpoints[0].ErrorRate = 2, 0.1
			w.Retry = acquire.DefaultRetry()
			w.Workload.Concurrency = 3
			worldsOfEveryKind[name](&w)
			s, err := provider.New(w)
			if err != nil {
				t.Fatal(err)
			}
			run, err := s.Run(t.Context(), "wait", 3)
			if err != nil {
				t.Fatal(err)
			}
			trace := readTrace(t, s, "wait", 3)
			if trace.OtherData["digest"] != run.Digest {
				t.Errorf("digest %s, want %s", trace.OtherData["digest"], run.Digest)
			}
			jobs := trace.count("X", "job ") + trace.count("i", "job ") + trace.count("i", "dropped")
			if want := run.Values["jobs_done"] + run.Values["jobs_failed"]; jobs != want {
				t.Errorf("%v jobs in the trace, %v in the run", jobs, want)
			}
		})
	}
}

func sortedNames[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare[string])
	return names
}
