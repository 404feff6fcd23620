package experiment

// Direction says which way a metric gets better.
type Direction int8

// The directions. A neutral metric is shown and crowns nobody.
const (
	Neutral Direction = iota
	Higher
	Lower
)

// Metric declares one number of a run, once, for every reader of it: the
// ranking, the tables, the JSON and the benchstat text.
type Metric struct {
	// Name is the key in Run.Values and in JSON: [a-z0-9_]+.
	Name string
	// Unit is the unit of the value, for people ("ms", "ratio", "jobs").
	Unit string
	// Bench is the unit in benchstat text, unique in a scenario: durations
	// end in "-ns", ratios in "-%"; no spaces.
	Bench string
	// BenchScale turns the value into Bench's unit (1e6 for ms to ns, 100 for
	// a ratio to percent). 0 means 1.
	BenchScale float64
	// Better is the direction.
	Better Direction
	// Gated rows compare only contestants that pass the completion gate.
	Gated bool
	// Completion marks the one metric that the completion gate looks at.
	Completion bool
	// Headline rows are those that short tables show.
	Headline bool
	// Volatile values may differ between two runs of the same thing (wall
	// time): they are in no digest, no baseline and no comparison.
	Volatile bool
	// Meaning says in one sentence what the number is.
	Meaning string
}
