package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// Calm is the control: three equal endpoints with room to spare, and work that
// would fit into one of them. Whatever an algorithm does, it gets a free
// endpoint at once. A ranking that separates anybody here is wrong.
func Calm() (experiment.Scenario, error) { return provider.New(calm()) }

func calm() provider.World {
	endpoint := func(id string) provider.Endpoint {
		return provider.Endpoint{
			ID: id, Capacity: 12, Weight: 1, Median: 400 * time.Millisecond, Sigma: 0.4, ErrorRate: 0.01,
			Quota: map[string]float64{"tokens": 1e6},
		}
	}
	return production(provider.World{
		Name:      "calm",
		Summary:   "a control: three equal endpoints with room to spare, where nothing should separate",
		Mechanism: "Everybody finds a free endpoint at once, so there is nothing to be better at: whoever is separated here is separated by mistake.",
		Endpoints: []provider.Endpoint{endpoint("one"), endpoint("two"), endpoint("three")},
		Workload: provider.Workload{
			Jobs: 2500, StepsPerJob: 1, CallsPerStep: 2, Horizon: 10 * time.Minute, Arrivals: &provider.Arrivals{Rate: 4},
		},
		Contestants: []string{"immediate", "wait", "backoff", "sticky", "quota_aware"},
		Unsuited:    map[string]string{"failover": failoverIsWait, "least_busy": leastBusyIsWait},
	})
}
