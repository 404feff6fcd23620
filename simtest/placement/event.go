package placement

// EventKind says what happened.
type EventKind uint8

// The kinds of events. The first four are the outcomes of a routing attempt.
const (
	// Assigned: the task joined the worker's queue.
	Assigned EventKind = iota
	// NoCandidate: the policy chose nobody, since it saw nobody online or
	// nobody has the capability.
	NoCandidate
	// Unreachable: the chosen worker is offline, which the policy could not
	// see yet.
	Unreachable
	// Mismatch: the chosen worker lacks the capability.
	Mismatch
	// Evicted: an outage threw the task out of the worker's queue.
	Evicted
	// Completed: the worker finished the task in this tick.
	Completed
	// TickEnded closes Ticks ticks, all alike.
	TickEnded
)

// Event is one thing that happened in a run.
type Event struct {
	Tick int
	Kind EventKind
	// Task and Worker are indices into the trace, -1 for none.
	Task, Worker int
	// Probes that a routing attempt took.
	Probes int
	// Lost is the work of an evicted task that has to be done again.
	Lost int
	// Ticks that ended, with the longest queue (the task in service
	// included) and the number of pending tasks at their end.
	Ticks, Queue, Pending int
}

// log adds an event to the digest of the run: the kind and two numbers, which
// maxIndex keeps below 2^30. The tick follows from the number of TickEnded
// events before it. Whoever observes the run gets the event from the caller,
// so that nobody pays for an Event that nobody sees.
func (e *engine) log(kind EventKind, a, b int32) {
	e.digest.Add(uint64(kind) | uint64(a)<<3 | uint64(uint32(b))<<33)
}
