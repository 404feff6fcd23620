package catalog

import (
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// RetryStormBudget is RetryStorm with a budget of one retry for ten jobs: 1.1
// times 6 attempts a second cannot keep the service down.
func RetryStormBudget() (experiment.Scenario, error) { return provider.New(retryStormBudget()) }

func retryStormBudget() provider.World {
	w := retryStorm()
	w.Name = "retry_storm_budget"
	w.Summary = "the retry storm with a budget of one retry for ten jobs"
	w.Mechanism = "One retry for ten jobs keeps the load below the point where all answers come too late, so the service recovers from the spike by itself, however leases are acquired."
	w.RetryBudget = &provider.RetryBudget{Ratio: 0.1, Burst: 10}
	return w
}
