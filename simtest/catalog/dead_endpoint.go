package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// DeadEndpoint loses one of three equal endpoints in the second minute and gets
// it back in the eighth; requests to it hang for ten seconds. It stands for a
// zone or a key that goes silent: what does it cost until the pool has
// understood, and who keeps trying?
func DeadEndpoint() (experiment.Scenario, error) { return provider.New(deadEndpoint()) }

func deadEndpoint() provider.World {
	endpoint := func(id string) provider.Endpoint {
		return provider.Endpoint{
			ID: id, Capacity: 6, Weight: 1, Median: 600 * time.Millisecond, Sigma: 0.4, ErrorRate: 0.005,
			Quota: map[string]float64{"tokens": 5000},
		}
	}
	w := production(provider.World{
		Name:      "dead_endpoint",
		Summary:   "one of three endpoints hangs for six minutes and comes back",
		Mechanism: "The pool learns of the dead endpoint from a few failures and then only probes it, so all who wait lose little; while leases hang there, immediate finds nothing and fails its jobs.",
		Endpoints: []provider.Endpoint{endpoint("north"), endpoint("south"), endpoint("west")},
		Workload:  provider.Workload{Jobs: 3000, StepsPerJob: 2, CallsPerStep: 2, Concurrency: 14, Horizon: 10 * time.Minute},
		Contestants: []string{
			"immediate", "wait", "backoff", "sticky", "quota_aware",
		},
		Unsuited: map[string]string{"failover": failoverIsWait, "least_busy": leastBusyIsWait},
	})
	w.Endpoints[2].Outages = []provider.Outage{{From: time.Minute, Until: 7 * time.Minute, ErrorRate: 1, After: 10 * time.Second}}
	return w
}
