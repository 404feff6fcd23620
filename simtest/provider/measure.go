package provider

import (
	"fmt"
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// measure turns the tally into the metrics that are declared, and checks that
// the work adds up.
func (c *client) measure(makespan time.Duration) (values map[string]float64, requests int, err error) {
	t, l := &c.tally, &c.world.Workload
	var refused, failed, admitted int
	var busy time.Duration
	perEndpoint, load := make([]float64, len(c.service.endpoints)), make([]float64, len(c.service.endpoints))
	for i := range c.service.endpoints {
		e := &c.service.endpoints[i]
		requests += int(e.requests)
		admitted += e.admitted
		refused += e.refused
		failed += e.failed
		busy += e.busy
		perEndpoint[i], load[i] = float64(e.admitted), seconds(e.busy)
	}
	done := len(t.jobs)
	unstarted := l.Jobs - c.claimed - t.dropped
	enforced, byEndpoint := c.enforced.offered(makespan)

	latency := milliseconds(t.jobs, 0.50, 0.95, 0.99)
	wait := milliseconds(t.waits, 0.50, 0.99)
	served := milliseconds(t.served, 0.50)
	values = map[string]float64{
		"jobs_done":                     float64(done),
		"jobs_failed":                   float64(t.jobsFailed),
		"jobs_unstarted":                float64(unstarted),
		"makespan_s":                    seconds(makespan),
		"throughput_rps":                ratio(float64(done), seconds(makespan)),
		"requests":                      float64(requests),
		"attempts_per_completed_job":    ratio(float64(t.attempts), float64(done)),
		"attempt_inflation":             ratio(float64(t.attempts), float64(t.steps)),
		"failed_attempt_rate":           ratio(float64(t.failedAttempts), float64(t.attempts)),
		"retry_rate":                    ratio(float64(t.retries), float64(t.attempts)),
		"refusal_rate":                  ratio(float64(refused), float64(requests)),
		"error_rate":                    ratio(float64(failed), float64(requests)),
		"successful_job_latency_p50_ms": latency[0],
		"successful_job_latency_p95_ms": latency[1],
		"successful_job_latency_p99_ms": latency[2],
		"acquire_wait_p50_ms":           wait[0],
		"acquire_wait_p99_ms":           wait[1],
		"request_latency_p50_ms":        served[0],
		"utilization":                   ratio(seconds(busy), c.service.offered(makespan)),
		"endpoint_spread":               spread(perEndpoint),
		"leases_active_at_end":          float64(c.leased()),
		"goodput_rps":                   ratio(float64(t.inTime), seconds(l.Horizon)),
		"restricted_mean_completion_s":  ratio(t.exposure-t.spared, float64(t.arrivals)),
		"deadline_miss_rate":            c.missRate(),
		"utilization_enforced":          ratio(seconds(busy), enforced),
		"share_distance":                distance(load, byEndpoint),
	}
	return values, requests, c.laws(requests, admitted, refused, done, unstarted)
}

// samples are the sizes of the samples behind the percentiles.
func (t *tally) samples() map[string]int64 {
	return map[string]int64{
		"successful_job_latency_p50_ms": int64(len(t.jobs)),
		"successful_job_latency_p95_ms": int64(len(t.jobs)),
		"successful_job_latency_p99_ms": int64(len(t.jobs)),
		"acquire_wait_p50_ms":           int64(len(t.waits)),
		"acquire_wait_p99_ms":           int64(len(t.waits)),
		"request_latency_p50_ms":        int64(len(t.served)),
	}
}

// missRate is the part of the jobs that did not meet their deadline.
func (c *client) missRate() float64 {
	if c.world.Workload.Patience == 0 {
		return 0
	}
	return ratio(float64(c.tally.arrivals-len(c.tally.jobs)), float64(c.tally.arrivals))
}

// leased counts the leases that are out.
func (c *client) leased() (n int) {
	for _, p := range c.vendors {
		for _, s := range p.Snapshot() {
			n += s.Active
		}
	}
	return n
}

// laws says which of the laws that hold in every run does not: that would be
// an error of this package, and its numbers would be worth nothing.
func (c *client) laws(requests, admitted, refused, done, unstarted int) error {
	t, l := &c.tally, c.world.Workload
	for _, law := range []struct {
		what        string
		left, right int
	}{
		{"jobs done + failed + unstarted = jobs", done + t.jobsFailed + unstarted, l.Jobs},
		{"jobs done and failed = jobs claimed and dropped", done + t.jobsFailed, c.claimed + t.dropped},
		{"requests admitted + refused = requests", admitted + refused, requests},
		{"leases granted = requests", len(t.waits), requests},
		{"failed attempts = errors by class", t.failedAttempts, sum(t.classes[:])},
	} {
		if law.left != law.right {
			return fmt.Errorf("provider: world %q: the work does not add up: %s: %d is not %d; please report this", c.world.Name, law.what, law.left, law.right)
		}
	}
	return nil
}

func sum(counts []int64) int {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	return int(total)
}

// ratio is a rate; nothing out of nothing is none.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// milliseconds returns quantiles of durations, which it reorders, in
// milliseconds.
func milliseconds(values []time.Duration, qs ...float64) []float64 {
	quantiles := experiment.Quantiles(values, qs...)
	for i := range quantiles {
		quantiles[i] /= 1e6
	}
	return quantiles
}

// spread is the sample standard deviation relative to the mean.
func spread(counts []float64) float64 {
	g := experiment.AggregateOf(counts)
	return ratio(g.Stdev, g.Mean)
}

// distance is the total variation distance of two distributions that are given
// by weights: half the sum of the differences of their shares, from 0 to 1.
func distance(a, b []float64) float64 {
	sumA, sumB, d := 0.0, 0.0, 0.0
	for i := range a {
		sumA, sumB = sumA+a[i], sumB+b[i]
	}
	for i := range a {
		d += math.Abs(ratio(a[i], sumA) - ratio(b[i], sumB))
	}
	return d / 2
}
