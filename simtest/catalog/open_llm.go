package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// openLLM is three equal deployments of a model, with room for some 30 % more
// than the trace brings in the mean.
func openLLM(name, summary, mechanism, trace string, capacity int) (experiment.Scenario, error) {
	t, err := azureTrace(trace)
	if err != nil {
		return nil, err
	}
	endpoint := func(id string) provider.Endpoint {
		return provider.Endpoint{
			ID: id, Capacity: capacity, Weight: 1, Median: time.Second, Sigma: 0.15, ErrorRate: 0.005,
		}
	}
	return provider.New(production(provider.World{
		Name: name, Summary: summary, Mechanism: mechanism,
		Endpoints: []provider.Endpoint{endpoint("gpu-0"), endpoint("gpu-1"), endpoint("gpu-2")},
		Workload: provider.Workload{
			Jobs: len(t.Arrivals), StepsPerJob: 1, CallsPerStep: 1, Horizon: 2 * time.Minute,
			Arrivals: &provider.Arrivals{Trace: t},
		},
		Contestants: []string{"immediate", "wait", "backoff", "backoff(base=50ms,cap=400ms)"},
		Unsuited:    map[string]string{"failover": failoverIsWait, "least_busy": leastBusyIsWait, "sticky": stickyIsWait, "quota_aware": quotaIsWait},
	}))
}
