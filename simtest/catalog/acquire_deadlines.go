package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// AcquireDeadlines is more work than there is room for, and each job has three
// seconds. Who queues serves jobs that are as good as late; who turns away what
// cannot be served now completes the rest in time. It stands for every
// overloaded service with timeouts in front of a fair queue (load shedding, as
// in the SRE book's chapter on overload).
func AcquireDeadlines() (experiment.Scenario, error) { return provider.New(acquireDeadlines()) }

func acquireDeadlines() provider.World {
	return production(provider.World{
		Name:      "acquire_deadlines",
		Summary:   "a third more work than fits, with three seconds for each job: is waiting worth it?",
		Mechanism: "More work than fits, with three seconds a job: a queue serves those who are as good as late, turning away what cannot be served now leaves time for the rest, and a wait with a short limit does both.",
		Endpoints: []provider.Endpoint{
			{ID: "left", Capacity: 10, Weight: 1, Median: time.Second, Sigma: 0.3},
			{ID: "right", Capacity: 10, Weight: 1, Median: time.Second, Sigma: 0.3},
		},
		Workload: provider.Workload{
			Jobs: 3300, StepsPerJob: 1, CallsPerStep: 1, Horizon: 2 * time.Minute,
			Arrivals: &provider.Arrivals{Rate: 25}, Patience: 3 * time.Second,
		},
		Contestants: []string{"immediate", "wait", "wait(timeout=500ms)", "backoff", "backoff(max_wait=500ms)"},
		Unsuited: map[string]string{
			"failover": failoverIsWait, "least_busy": leastBusyIsWait, "sticky": stickyIsWait, "quota_aware": quotaIsWait,
		},
	})
}
