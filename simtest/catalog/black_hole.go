package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// BlackHole has one endpoint of three that fails two requests of three, and at
// once, so that it always looks like the least busy one, and a client that does
// not count failures. It stands for the backend that answers errors faster
// than others answer, and pulls in all the traffic (known from every load
// balancer that counts requests in flight and not outcomes).
func BlackHole() (experiment.Scenario, error) { return provider.New(blackHole()) }

func blackHole() provider.World {
	endpoint := func(id string) provider.Endpoint {
		return provider.Endpoint{
			ID: id, Capacity: 8, Weight: 1, Median: 800 * time.Millisecond, Sigma: 0.3, ErrorRate: 0.005,
			Quota: map[string]float64{"tokens": 3000},
		}
	}
	w := production(provider.World{
		Name:      "black_hole",
		Summary:   "an endpoint that fails two of three requests at once looks least busy, and nobody counts failures",
		Mechanism: "What fails at once is always free, so least-busy selection sends most of the traffic there; only an attempt that stays where it had a success gets away, and remaining quota is the worst guide, since failures use none up.",
		Endpoints: []provider.Endpoint{endpoint("good-a"), endpoint("good-b"), endpoint("hole")},
		Workload: provider.Workload{
			Jobs: 3000, StepsPerJob: 2, CallsPerStep: 3, Horizon: 10 * time.Minute,
			Arrivals: &provider.Arrivals{Rate: 2},
		},
		Contestants: []string{"immediate", "wait", "backoff", "sticky", "quota_aware"},
		Unsuited:    map[string]string{"failover": failoverIsWait, "least_busy": leastBusyIsWait},
	})
	w.Endpoints[2].Outages = []provider.Outage{{Until: time.Hour, ErrorRate: 2.0 / 3, After: 20 * time.Millisecond}}
	w.Health.DegradeAfter, w.Health.DeadAfter, w.Health.Probe = 0, 0, false
	return w
}
