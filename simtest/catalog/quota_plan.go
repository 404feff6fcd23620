package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// QuotaPlan has keys on plans of different size, each with a daily quota that
// is enforced as declared. It stands for a team that shares a free, a small and
// a large plan: who uses them in proportion has all of them all day.
func QuotaPlan() (experiment.Scenario, error) { return provider.New(quotaPlan()) }

func quotaPlan() provider.World {
	plan := func(id string, perDay int) provider.Endpoint {
		return provider.Endpoint{
			ID: id, Capacity: 6, Weight: 1, Median: 800 * time.Millisecond, Sigma: 0.4, ErrorRate: 0.005,
			Limits: []provider.Limit{{Kind: provider.FixedWindow, Amount: perDay, Window: 24 * time.Hour}},
			Quota:  map[string]float64{"tokens": float64(perDay)},
		}
	}
	return production(provider.World{
		Name:      "quota_plan",
		Summary:   "three plans with enforced daily quotas of 500, 1500 and 4000 requests",
		Mechanism: "Quotas are enforced as declared, so using the plans in proportion keeps all of them to the end, while everybody else uses up the small ones first and is left with one.",
		Endpoints: []provider.Endpoint{plan("free", 500), plan("small", 1500), plan("large", 4000)},
		Workload: provider.Workload{
			Jobs: 3000, StepsPerJob: 1, CallsPerStep: 2, Horizon: 10 * time.Minute, Arrivals: &provider.Arrivals{Rate: 4},
		},
		Contestants: []string{"immediate", "wait", "backoff", "sticky", "quota_aware"},
		Unsuited:    map[string]string{"failover": failoverIsWait, "least_busy": leastBusyIsWait},
	})
}
