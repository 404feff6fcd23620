package placement

import "github.com/ranktest/ranktest/simtest/experiment"

// number is the value of a metric: a whole number, a fraction, or absent.
type number struct {
	form   byte // 0 absent, 'i' whole, 'f' fraction
	whole  int64
	value  float64
	sample int64 // of a percentile: of how many values
}

var absent = number{}

func whole(n int64) number      { return number{form: 'i', whole: n, value: float64(n)} }
func fraction(x float64) number { return number{form: 'f', value: x} }

// declaration is a metric and how it comes out of a finished run.
type declaration struct {
	experiment.Metric
	of func(*engine) number
}

// The directions.
const (
	lower  = experiment.Lower
	higher = experiment.Higher
)

// declared is the one declaration of the 35 metrics. The names and formulas
// are the reference's. Times are in ticks: a task that arrives in tick t is
// served from tick t+1 on and completes, at the earliest, at t+2. Percentiles
// interpolate linearly at place (n-1)*p.
//
// Where the reference says null, a metric has no value in that run: times
// without a completed task or a recovered outage, utilization without online
// capacity, fairness without any work.
var declared = []declaration{
	{experiment.Metric{Name: "completion_rate", Unit: "ratio", Bench: "completion-%", BenchScale: 100, Better: higher, Completion: true, Headline: true,
		Meaning: "tasks completed per task of the trace; 1 without tasks"}, (*engine).completionRate},
	{experiment.Metric{Name: "tasks_total", Unit: "tasks", Bench: "tasks",
		Meaning: "tasks of the trace"}, func(e *engine) number { return whole(int64(len(e.tasks))) }},
	{experiment.Metric{Name: "tasks_completed", Unit: "tasks", Bench: "tasks-completed",
		Meaning: "tasks that reached their last unit of work before the horizon"}, func(e *engine) number { return whole(e.counts.completed) }},
	{experiment.Metric{Name: "tasks_unfinished", Unit: "tasks", Bench: "tasks-unfinished",
		Meaning: "tasks still pending or queued at the end"}, func(e *engine) number { return whole(int64(len(e.tasks)) - e.counts.completed) }},
	{experiment.Metric{Name: "simulated_ticks", Unit: "ticks", Bench: "simulated-ticks",
		Meaning: "ticks until everything was done, at most arrival phase plus drain"}, func(e *engine) number { return whole(int64(e.tick)) }},

	{experiment.Metric{Name: "mean_wait_ticks", Unit: "ticks", Bench: "wait-mean-ticks", Better: lower, Gated: true,
		Meaning: "mean ticks from arrival to first service, over completed tasks"}, func(e *engine) number { return e.counts.wait.mean() }},
	{experiment.Metric{Name: "p95_wait_ticks", Unit: "ticks", Bench: "wait-p95-ticks", Better: lower, Quantile: 0.95, Gated: true,
		Meaning: "95th percentile of the same"}, func(e *engine) number { return e.counts.wait.percentile(0.95) }},
	{experiment.Metric{Name: "mean_response_ticks", Unit: "ticks", Bench: "response-mean-ticks", Better: lower, Gated: true, Headline: true,
		Meaning: "mean ticks from arrival to completion, over completed tasks"}, func(e *engine) number { return e.counts.response.mean() }},
	{experiment.Metric{Name: "p95_response_ticks", Unit: "ticks", Bench: "response-p95-ticks", Better: lower, Quantile: 0.95, Gated: true, Headline: true,
		Meaning: "95th percentile of the same"}, func(e *engine) number { return e.counts.response.percentile(0.95) }},

	{experiment.Metric{Name: "max_worker_queue_depth", Unit: "tasks", Bench: "queue-max", Better: lower, Gated: true, Headline: true,
		Meaning: "longest queue of any worker at the end of any tick, the task in service included"}, func(e *engine) number { return fraction(float64(e.counts.queue.max())) }},
	{experiment.Metric{Name: "p95_tick_max_queue_depth", Unit: "tasks", Bench: "queue-p95", Better: lower, Quantile: 0.95, Gated: true,
		Meaning: "95th percentile, over ticks, of the longest queue"}, func(e *engine) number { return e.counts.queue.percentile(0.95) }},
	{experiment.Metric{Name: "mean_tick_max_queue_depth", Unit: "tasks", Bench: "queue-mean", Better: lower, Gated: true,
		Meaning: "mean, over ticks, of the longest queue"}, func(e *engine) number { return e.counts.queue.mean() }},
	{experiment.Metric{Name: "max_pending_tasks", Unit: "tasks", Bench: "pending-max", Better: lower, Gated: true,
		Meaning: "most tasks without a worker at the end of any tick"}, func(e *engine) number { return fraction(float64(e.counts.maxPending)) }},

	{experiment.Metric{Name: "routing_attempts", Unit: "attempts", Bench: "attempts",
		Meaning: "times that a policy was asked; a pending task asks once a tick"}, func(e *engine) number { return whole(e.counts.attempts) }},
	{experiment.Metric{Name: "successful_assignments", Unit: "attempts", Bench: "assignments",
		Meaning: "attempts that put a task into a queue, evicted ones once more"}, func(e *engine) number { return whole(e.counts.outcomes[Assigned]) }},
	{experiment.Metric{Name: "failed_assignments", Unit: "attempts", Bench: "failed-attempts", Better: lower, Gated: true, Headline: true,
		Meaning: "attempts that did not, for any of the three reasons"}, func(e *engine) number { return whole(e.counts.attempts - e.counts.outcomes[Assigned]) }},
	{experiment.Metric{Name: "failed_no_observed_candidate", Unit: "attempts", Bench: "no-candidate", Better: lower, Gated: true,
		Meaning: "attempts in which the policy saw nobody online, or nobody has the capability"}, func(e *engine) number { return whole(e.counts.outcomes[NoCandidate]) }},
	{experiment.Metric{Name: "failed_unreachable", Unit: "attempts", Bench: "unreachable", Better: lower, Gated: true,
		Meaning: "attempts that chose a worker which was offline without the policy's knowledge"}, func(e *engine) number { return whole(e.counts.outcomes[Unreachable]) }},
	{experiment.Metric{Name: "failed_capability_mismatch", Unit: "attempts", Bench: "mismatched", Better: lower, Gated: true,
		Meaning: "attempts that chose a worker without the capability"}, func(e *engine) number { return whole(e.counts.outcomes[Mismatch]) }},
	{experiment.Metric{Name: "unreachable_rate_per_routing_attempt", Unit: "ratio", Bench: "unreachable-%", BenchScale: 100, Better: lower, Gated: true,
		Meaning: "unreachable attempts per attempt"}, func(e *engine) number { return e.perAttempt(e.counts.outcomes[Unreachable]) }},
	{experiment.Metric{Name: "capability_mismatch_rate_per_routing_attempt", Unit: "ratio", Bench: "mismatch-%", BenchScale: 100, Better: lower, Gated: true,
		Meaning: "mismatched attempts per attempt"}, func(e *engine) number { return e.perAttempt(e.counts.outcomes[Mismatch]) }},
	{experiment.Metric{Name: "locality_mismatch_rate_per_successful_assignment", Unit: "ratio", Bench: "locality-mismatch-%", BenchScale: 100, Better: lower, Gated: true,
		Meaning: "assignments outside of the task's preferred zone; no policy looks at zones"}, func(e *engine) number { return rate(e.counts.elsewhere, e.counts.outcomes[Assigned]) }},

	{experiment.Metric{Name: "metadata_probes", Unit: "probes", Bench: "probes", Better: lower, Gated: true,
		Meaning: "workers asked for their state: what the choice costs"}, func(e *engine) number { return whole(e.counts.probes) }},
	{experiment.Metric{Name: "mean_metadata_probes_per_routing_attempt", Unit: "probes", Bench: "probes/attempt", Better: lower, Gated: true, Headline: true,
		Meaning: "probes per attempt"}, func(e *engine) number { return e.perAttempt(e.counts.probes) }},

	{experiment.Metric{Name: "processed_work_units", Unit: "units", Bench: "work-units",
		Meaning: "work units served, repeated ones as often as they were served"}, func(e *engine) number { return whole(e.counts.processed) }},
	{experiment.Metric{Name: "capacity_utilization", Unit: "ratio", Bench: "utilization-%", BenchScale: 100, Better: higher, Gated: true, Headline: true,
		Meaning: "work units served per unit of capacity that was online"}, (*engine).utilization},
	{experiment.Metric{Name: "jain_worker_utilization_fairness", Unit: "ratio", Bench: "jain-%", BenchScale: 100, Better: higher, Gated: true, Headline: true,
		Meaning: "Jain's index of the workers' utilizations while online: 1 if all are equal, 1/n if one does everything"}, (*engine).jain},
	{experiment.Metric{Name: "workers_used_fraction", Unit: "ratio", Bench: "workers-used-%", BenchScale: 100,
		Meaning: "workers that served anything"}, (*engine).usedFraction},

	{experiment.Metric{Name: "churn_requeues", Unit: "tasks", Bench: "requeues", Better: lower, Gated: true,
		Meaning: "tasks evicted by outages, each time counted"}, func(e *engine) number { return whole(e.counts.requeued) }},
	{experiment.Metric{Name: "lost_work_units_due_churn", Unit: "units", Bench: "lost-work-units", Better: lower, Gated: true,
		Meaning: "work units that evictions threw away"}, func(e *engine) number { return whole(e.counts.lost) }},
	{experiment.Metric{Name: "churn_recovery_events", Unit: "outages", Bench: "recovery-events",
		Meaning: "outages that evicted at least one task"}, func(e *engine) number { return whole(int64(len(e.recoveries))) }},
	{experiment.Metric{Name: "recovered_churn_events", Unit: "outages", Bench: "recovered-events",
		Meaning: "those of which every evicted task was completed in the end"}, func(e *engine) number { return whole(e.counts.recovery.n) }},
	{experiment.Metric{Name: "unrecovered_churn_events", Unit: "outages", Bench: "unrecovered-events", Better: lower, Gated: true,
		Meaning: "those of which one was not"}, func(e *engine) number { return whole(int64(len(e.recoveries)) - e.counts.recovery.n) }},
	{experiment.Metric{Name: "mean_churn_recovery_ticks", Unit: "ticks", Bench: "recovery-mean-ticks", Better: lower, Gated: true,
		Meaning: "mean ticks from the start of an outage to the completion of its last evicted task, over recovered ones"}, func(e *engine) number { return e.counts.recovery.mean() }},
	{experiment.Metric{Name: "p95_churn_recovery_ticks", Unit: "ticks", Bench: "recovery-p95-ticks", Better: lower, Quantile: 0.95, Gated: true,
		Meaning: "95th percentile of the same"}, func(e *engine) number { return e.counts.recovery.percentile(0.95) }},
}

// rate is a ratio of counts, 0 of nothing.
func rate(a, b int64) number {
	if b == 0 {
		return fraction(0)
	}
	return fraction(quotient(a, b))
}

func (e *engine) perAttempt(n int64) number { return rate(n, e.counts.attempts) }

func (e *engine) completionRate() number {
	if len(e.tasks) == 0 {
		return fraction(1)
	}
	return rate(e.counts.completed, int64(len(e.tasks)))
}

func (e *engine) utilization() number {
	if e.counts.potential == 0 {
		return absent
	}
	return rate(e.counts.processed, e.counts.potential)
}

// jain is (sum r)^2 / (n * sum r^2) of the rates r: the work that a worker
// served, per unit of its capacity while it was online.
func (e *engine) jain() number {
	offline := make([]int64, len(e.workers))
	for _, o := range e.trace.Outages {
		if o.Start < e.tick {
			offline[o.Worker] += int64(min(o.End, e.tick) - o.Start)
		}
	}
	var sum, squares float64
	for i := range e.workers {
		s := &e.workers[i]
		if s.processed == 0 {
			continue
		}
		r := quotient(s.processed, s.capacity*(int64(e.tick)-offline[i]))
		sum += r
		squares += float64(r * r)
	}
	if squares == 0 {
		return absent
	}
	return fraction(float64(sum*sum) / float64(float64(len(e.workers))*squares))
}

func (e *engine) usedFraction() number {
	var used int64
	for i := range e.workers {
		if e.workers[i].processed > 0 {
			used++
		}
	}
	return rate(used, int64(len(e.workers)))
}
