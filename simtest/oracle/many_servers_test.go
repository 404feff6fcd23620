package oracle_test

import (
	"fmt"
	"math"
)

// O2. The algorithm wait on one resource of capacity c is M/M/c: a job has to
// wait with Erlang's probability C (A. K. Erlang 1917), and whoever waits does
// so for an exponential time with the mean 1/(c - a), a the offered load. Hence
// the mean wait C/(c-a), and the 99th percentile of all waits ln(100 C)/(c-a).
//
// This holds the pool to capacities above one, and to waking exactly one waiter
// per release. It also holds the metrics: the mean wait is worked out from the
// response, the utilization and the makespan, and must be that of the leases. A
// warm-up in which the queued jobs count but the others do not is the wrong
// variant: it looks harmless, and adds several percent.
func manyServers(g *group) {
	const replications = 20
	for _, c := range []struct {
		servers      int
		load         float64
		delay, wait  float64
		jobs         int
		onlyWhenLong bool
	}{
		{4, 0.8, 0.596432, 0.745541, 20_000, false},
		{12, 0.9, 0.640043, 0.533369, 40_000, false},
		{12, 0.95, math.NaN(), 1.348375, 100_000, true},
	} {
		if c.onlyWhenLong && !*long {
			continue
		}
		offered := c.load * float64(c.servers)
		free := float64(c.servers) - offered
		delay := erlangC(c.servers, offered)
		if !math.IsNaN(c.delay) {
			g.tabulated("Erlang C", delay, c.delay, 1e-6)
		}
		g.tabulated("mean wait", delay/free, c.wait, 1e-6)

		runs := simulate(g, queue(c.servers, offered, size(c.jobs)), "wait", replications)
		what := fmt.Sprintf("c=%d, load %v: ", c.servers, c.load)
		g.expect(what+"part that waits", delay, estimateOf(runs, delayed), 0.05)
		g.expect(what+"mean wait", c.wait, estimateOf(runs, waiting(c.servers)), 0.05)
		g.expect(what+"99th percentile of waits", math.Log(100*delay)/free, estimateOf(runs, metric("acquire_wait_p99_ms", 1000)), 0.05)
		for _, r := range runs {
			if metrics, leases := waiting(c.servers)(r), moment(1)(r); math.Abs(metrics-leases) > 1e-6 {
				g.Errorf("%sseed %d: the mean wait is %v by the metrics and %v by the leases", what, r.Seed, metrics, leases)
			}
		}
		g.expect(what+"mean wait after a warm-up", c.wait, estimateOf(runs, afterWarmUp(false)), 0.05)
		g.reject(what+"warm-up that counts those who waited", c.wait, estimateOf(runs, afterWarmUp(true)), 0.05)
	}
	sameAsWait(g)
}

// With one resource there is nothing to choose: an algorithm that is a
// preference before wait is wait, to the last event.
func sameAsWait(g *group) {
	w := queue(4, 3.2, 2_000)
	wait := simulate(g, w, "wait", 1)[0]
	for _, name := range []string{"least_busy", "sticky", "quota_aware", "failover", "wait(timeout=1000h)"} {
		digest := simulate(g, w, name, 1)[0].Digest
		g.holds("one resource, "+name+": is wait", wait.Digest[:8], digest[:8], digest == wait.Digest)
	}
	if backoff := simulate(g, w, "backoff", 1)[0]; backoff.Digest != wait.Digest {
		g.notices("one resource, backoff is wait", fmt.Errorf("digest %s", backoff.Digest[:8]))
	} else {
		g.notices("one resource, backoff is wait", nil)
	}
}

// afterWarmUp is the mean wait without the first half of the jobs: all of
// them, or only those that did not wait.
func afterWarmUp(queuedCount bool) func(sample) float64 {
	return func(s sample) float64 {
		sum, n := 0.0, 0
		for i, w := range s.waits {
			if i < len(s.waits)/2 && !(queuedCount && w > 0) {
				continue
			}
			sum += w.Seconds()
			n++
		}
		return sum / float64(n)
	}
}

// erlangB is the part of the jobs that a system without a queue turns away, by
// the recursion B(0) = 1, B(c) = a B(c-1)/(c + a B(c-1)).
func erlangB(servers int, offered float64) float64 {
	b := 1.0
	for c := 1; c <= servers; c++ {
		b = offered * b / (float64(c) + offered*b)
	}
	return b
}

// erlangC is the part of the jobs that must wait in a system with a queue.
func erlangC(servers int, offered float64) float64 {
	b, c := erlangB(servers, offered), float64(servers)
	return c * b / (c - offered*(1-b))
}
