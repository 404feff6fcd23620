package provider

import (
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
)

// World is everything that a scenario of this package assumes.
type World struct {
	// Name and Summary are the scenario's.
	Name, Summary string

	Endpoints []Endpoint
	Cycle     Cycle
	Workload  Workload

	// Retry decides whether a failed attempt is made again, and when.
	Retry acquire.Retry
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

// Workload is the client's side: a closed loop in which Concurrency workers
// take jobs in order. No job is claimed at or after Horizon, and none is cut
// short. A job is StepsPerJob steps in sequence; an attempt at a step makes
// CallsPerStep calls, one after the other, and an error in any of them ends
// the attempt.
type Workload struct {
	Jobs         int
	StepsPerJob  int
	CallsPerStep int
	Concurrency  int
	Horizon      time.Duration
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
