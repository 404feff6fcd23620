package provider

import (
	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
)

// World is everything that a scenario of this package assumes.
type World struct {
	// Name and Summary are the scenario's.
	Name, Summary string
	// Mechanism says, in a sentence or two on one line, why the ranking comes
	// out as it does; "" if nobody knows yet.
	Mechanism string

	Endpoints []Endpoint
	Cycle     Cycle
	Workload  Workload

	// VendorCapacity is how many requests a vendor takes at once over all its
	// endpoints, by the vendor's name; more are refused for capacity. A vendor
	// that is not in it has no such limit.
	VendorCapacity map[string]int
	// Changes are what happens to the client's pools at run time, in order.
	Changes []Change

	// Retry decides whether a failed attempt is made again, and when.
	Retry acquire.Retry
	// RetryBudget is shared by all retries of the client; nil for none.
	RetryBudget *RetryBudget
	// Health and Order are what the client's pool makes of outcomes and of
	// waiting.
	Health pool.Health
	Order  pool.Order

	// FirstSeed is the first of the seeds that a sweep uses by default.
	FirstSeed uint64
	// Contestants are specs of package acquire; Unsuited those that this
	// world cannot tell apart from others, with the reason.
	Contestants []string
	Unsuited    map[string]string

	// Draws is how the rolls are made.
	Draws Draws
}

// RetryBudget limits the retries of all jobs together, see acquire.Budget:
// every step earns Ratio of a retry, and at most Burst are saved up.
type RetryBudget struct {
	Ratio float64
	Burst int
}

// Draws names a generator of the world's rolls.
type Draws string

const (
	// DefaultDraws are those of package draws.
	DefaultDraws Draws = ""
	// PythonDraws are the reference's: a Mersenne Twister per identity,
	// seeded by text, about a hundred times slower.
	PythonDraws Draws = "python"
)
