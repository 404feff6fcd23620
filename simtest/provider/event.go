package provider

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// EventKind says what happened.
type EventKind uint8

// The kinds of events, in the order of a call's life.
const (
	JobClaimed EventKind = iota
	LeaseGranted
	RequestSent // and decided: the outcome is known to the provider
	AttemptFailed
	RetryScheduled
	JobDone
	JobFailed
	JobDropped      // turned away on arrival: too many in progress
	CallAbandoned   // the client's patience ended before the answer came
	EndpointChanged // a change of the world was made
)

// String returns the name of the kind in lower case.
func (k EventKind) String() string {
	return [...]string{"job claimed", "lease granted", "request sent", "attempt failed", "retry scheduled", "job done", "job failed",
		"job dropped", "call abandoned", "endpoint changed"}[k]
}

// Event is one thing that happened in a run. Fields without meaning for its
// kind are zero.
type Event struct {
	At   time.Duration
	Kind EventKind
	// Worker is who did it (0 if nobody did), Job, Step (from 0) and Attempt (from 1) what for.
	Worker, Job, Step, Attempt int
	// Endpoint is the position in World.Endpoints, Ordinal the number of the
	// request there, from 1.
	Endpoint int
	Ordinal  uint64
	Outcome  Outcome
	// For is the latency of a request, how long a lease was waited for, how
	// long a retry will wait, how long a job took, how long an arrival waited to
	// be claimed, or how long an answer was waited for in vain.
	For time.Duration
	// Err is why an attempt failed.
	Err error
}

// fold adds the event to the digest of the run.
func (e *Event) fold(d *experiment.Digest) {
	d.Add(uint64(e.At))
	d.Add(uint64(e.Kind) | uint64(e.Outcome)<<8 | uint64(e.Endpoint)<<16 | uint64(e.Worker)<<32)
	if e.Kind == RequestSent || e.Kind == CallAbandoned {
		d.Add(e.Ordinal)
	} else {
		d.Add(uint64(e.Job) | uint64(e.Step)<<32 | uint64(e.Attempt)<<48)
	}
	d.Add(uint64(e.For))
}
