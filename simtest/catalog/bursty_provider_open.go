package catalog

import (
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// BurstyProviderOpen is BurstyProviderFair in an open loop: about the jobs that
// the closed loop completes, but at their own times. A closed loop asks less of
// a slow provider and never sees the line that would form (coordinated
// omission, as Gil Tene calls it); here the line counts.
func BurstyProviderOpen() (experiment.Scenario, error) { return provider.New(burstyProviderOpen()) }

func burstyProviderOpen() provider.World {
	w := burstyProviderFair()
	w.Name = "bursty_provider_open"
	w.Summary = "the fair base world in an open loop: jobs arrive at their own times, and waiting counts from then"
	w.Mechanism = "The next job comes at its own time, so failing at once costs one job and not the whole line, and the line that forms counts: sleeping through free places makes the longest tail."
	w.Workload.Arrivals = &provider.Arrivals{Rate: 2.2}
	w.Workload.Concurrency, w.Workload.Jobs = 0, 1500
	return w
}
