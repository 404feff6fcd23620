package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// OpenCode replays the busiest 600 requests of the Azure code completion trace
// of 2023: bursts of up to 63 requests a second, most of them short.
func OpenCode() (experiment.Scenario, error) {
	return openLLM("open_code", "code completion on Azure in 2023, its busiest 47 seconds: bursts of short requests",
		"azure_llm_2023_code_busiest600", 7)
}

// OpenChat replays the busiest 600 requests of the Azure conversation trace of
// 2023: nearly Poisson arrivals, of long requests.
func OpenChat() (experiment.Scenario, error) {
	return openLLM("open_chat", "conversations on Azure in 2023, their busiest 70 seconds: steady arrivals of long requests",
		"azure_llm_2023_conv_busiest600", 12)
}

// openLLM is three equal deployments of a model, with room for some 30 % more
// than the trace brings in the mean.
func openLLM(name, summary, trace string, capacity int) (experiment.Scenario, error) {
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
		Name: name, Summary: summary,
		Endpoints: []provider.Endpoint{endpoint("gpu-0"), endpoint("gpu-1"), endpoint("gpu-2")},
		Workload: provider.Workload{
			Jobs: len(t.Arrivals), StepsPerJob: 1, CallsPerStep: 1, Horizon: 2 * time.Minute,
			Arrivals: &provider.Arrivals{Trace: t},
		},
		Contestants: []string{"immediate", "wait", "backoff", "backoff(base=50ms,cap=400ms)"},
		Unsuited:    map[string]string{"failover": failoverIsWait, "least_busy": leastBusyIsWait, "sticky": stickyIsWait, "quota_aware": quotaIsWait},
	}))
}
