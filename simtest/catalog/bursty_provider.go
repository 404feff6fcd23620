package catalog

import (
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// BurstyProvider is the base scenario: three endpoints of one vendor that
// differ in speed, reliability and quota, under a daily cycle. It keeps every
// assumption of the reference, barging and a death that nobody probes
// included, so that the published numbers can be reproduced.
func BurstyProvider() (experiment.Scenario, error) { return provider.New(burstyProvider()) }

func burstyProvider() provider.World {
	bucket := func(perMinute, burst float64, retryAfter time.Duration, tightening float64) *provider.Bucket {
		return &provider.Bucket{
			PerWindow: perMinute, Window: time.Minute, Burst: burst, RetryAfter: retryAfter,
			Tightening: tightening, Floor: 0.25, Recovery: 1,
		}
	}
	retry := acquire.DefaultRetry()
	retry.Quantum = 100 * time.Microsecond
	return provider.World{
		Name:      "bursty_provider",
		Summary:   "one vendor, three endpoints, capacity that comes and goes: the base scenario, with the reference's assumptions",
		Mechanism: "All who wait keep the same three endpoints full and do the same work; the largest declared quota belongs to the slowest endpoint, so following it fills that one; and with nothing to lease, immediate burns through its jobs at one instant.",
		Endpoints: []provider.Endpoint{
			{
				ID: "fast-flaky", Capacity: 6, Weight: 1,
				Median: 250 * time.Millisecond, Sigma: 0.5, TailRate: 0.02, TailFactor: 5,
				ErrorRate: 0.03, Storm: provider.Storm{Rate: 0.08, ErrorRate: 0.6, Duration: 30 * time.Second},
				Bucket: bucket(1200, 2, time.Second, 0.5),
				Quota:  map[string]float64{"tokens": 1200},
			},
			{
				ID: "slow-steady", Capacity: 12, Weight: 1.2,
				Median: 1200 * time.Millisecond, Sigma: 0.3, TailRate: 0.01, TailFactor: 4,
				ErrorRate: 0.004, Storm: provider.Storm{Rate: 0.02, ErrorRate: 0.5, Duration: 30 * time.Second},
				Bucket: bucket(2400, 1.5, time.Second, 0.5),
				Quota:  map[string]float64{"tokens": 2400},
			},
			{
				ID: "metered", Capacity: 4, Weight: 1,
				Median: 500 * time.Millisecond, Sigma: 0.6, TailRate: 0.03, TailFactor: 6,
				ErrorRate: 0.01, Storm: provider.Storm{Rate: 0.05, ErrorRate: 0.5, Duration: 30 * time.Second},
				Bucket: bucket(180, 1.4, 1500*time.Millisecond, 0.35),
				Quota:  map[string]float64{"tokens": 180},
			},
		},
		Cycle:     provider.Cycle{Period: 2 * time.Minute, Trough: 0.35, Peak: 1},
		Workload:  provider.Workload{Jobs: 3000, StepsPerJob: 3, CallsPerStep: 2, Concurrency: 12, Horizon: 10 * time.Minute},
		Retry:     retry,
		Health:    pool.ReferenceHealth(),
		Order:     pool.Barging,
		FirstSeed: 20260917,
		Contestants: []string{
			"immediate", "wait", "backoff", "sticky", "quota_aware",
		},
		Unsuited: map[string]string{
			"failover":   "there is one pool, so there is nowhere to fail over to: it is wait here",
			"least_busy": "the pool itself chooses the least busy endpoint for every algorithm: it is wait here",
		},
	}
}
