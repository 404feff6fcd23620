package pool

import "time"

// Query says which resources an acquisition can use, and which it likes best.
// The zero Query means any.
type Query struct {
	// ID restricts the query to one resource; "" is any. An acquisition by an
	// id that is not published fails with ErrRevoked.
	ID string
	// Filter restricts the query to resources for which it is true; nil is all.
	Filter Filter
	// Rank prefers resources with a higher score; nil is no preference.
	Rank func(View) Score
	// Holder is the name of who asks. Leases are listed under it in reports,
	// and a holder that waits for another lease while it holds one is reported
	// as a suspected deadlock. "" is anonymous.
	Holder string
}

// Filter is a predicate over resources. Like Query.Rank it must be a pure
// function of the View, fast, and must not call the pool: it is called with the
// pool locked, also from other tasks while its owner waits.
type Filter func(View) bool

// Score ranks a resource: higher is better, the first number decides before the
// second. Equality is exact. NaN is below everything.
type Score [2]float64

// View is a read-only look at a resource for filters and scores. It is valid
// only during the call.
type View struct{ r *resource }

// ID returns the id.
func (v View) ID() string { panic("todo") }

// Kind returns the kind.
func (v View) Kind() string { panic("todo") }

// Tag returns the value of a tag, "" if it is not set.
func (v View) Tag(key string) string { panic("todo") }

// Capacity returns the number of concurrent leases allowed.
func (v View) Capacity() int { panic("todo") }

// Active returns the number of leases out.
func (v View) Active() int { panic("todo") }

// Quota returns the declared quota of a unit, and whether there is one.
func (v View) Quota(unit string) (float64, bool) { panic("todo") }

// Used returns how much of a unit was reported as used since publication.
func (v View) Used(unit string) float64 { panic("todo") }

// Latency returns the exponential average of the reported latencies (0.7 old +
// 0.3 new), 0 before the first one.
func (v View) Latency() time.Duration { panic("todo") }
