package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// CacheAffinity has endpoints that remember: a request about something that
// the endpoint has just worked on takes a quarter of the time. It stands for
// the prefix cache of language models: an agent's steps share a growing prompt,
// and only the server that has seen it profits.
func CacheAffinity() (experiment.Scenario, error) { return provider.New(cacheAffinity()) }

func cacheAffinity() provider.World {
	endpoint := func(id string) provider.Endpoint {
		return provider.Endpoint{
			ID: id, Capacity: 4, Weight: 1, Median: 1200 * time.Millisecond, Sigma: 0.4, ErrorRate: 0.005,
			Cache: &provider.Cache{Entries: 8, Factor: 0.25, Cost: 0.1},
			Quota: map[string]float64{"tokens": 20000},
		}
	}
	return production(provider.World{
		Name:      "cache_affinity",
		Summary:   "endpoints answer four times as fast about what they have just worked on",
		Mechanism: "Three of an attempt's four calls find what the first has left in the endpoint's cache, if they go there: sticky alone does, and needs less of the endpoints for the same work.",
		Endpoints: []provider.Endpoint{
			endpoint("gpu-0"), endpoint("gpu-1"), endpoint("gpu-2"), endpoint("gpu-3"), endpoint("gpu-4"), endpoint("gpu-5"),
		},
		Workload: provider.Workload{
			Jobs: 1600, StepsPerJob: 2, CallsPerStep: 4, Horizon: 10 * time.Minute,
			Arrivals: &provider.Arrivals{Rate: 2.4}, Keys: &provider.Keys{Number: 1000, Skew: 0.5},
		},
		Contestants: []string{"immediate", "wait", "backoff", "sticky", "quota_aware"},
		Unsuited:    map[string]string{"failover": failoverIsWait, "least_busy": leastBusyIsWait},
	})
}
