package experiment

import "context"

// Scenario is one world with everything that is assumed about it: who takes
// part, what is measured, and how one run is made. It is immutable: every
// method returns the same for the life of the value, and Run may be called
// from many goroutines at once.
//
// Anything that implements it gets sweeps, rankings, reports and the gate.
type Scenario interface {
	// Name is unique in a catalogue: [a-z0-9_]+.
	Name() string
	// Summary says in one line what the world is and why it exists.
	Summary() string
	// Contestants lists those that the scenario is suited to, in the order in
	// which every output shows them.
	Contestants() []string
	// Unsuited names contestants that this world cannot exercise, with the
	// reason. They run only if asked for by name, and are never compared.
	Unsuited() map[string]string
	// Metrics describes every key that Run emits, exactly, in report order.
	Metrics() []Metric
	// Fingerprint is a digest of all assumptions.
	Fingerprint() string
	// Run makes one run. A run that stalls is a result (Run.Stall), not an
	// error. An error means that there is no result: bad input, a panic, the
	// budget is spent, a law that does not hold.
	Run(ctx context.Context, contestant string, seed uint64) (Run, error)
}

// Referencer is implemented by scenarios with reference contestants (an
// oracle with information that no real one has): they are shown in every
// table, but never crowned and never the baseline of the completion gate.
type Referencer interface {
	// References maps such a contestant to what makes it one.
	References() map[string]string
}

// Explained is implemented by scenarios that say why their ranking comes out
// as it does.
type Explained interface {
	// Mechanism is a sentence or two, in one line.
	Mechanism() string
}
