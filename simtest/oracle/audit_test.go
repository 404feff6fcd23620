package oracle_test

import (
	"fmt"
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// audit follows a run event by event and knows what must hold in every run of
// every world, whatever the contestant:
//
//   - time does not go back, and nothing comes before its cause: a request is
//     sent at the instant of its lease, by a worker that has a job and is done
//     with the request before; a retry comes after its pause; a job that is
//     done ends at the instant at which its last request does;
//   - every job that is begun ends once, and its time counts from its arrival;
//   - requests of an endpoint are numbered 1, 2, 3, ...;
//   - Little's law on the sample path, exactly, in integers: the number of jobs
//     in the system, integrated over time, is the sum of their times (J. D. C.
//     Little, S. C. Graves, Little's law, 2008: for a system that starts and
//     ends empty it is an identity, no theorem);
//   - the metrics say the same as the events, and no lease is out.
//
// It looks at the events only, so that it does not share a mistake of the
// harness's own accounts.
type audit struct {
	world    provider.World
	workers  []witness
	ordinals []uint64 // by endpoint
	fault    error    // the first

	now          time.Duration
	inside       int           // jobs claimed and not ended
	area         time.Duration // inside, integrated
	claimed      int           // jobs
	last         int           // the latest of them
	line, system time.Duration // sums of the times before the claim, and until the end
	done, failed int           // jobs
	dropped      int
	requests     int
	refused      int // of them
	busy         time.Duration
}

// witness is what is known of a worker.
type witness struct {
	busy     bool
	job      int
	arrived  time.Duration // the job
	free     time.Duration // when the worker can do the next thing
	endpoint int           // of the lease that no request has been sent under
	leased   bool
}

func newAudit(w provider.World) *audit {
	return &audit{world: w, ordinals: make([]uint64, len(w.Endpoints)), last: -1}
}

func (a *audit) check(ok bool, e *provider.Event, format string, args ...any) {
	if !ok && a.fault == nil {
		a.fault = fmt.Errorf("at %v, worker %d, job %d, %v: %s", e.At, e.Worker, e.Job, e.Kind, fmt.Sprintf(format, args...))
	}
}

func (a *audit) event(e *provider.Event) {
	if e.At < a.now {
		a.check(false, e, "%v before what happened before", a.now-e.At)
		return
	}
	a.area += time.Duration(a.inside) * (e.At - a.now)
	a.now = e.At
	switch e.Kind {
	case provider.JobDropped:
		a.dropped++
		return
	case provider.EndpointChanged:
		return
	}
	for e.Worker >= len(a.workers) {
		a.workers = append(a.workers, witness{})
	}
	w := &a.workers[e.Worker]
	if e.Kind == provider.JobClaimed {
		a.claim(w, e)
		return
	}
	a.check(w.busy && w.job == e.Job, e, "the worker does not have this job")
	a.check(e.At >= w.free, e, "the worker is busy until %v", w.free)
	switch e.Kind {
	case provider.LeaseGranted:
		a.check(e.For >= 0 && e.At-e.For >= w.free, e, "waited for since %v, before the end of what came before at %v", e.At-e.For, w.free)
		w.leased, w.endpoint, w.free = true, e.Endpoint, e.At
	case provider.RequestSent:
		a.send(w, e)
	case provider.CallAbandoned:
		// The request's own end does not matter any more; see send.
	case provider.RetryScheduled:
		a.check(e.For >= 0, e, "a pause of %v", e.For)
		w.free = e.At + e.For
	case provider.JobDone, provider.JobFailed:
		a.finish(w, e)
	}
}

func (a *audit) claim(w *witness, e *provider.Event) {
	a.check(!w.busy, e, "the worker still has job %d", w.job)
	a.check(e.Job > a.last, e, "after job %d", a.last)
	a.check(e.For >= 0, e, "claimed %v before its arrival", -e.For)
	a.check(e.At >= w.free, e, "the worker is busy until %v", w.free)
	*w = witness{busy: true, job: e.Job, arrived: e.At - e.For, free: e.At}
	a.last = e.Job
	a.claimed++
	a.inside++
	a.line += e.For
}

// send follows a request to its end, which is known when it is sent, unless it
// is abandoned before.
func (a *audit) send(w *witness, e *provider.Event) {
	a.check(w.leased && w.free == e.At && w.endpoint == e.Endpoint, e, "not at the instant of a lease of this endpoint")
	a.ordinals[e.Endpoint]++
	a.check(e.Ordinal == a.ordinals[e.Endpoint], e, "request %d is numbered %d", a.ordinals[e.Endpoint], e.Ordinal)
	a.check(e.For >= 0, e, "a latency of %v", e.For)
	a.requests++
	if e.Outcome.Refused() {
		a.refused++
		a.check(e.For == 0, e, "a refusal that takes %v", e.For)
	}
	a.busy += e.For
	w.leased = false
	limit := e.For
	l := &a.world.Workload
	if l.CallTimeout > 0 {
		limit = min(limit, l.CallTimeout)
	}
	if l.Patience > 0 {
		limit = min(limit, w.arrived+l.Patience-e.At)
	}
	w.free = e.At + limit
}

func (a *audit) finish(w *witness, e *provider.Event) {
	a.check(e.At-e.For == w.arrived, e, "it arrived at %v and took %v", w.arrived, e.For)
	a.check(!w.leased, e, "it has a lease under which nothing was sent")
	if e.Kind == provider.JobDone {
		a.done++
		a.check(e.At == w.free, e, "its last request ended at %v", w.free)
	} else {
		a.failed++
	}
	w.busy = false
	a.inside--
	a.system += e.For
}

// end compares the events with the metrics, and returns the first fault.
func (a *audit) end(r experiment.Run) error {
	if a.fault != nil {
		return a.fault
	}
	// Sums of rounded seconds against sums of nanoseconds.
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*max(1, math.Abs(x)) }
	v, l := r.Values, &a.world.Workload
	capacity := 0.0
	for _, e := range a.world.Endpoints {
		capacity += float64(e.Capacity) * e.Weight
	}
	for _, law := range []struct {
		what string
		ok   bool
	}{
		{fmt.Sprintf("%d jobs were begun and not ended", a.inside), a.inside == 0},
		{fmt.Sprintf("the number of jobs, integrated, is %v, and the sum of their times %v", a.area, a.system-a.line), a.area == a.system-a.line},
		{fmt.Sprintf("jobs_done is %v of %d", v["jobs_done"], a.done), v["jobs_done"] == float64(a.done)},
		{fmt.Sprintf("jobs_failed is %v of %d", v["jobs_failed"], a.failed+a.dropped), v["jobs_failed"] == float64(a.failed+a.dropped)},
		{
			fmt.Sprintf("jobs_unstarted is %v, %d of %d were begun or dropped", v["jobs_unstarted"], a.claimed+a.dropped, l.Jobs),
			v["jobs_unstarted"] == float64(l.Jobs-a.claimed-a.dropped),
		},
		{fmt.Sprintf("requests is %v of %d", v["requests"], a.requests), v["requests"] == float64(a.requests)},
		{fmt.Sprintf("leases_active_at_end is %v", v["leases_active_at_end"]), v["leases_active_at_end"] == 0},
		{fmt.Sprintf("refusal_rate is %v, %d of %d", v["refusal_rate"], a.refused, a.requests), near(v["refusal_rate"]*float64(a.requests), float64(a.refused))},
		{
			fmt.Sprintf("utilization is %v, %v of work in %v s", v["utilization"], a.busy, v["makespan_s"]),
			a.world.Cycle != provider.Cycle{Peak: 1} || near(v["utilization"]*capacity*v["makespan_s"], a.busy.Seconds()),
		},
		{
			fmt.Sprintf("restricted_mean_completion_s is %v, %d jobs took %v", v["restricted_mean_completion_s"], a.done, a.system),
			l.Arrivals == nil || a.done != l.Jobs || a.now > l.Horizon || near(v["restricted_mean_completion_s"]*float64(l.Jobs), a.system.Seconds()),
		},
	} {
		if !law.ok {
			return fmt.Errorf("audit: %s", law.what)
		}
	}
	return nil
}
