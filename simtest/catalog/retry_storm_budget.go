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
	w.RetryBudget = &provider.RetryBudget{Ratio: 0.1, Burst: 10}
	return w
}
