package provider

import (
	"fmt"
	"slices"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// tally is what a run counts while it goes on.
type tally struct {
	jobs           []time.Duration // of the successful jobs, claim to completion
	jobsFailed     int
	steps          int // attempted
	attempts       int
	failedAttempts int
	retries        int
	classes        [acquire.Canceled + 1]int64
	waits          []time.Duration // of every lease granted
	served         []time.Duration // latency of every request served
}

// grow makes room for a run in which little is tried twice.
func (t *tally) grow(l *Workload) {
	const most = 1 << 16
	calls := min(most, min(most, l.Jobs)*min(most, l.StepsPerJob)*min(most, l.CallsPerStep))
	t.jobs = make([]time.Duration, 0, min(most, l.Jobs))
	t.waits = make([]time.Duration, 0, calls)
	t.served = make([]time.Duration, 0, calls)
}

// measure turns the tally into the metrics that are declared, and checks that
// the work adds up.
func (c *client) measure(makespan time.Duration) (values map[string]float64, requests int, err error) {
	t, l := &c.tally, c.world.Workload
	var refused, failed, admitted int
	var busy time.Duration
	perEndpoint := make([]float64, len(c.service.endpoints))
	for i := range c.service.endpoints {
		e := &c.service.endpoints[i]
		requests += int(e.requests)
		admitted += e.admitted
		refused += e.refused
		failed += e.failed
		busy += e.busy
		perEndpoint[i] = float64(e.admitted)
	}
	done := len(t.jobs)
	unstarted := l.Jobs - c.nextJob
	active := 0
	for _, s := range c.pool.Snapshot() {
		active += s.Active
	}

	slices.Sort(t.jobs)
	slices.Sort(t.waits)
	slices.Sort(t.served)
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
		"successful_job_latency_p50_ms": percentile(t.jobs, 0.50),
		"successful_job_latency_p95_ms": percentile(t.jobs, 0.95),
		"successful_job_latency_p99_ms": percentile(t.jobs, 0.99),
		"acquire_wait_p50_ms":           percentile(t.waits, 0.50),
		"acquire_wait_p99_ms":           percentile(t.waits, 0.99),
		"request_latency_p50_ms":        percentile(t.served, 0.50),
		"utilization":                   ratio(seconds(busy), c.service.offered(makespan)),
		"endpoint_spread":               spread(perEndpoint),
		"leases_active_at_end":          float64(active),
	}
	return values, requests, c.laws(requests, admitted, refused, done, unstarted)
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

// percentile returns the q-quantile of sorted durations in milliseconds.
func percentile(sorted []time.Duration, q float64) float64 {
	return experiment.Percentile(sorted, q) / 1e6
}

// spread is the sample standard deviation relative to the mean.
func spread(counts []float64) float64 {
	g := experiment.AggregateOf(counts)
	return ratio(g.Stdev, g.Mean)
}
