package experiment

import "time"

// Run is the result of one contestant on one seed.
type Run struct {
	Contestant string
	Seed       uint64
	// Values holds the metrics by name. All are finite; a metric without a
	// value in this run (a percentile of nothing, say) is absent.
	Values map[string]float64
	// Iterations counts the units of work that a micro-benchmark would call
	// iterations (requests, routing attempts): benchstat's second column.
	Iterations int64
	// Counts are further tallies by group and key, for people: for example
	// "error_classes" -> "rate_limit" -> 12.
	Counts map[string]map[string]int64
	// Digest names everything that happened: equal digests, equal runs.
	Digest string
	// Stall is set if the run ended because nothing could go on any more.
	Stall *Stall
	// Wall is the real time that the run took. It is no result.
	Wall time.Duration
}

// Stall says when and in which state a run came to a standstill.
type Stall struct {
	// At is the simulated time since the start of the run.
	At time.Duration
	// Why is one sentence.
	Why string
	// Tasks names every parked task and what it waits for.
	Tasks []string
	// Resources names every resource with its state.
	Resources []string
}
