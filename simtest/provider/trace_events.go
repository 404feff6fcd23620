package provider

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/traceevent"
)

var _ experiment.Tracer = (*Scenario)(nil)

// WriteTrace makes the same run as Run and writes it in the Trace Event
// Format: a row per worker with its jobs, attempts, waits, calls and pauses;
// and a group per endpoint with weather, what the client's pool thinks of it,
// refusals, a row for each request that it works on at once, and as numbers
// the capacity that it enforces, the requests in flight, and storms.
//
// What takes no time (a refusal, an attempt that is refused at once) is an
// instant.
func (s *Scenario) WriteTrace(ctx context.Context, w io.Writer, contestant string, seed uint64) error {
	h, err := s.history(ctx, contestant, seed)
	if err != nil {
		return err
	}
	t := &traceevent.Trace{}
	t.About("scenario", s.world.Name)
	t.About("contestant", contestant)
	t.About("seed", strconv.FormatUint(seed, 10))
	t.About("fingerprint", s.Fingerprint())
	t.About("digest", h.run.Digest)
	if h.run.Stall != nil {
		t.About("stalled", h.run.Stall.Why)
	}
	s.traceWorkers(t, h)
	service := newService(&s.world, s.drawsOf(seed), s.derive().enforced)
	capacity := newEnforcedCapacity(&s.world)
	for i := range service.endpoints {
		s.traceEndpoint(t, h, &service.endpoints[i], i, capacity.endpoints[i])
	}
	return t.Write(w)
}

// traceWorkers adds a row per worker, and the jobs that no worker had.
func (s *Scenario) traceWorkers(t *traceevent.Trace, h *history) {
	client := t.Process("client")
	workers := 0
	for _, a := range h.activities {
		workers = max(workers, a.worker+1)
	}
	rows := make([]*traceevent.Thread, workers)
	for i := range rows {
		rows[i] = client.Thread(fmt.Sprintf("worker-%d", i))
	}
	// Outer slices first: of those that are equally long, the first is outside.
	for _, kinds := range [][]activityKind{{aJob}, {anAttempt, aPause}, {aWait, aCall}} {
		for i := range h.activities {
			if a := &h.activities[i]; slices.Contains(kinds, a.kind) {
				s.traceActivity(rows[a.worker], a)
			}
		}
	}
	if s.world.Workload.Arrivals == nil {
		return
	}
	var waiting changes
	for _, a := range h.activities {
		if a.kind == aLine {
			waiting.add(a.from, a.to)
		}
	}
	waiting.write(client, "jobs waiting in line")
	if s.world.Workload.Arrivals.Drop {
		row := client.Thread("dropped arrivals")
		for _, at := range h.dropped {
			row.Instant("dropped", at)
		}
	}
}

// traceActivity adds a slice to a worker's row.
func (s *Scenario) traceActivity(row *traceevent.Thread, a *activity) {
	var name string
	var args []traceevent.Arg
	arg := func(key string, value any) { args = append(args, traceevent.Arg{Key: key, Value: value}) }
	switch a.kind {
	case aJob:
		name = fmt.Sprintf("job %d", a.job)
		arg("result", result(a, "given up", "done"))
	case anAttempt:
		name = fmt.Sprintf("step %d, attempt %d", a.step, a.attempt)
		arg("result", result(a, "failed", "ok"))
		if a.err != nil {
			arg("class", acquire.Classify(a.err).String())
			arg("error", a.err.Error())
		}
	case aWait:
		name = "wait for a lease"
		if a.failed {
			name = "wait for a lease, in vain"
		}
	case aPause:
		name = "pause before a retry"
	case aCall:
		name = s.world.Endpoints[a.endpoint].ID
		arg("request", a.ordinal)
		arg("result", a.outcome.String())
		if a.outcome.Refused() {
			name = "refused by " + name
		}
	}
	if a.unfinished {
		arg("unfinished", true)
	}
	if a.to == a.from {
		row.Instant(name, a.from, args...)
		return
	}
	row.Slice(name, a.from, a.to, args...)
}

func result(a *activity, failed, ok string) string {
	switch {
	case a.unfinished:
		return "unfinished"
	case a.failed:
		return failed
	}
	return ok
}

// traceEndpoint adds the group of an endpoint.
func (s *Scenario) traceEndpoint(t *traceevent.Trace, h *history, e *endpointState, endpoint int, capacity steps) {
	group := t.Process(e.ID)
	for at, n := range capacity.until(h.end) {
		group.Counter("capacity", at, float64(n))
	}
	var inFlight, storms changes
	sky := group.Thread("weather")
	for _, span := range e.badWeather(h.end) {
		if span.Name == "storm" {
			storms.add(span.From, span.To)
			sky.Slice(span.Name, span.From, span.To)
		}
	}
	if len(e.Outages) > 0 {
		down := group.Thread("outages")
		for _, o := range e.Outages {
			if to := min(o.Until, h.end); o.From < to {
				down.Slice("outage", o.From, to, traceevent.Arg{Key: "error_rate", Value: o.ErrorRate})
			}
		}
	}
	state := group.Thread("in the client's pool")
	for _, span := range h.states[endpoint] {
		if span.To > span.From {
			state.Slice(span.Name, span.From, span.To)
		}
	}
	refusals := group.Thread("refusals")
	slots := slots{group: group}
	for _, a := range calls(h, endpoint) {
		args := []traceevent.Arg{
			{Key: "request", Value: a.ordinal}, {Key: "result", Value: a.outcome.String()},
			{Key: "worker", Value: a.worker}, {Key: "job", Value: a.job},
		}
		switch {
		case a.outcome.Refused():
			refusals.Instant(a.outcome.String(), a.from, args...)
		case a.until == a.from:
			refusals.Instant("failed at once", a.from, args...)
		default:
			inFlight.add(a.from, a.until)
			slots.row(a.from, a.until).Slice(a.outcome.String(), a.from, a.until, args...)
		}
	}
	inFlight.write(group, "in flight")
	storms.write(group, "storm")
}

// calls returns the requests at an endpoint in the order of their numbers.
func calls(h *history, endpoint int) []*activity {
	var all []*activity
	for i := range h.activities {
		if a := &h.activities[i]; a.kind == aCall && a.endpoint == endpoint {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b *activity) int { return cmp.Compare(a.ordinal, b.ordinal) })
	return all
}

// slots are the rows for what an endpoint works on at once: each request is on
// the first that is free.
type slots struct {
	group *traceevent.Process
	rows  []*traceevent.Thread
	free  []time.Duration // from when on
}

func (s *slots) row(from, to time.Duration) *traceevent.Thread {
	i := slices.IndexFunc(s.free, func(free time.Duration) bool { return free <= from })
	if i < 0 {
		i = len(s.free)
		s.free = append(s.free, 0)
		s.rows = append(s.rows, s.group.Thread(fmt.Sprintf("slot %d", i+1)))
	}
	s.free[i] = to
	return s.rows[i]
}

// changes count how many there are of something over time.
type changes struct{ list []inOrOut }

type inOrOut struct {
	at time.Duration
	by int
}

func (c *changes) add(from, to time.Duration) {
	c.list = append(c.list, inOrOut{from, 1}, inOrOut{to, -1})
}

// write writes the count at every instant at which it changes.
func (c *changes) write(group *traceevent.Process, name string) {
	slices.SortFunc(c.list, func(a, b inOrOut) int { return cmp.Compare(a.at, b.at) })
	n, shown := 0, 0
	if len(c.list) == 0 || c.list[0].at > 0 {
		group.Counter(name, 0, 0)
	}
	for i, change := range c.list {
		n += change.by
		if i+1 < len(c.list) && c.list[i+1].at == change.at {
			continue
		}
		if n != shown || change.at == 0 {
			group.Counter(name, change.at, float64(n))
			shown = n
		}
	}
}

// until yields the values of the function up to end, each with the instant
// from which on it holds.
func (s steps) until(end time.Duration) iter.Seq2[time.Duration, int] {
	return func(yield func(time.Duration, int) bool) {
		before := -1
		for begin := time.Duration(0); begin <= end; begin += s.period {
			for i, start := range s.starts {
				if begin+start > end {
					return
				}
				if s.values[i] != before && !yield(begin+start, s.values[i]) {
					return
				}
				before = s.values[i]
			}
			if s.period == 0 {
				return
			}
		}
	}
}
