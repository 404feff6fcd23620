package placement

import "math/big"

// Trace is the exogenous part of a run: who offers capacity, what arrives
// when, and who fails when. It is made before any policy runs, and no policy
// changes it. The order inside the slices is significant: it decides who is
// routed first, and the digest.
type Trace struct {
	// Seed is the one that the trace was generated from: any integer, also
	// negative or larger than 64 bits. It is a label here.
	Seed *big.Int
	// Ticks is the length of the arrival phase, at least 1.
	Ticks   int
	Workers []Worker
	Tasks   []Task
	Outages []Outage
}

// Worker serves Capacity units of work per tick, first come first served.
type Worker struct {
	ID       string
	Capacity int
	// Capabilities that it offers, at least one. One that is listed twice is
	// sampled twice as often; files with such lists are refused by Parse.
	Capabilities []string
	Zone         string
}

// Task needs Work units of work, at least 1, from one worker with Capability.
type Task struct {
	ID         string
	Arrival    int // tick, from 0 to Ticks-1
	Work       int
	Capability string
	Zone       string // where it would like to be; no policy looks at it
}

// Outage takes a worker offline for Start <= tick < End. The outages of one
// worker may touch, but not overlap. They may reach beyond Ticks.
type Outage struct {
	Worker     int // index into Workers
	Start, End int
}
