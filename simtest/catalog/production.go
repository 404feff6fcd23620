package catalog

import (
	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/provider"
)

// production completes a world with what a client in production would assume:
// the default health policy, a first come, first served pool, and the default
// retries.
func production(w provider.World) provider.World {
	w.Retry, w.Health, w.Order = acquire.DefaultRetry(), pool.DefaultHealth(), pool.FIFO
	w.Cycle = provider.Cycle{Peak: 1}
	w.FirstSeed = 20260917
	return w
}

// Why an algorithm is unsuited, where more than one world says so.
const (
	leastBusyIsWait = "the pool itself chooses the least busy endpoint for every algorithm: it is wait"
	failoverIsWait  = "there is one pool, so there is nowhere to fail over to: it is wait here"
	stickyIsWait    = "an attempt makes one call, so there is nothing to come back to: it is wait here"
	quotaIsWait     = "no endpoint declares a quota, so there is nothing to prefer one by: it is wait here"
)
