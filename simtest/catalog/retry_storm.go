package catalog

import (
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// RetryStorm is a service that slows down with load, under clients that give
// up after 2.8 s and try three times. A spike of five seconds pushes it over,
// and the retries keep it there: what it works on is what nobody waits for any
// more. It stands for the metastable failures of Bronson et al., HotOS 2021:
// the trigger is gone, the outage stays. With k attempts a job, at a rate of
// lambda, the load c = k*lambda*(1 + 0.05*c) keeps every answer later than 2.8 s
// if c > 36, that is above 12.9 attempts a second: three times 6, but not once.
func RetryStorm() (experiment.Scenario, error) { return provider.New(retryStorm()) }

func retryStorm() provider.World {
	w := production(provider.World{
		Name:      "retry_storm",
		Summary:   "a spike of five seconds, retries, and a service that slows down with load: who recovers?",
		Mechanism: "What the service works on is what nobody waits for any more: there is always a free lease, so no way to acquire one can help; only fewer attempts would.",
		Endpoints: []provider.Endpoint{{
			ID: "service", Capacity: 5000, Weight: 1, Law: provider.Deterministic, Median: time.Second, Slowdown: 0.05,
		}},
		Workload: provider.Workload{
			Jobs: 1000, StepsPerJob: 1, CallsPerStep: 1, Horizon: 90 * time.Second, CallTimeout: 2800 * time.Millisecond,
			Arrivals: &provider.Arrivals{Profile: []provider.RatePoint{
				{At: 20 * time.Second, Rate: 6}, {At: 20 * time.Second, Rate: 60}, {At: 25 * time.Second, Rate: 60}, {At: 25 * time.Second, Rate: 6},
			}},
		},
		Contestants: []string{"immediate", "wait", "backoff"},
		Unsuited: map[string]string{
			"failover": failoverIsWait, "least_busy": leastBusyIsWait, "sticky": stickyIsWait, "quota_aware": quotaIsWait,
		},
	})
	w.Retry = acquire.Retry{MaxAttempts: 3, Backoff: acquire.Backoff{Base: 100 * time.Millisecond, Factor: 2, Cap: time.Second}}
	// The client's pool trusts the service, whatever happens: it would
	// otherwise end the storm by itself.
	w.Health.DegradeAfter, w.Health.DeadAfter, w.Health.Probe = 0, 0, false
	return w
}
