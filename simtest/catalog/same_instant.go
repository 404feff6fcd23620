package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// SameInstant replays the first 400 requests of Mooncake's conversation trace,
// whose clock ticks every three seconds: up to 16 requests arrive at one
// millisecond (28 in the whole trace). It is no natural process; it is what
// happens behind a batching gateway or a cron job, and the hardest test of
// ties.
func SameInstant() (experiment.Scenario, error) {
	t, err := mooncakeTrace("mooncake_conversation_first400")
	if err != nil {
		return nil, err
	}
	endpoint := func(id string, capacity int) provider.Endpoint {
		return provider.Endpoint{ID: id, Capacity: capacity, Weight: 0.8, Median: time.Second, Sigma: 0.1, ErrorRate: 0.005}
	}
	return provider.New(production(provider.World{
		Name:      "same_instant",
		Summary:   "Mooncake's conversations arrive in batches every three seconds, up to 16 at one millisecond",
		Mechanism: "Up to 16 requests arrive at one millisecond: those who wait are sent again together as soon as there is room, those who sleep are spread out, and those who give up are not refused a second time.",
		Endpoints: []provider.Endpoint{endpoint("node-0", 20), endpoint("node-1", 20), endpoint("node-2", 10)},
		Workload: provider.Workload{
			Jobs: len(t.Arrivals), StepsPerJob: 1, CallsPerStep: 1, Horizon: 5 * time.Minute,
			Arrivals: &provider.Arrivals{Trace: t},
		},
		Contestants: []string{"immediate", "wait", "backoff"},
		Unsuited: map[string]string{
			"failover": failoverIsWait, "least_busy": leastBusyIsWait, "sticky": stickyIsWait, "quota_aware": quotaIsWait,
		},
	}))
}
