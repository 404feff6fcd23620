package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// MultiVendorFailover is an outage of one vendor of two: from the second to the
// fifth minute the preferred one takes every request, and times out. It stands
// for every LLM gateway with a fallback model: who goes over to the other
// vendor, and who comes back.
func MultiVendorFailover() (experiment.Scenario, error) { return provider.New(multiVendorFailover()) }

func multiVendorFailover() provider.World {
	down := []provider.Outage{{From: 2 * time.Minute, Until: 5 * time.Minute, ErrorRate: 1, After: 5 * time.Second}}
	endpoint := func(vendor, id string, capacity int, median time.Duration) provider.Endpoint {
		return provider.Endpoint{
			Vendor: vendor, ID: id, Capacity: capacity, Weight: 1, Pinned: true,
			Median: median, Sigma: 0.4, TailRate: 0.01, TailFactor: 4, ErrorRate: 0.005,
		}
	}
	w := production(provider.World{
		Name:      "multi_vendor_failover",
		Summary:   "the preferred one of two vendors is down for three minutes and comes back",
		Mechanism: "Only failover has anywhere to go while the first vendor is down; it returns as soon as a probe of the first one succeeds, because it asks there first every time.",
		Endpoints: []provider.Endpoint{
			endpoint("primary", "primary-a", 8, 500*time.Millisecond),
			endpoint("primary", "primary-b", 8, 500*time.Millisecond),
			endpoint("secondary", "secondary-a", 12, 900*time.Millisecond),
		},
		Workload: provider.Workload{
			Jobs: 3200, StepsPerJob: 1, CallsPerStep: 2, Horizon: 10 * time.Minute,
			Arrivals: &provider.Arrivals{Rate: 5}, Patience: time.Minute,
		},
		Contestants: []string{"immediate", "wait", "backoff", "sticky", "failover(pools=primary|secondary)"},
		Unsuited:    map[string]string{"least_busy": leastBusyIsWait, "quota_aware": quotaIsWait},
	})
	w.Endpoints[0].Outages, w.Endpoints[1].Outages = down, down
	return w
}
