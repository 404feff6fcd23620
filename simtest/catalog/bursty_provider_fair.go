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
	w.Mechanism = "With a pool that heeds Retry-After and probes the dead, a call that follows a success meets an endpoint that has just shown that it works (sticky does most), and who sleeps instead of queueing is refused least (backoff)."
	w.Health, w.Order = pool.DefaultHealth(), pool.FIFO
	w.Retry.Quantum = 0
	return w
}
