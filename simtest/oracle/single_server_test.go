package oracle_test

import (
	"math"
)

// O1. One server, Poisson arrivals, exponential service: the time in system is
// exponential with the mean 1/(1-rho) (A. K. Erlang 1909; L. Kleinrock,
// Queueing Systems 1, 1975, ch. 3), so its 99th percentile is ln(100)/(1-rho).
//
// Any mistake in the arrival process, the exponential law, the pool's queue,
// the order of events at one instant, or the metrics of latency shows here. The
// classical one is coordinated omission: to measure from the sending, and so to
// leave out the time in which the job was not even looked at.
func singleServer(g *group) {
	for _, c := range []struct {
		load, mean float64
		jobs       int
	}{{0.5, 2, 10_000}, {0.8, 5, 40_000}, {0.9, 10, 40_000}} {
		g.tabulated("mean", 1/(1-c.load), c.mean, 1e-9)
		runs := simulate(g, queue(1, c.load, size(c.jobs)), "wait", 20)
		what := "load " + number(c.load) + ": "
		g.expect(what+"mean time in system", c.mean, estimateOf(runs, response), 0.03)
		if c.load < 0.9 || *long { // too noisy otherwise
			g.expect(what+"99th percentile", math.Log(100)*c.mean, estimateOf(runs, metric("successful_job_latency_p99_ms", 1000)), 0.03)
		}
		g.expect(what+"utilization", c.load, estimateOf(runs, metric("utilization", 1)), 0.01)
		if c.load == 0.8 {
			g.reject(what+"measured from the sending", c.mean, estimateOf(runs, func(s sample) float64 {
				return response(s) - waiting(1)(s)
			}), 0.03)
		}
	}
	lineAndPool(g)
}

// Where the jobs wait makes no difference: in the pool's queue, or in the open
// loop's line before it, if only one may be in progress. The draws are the same,
// so the runs are, to the nanosecond.
func lineAndPool(g *group) {
	pool := queue(1, 0.8, 5_000)
	line := pool
	line.Workload.Concurrency = 1
	a, b := simulate(g, pool, "wait", 1)[0].Values, simulate(g, line, "wait", 1)[0].Values
	for _, m := range []string{"successful_job_latency_p50_ms", "successful_job_latency_p99_ms", "restricted_mean_completion_s", "makespan_s"} {
		g.holds("line before the pool: "+m, number(a[m]), number(b[m]), a[m] == b[m])
	}
	if b["acquire_wait_p99_ms"] != 0 {
		g.Errorf("with one job in progress, leases are waited for: %v ms", b["acquire_wait_p99_ms"])
	}
}
