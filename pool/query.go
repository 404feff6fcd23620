package pool

import (
	"cmp"
	"time"
)

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

// admits reports whether q can use r, free or not.
func (q *Query) admits(r *resource) bool {
	return (q.ID == "" || q.ID == r.id) && (q.Filter == nil || q.Filter(View{r}))
}

// Filter is a predicate over resources. Like Query.Rank it must be a pure
// function of the View, fast, and must not call the pool: it is called with the
// pool locked, also by other tasks while its owner waits. With Barging, who
// waits asks its filter again when a resource is released or changes its state;
// with FIFO also when it is leased or reported on.
type Filter func(View) bool

// Score ranks a resource: higher is better, the first number decides before the
// second. Equality is exact. NaN is below everything.
type Score [2]float64

// compare returns -1, 0 or +1 as s is worse than, equal to or better than t.
func (s Score) compare(t Score) int {
	if c := cmp.Compare(s[0], t[0]); c != 0 {
		return c
	}
	return cmp.Compare(s[1], t[1])
}

// View is a read-only look at a resource for filters and scores. It is valid
// only during the call.
type View struct{ r *resource }

// ID returns the id.
func (v View) ID() string { return v.r.id }

// Kind returns the kind.
func (v View) Kind() string { return v.r.kind }

// Tag returns the value of a tag, "" if it is not set.
func (v View) Tag(key string) string { return v.r.tags[key] }

// Capacity returns the number of concurrent leases allowed.
func (v View) Capacity() int { return v.r.capacity }

// Active returns the number of leases out.
func (v View) Active() int { return v.r.active }

// Quota returns the declared quota of a unit, and whether there is one.
func (v View) Quota(unit string) (float64, bool) {
	if a := v.r.amount(unit); a != nil {
		return a.quota, a.declared
	}
	return 0, false
}

// Used returns how much of a unit was reported as used since publication.
func (v View) Used(unit string) float64 {
	if a := v.r.amount(unit); a != nil {
		return a.used
	}
	return 0
}

// Latency returns the exponential average of the reported latencies (0.7 old +
// 0.3 new), 0 before the first one.
func (v View) Latency() time.Duration { return time.Duration(v.r.latency) }
