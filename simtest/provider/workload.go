package provider

import "time"

// Workload is the client's side: jobs, and how they come.
//
// Without Arrivals it is a closed loop: Concurrency workers take jobs in
// order, each as soon as it has finished the one before, so that a slow
// provider is asked less. With Arrivals it is an open loop: jobs come whatever
// becomes of those before them, and the times of a job count from its arrival.
// No job is claimed, or arrives, at or after Horizon, and none is cut short by
// it.
//
// A job is StepsPerJob steps in sequence; an attempt at a step makes
// CallsPerStep calls, one after the other, and an error in any of them ends
// the attempt.
type Workload struct {
	// Jobs is how many there are at most, >= 1.
	Jobs         int
	StepsPerJob  int
	CallsPerStep int
	// Concurrency is the number of workers of a closed loop, >= 1, and the
	// most jobs that are in progress at once in an open one, where 0 means any
	// number.
	Concurrency int
	Horizon     time.Duration

	// Think is the mean of the exponential pause that a worker of a closed
	// loop makes after each job; 0 for none.
	Think time.Duration
	// Arrivals makes the loop an open one.
	Arrivals *Arrivals
	// Patience is how long after its beginning, or its arrival in an open
	// loop, a job must be done; 0 means at any time. Then it is given up,
	// whatever it is doing, and no retry is begun that could not start before.
	Patience time.Duration
	// CallTimeout is how long the client waits for the answer to a request; 0
	// means as long as it takes. The provider goes on with an abandoned
	// request: it does not learn that nobody waits any more.
	CallTimeout time.Duration
	// Keys gives every job an affinity key, see Cache; nil for none.
	Keys *Keys
}

// Keys are what jobs are about: a document, a conversation, a system prompt.
// A job's key is the k-th of Number with a probability proportional to
// k^-Skew (Zipf's law; 0 makes all keys equally likely).
type Keys struct {
	Number int
	Skew   float64
}

// job is one piece of work.
type job struct {
	number int
	origin time.Duration // when it arrived, or was claimed in a closed loop
	size   float64       // of its calls, 0 stands for 1
	key    int           // from 1, 0 is none
}
