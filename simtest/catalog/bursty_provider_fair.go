package catalog

import (
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// BurstyProviderFair is the base scenario with the client that one would
// rather have: a refusal is no failure, its Retry-After is heeded, the dead are
// probed, and whoever waits longest is served first. How much of the base
// ranking is the pool's doing?
func BurstyProviderFair() (experiment.Scenario, error) { return provider.New(burstyProviderFair()) }

func burstyProviderFair() provider.World {
	w := burstyProvider()
	w.Name = "bursty_provider_fair"
	w.Summary = "the base world with the default health policy and a first come, first served pool"
	w.Health, w.Order = pool.DefaultHealth(), pool.FIFO
	w.Retry.Quantum = 0
	return w
}

// BurstyProviderOpen is the same world in an open loop: the jobs that the
// closed loop completes, but at their own times. A closed loop asks less of a
// slow provider and never sees the line that would form (coordinated
// omission, as Gil Tene calls it); here the line counts.
func BurstyProviderOpen() (experiment.Scenario, error) { return provider.New(burstyProviderOpen()) }

func burstyProviderOpen() provider.World {
	w := burstyProviderFair()
	w.Name = "bursty_provider_open"
	w.Summary = "the fair base world in an open loop: jobs arrive at their own times, and waiting counts from then"
	w.Workload.Arrivals = &provider.Arrivals{Rate: 2.2}
	w.Workload.Concurrency, w.Workload.Jobs = 0, 1500
	return w
}
