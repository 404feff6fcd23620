package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// ThunderingHerd is an outage of everything, after which all who have waited
// come back at one instant, to a provider that takes less at once than the
// client believes. It stands for every recovery that its own clients knock
// over again.
func ThunderingHerd() (experiment.Scenario, error) { return provider.New(thunderingHerd()) }

func thunderingHerd() provider.World {
	endpoint := func(id string) provider.Endpoint {
		return provider.Endpoint{
			ID: id, Capacity: 12, Weight: 0.5, Median: time.Second, Sigma: 0.3, ErrorRate: 0.002,
			Outages: []provider.Outage{{From: time.Minute, Until: 2 * time.Minute, ErrorRate: 1, After: 50 * time.Millisecond}},
		}
	}
	return production(provider.World{
		Name:      "thundering_herd",
		Summary:   "everything is down for a minute; then all who waited come back at once, to half the capacity they expect",
		Mechanism: "After the outage everybody who waits is served at one instant, to a provider that takes half of it and refuses the rest; who slept comes back one by one, and some long after there was room.",
		Endpoints: []provider.Endpoint{endpoint("east"), endpoint("west")},
		Workload: provider.Workload{
			Jobs: 2300, StepsPerJob: 1, CallsPerStep: 1, Horizon: 6 * time.Minute,
			Arrivals: &provider.Arrivals{Rate: 6},
		},
		Contestants: []string{"immediate", "wait", "backoff"},
		Unsuited: map[string]string{
			"failover": failoverIsWait, "least_busy": leastBusyIsWait, "sticky": stickyIsWait, "quota_aware": quotaIsWait,
		},
	})
}
