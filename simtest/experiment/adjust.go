package experiment

import "time"

// Adjustment makes another world of the same shape. Zero fields leave things
// as they are.
type Adjustment struct {
	// Jobs and Concurrency are the amount of work and of workers.
	Jobs, Concurrency int
	// Horizon is the simulated time after which nothing new is begun.
	Horizon time.Duration
	// Draws names the generator of the world's randomness: "python" for the
	// reference's.
	Draws string
}

// Adjustable is implemented by scenarios that can be made in another size.
type Adjustable interface {
	// Adjust returns the adjusted scenario, or an error that names the field
	// that it does not have or that has an impossible value.
	Adjust(Adjustment) (Scenario, error)
}

// Entrant is implemented by scenarios that can say, before anything is run,
// whether they can run a contestant that they do not list.
type Entrant interface {
	// CheckContestant returns nil, or an error that lists the choices.
	CheckContestant(name string) error
}

// Seeded is implemented by scenarios that have a first seed of their own.
type Seeded interface {
	FirstSeed() uint64
}
