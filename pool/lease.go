package pool

import "time"

// Lease is the right to use a resource until Release. Its methods may be called
// from any task, in any state, any number of times; after Release they do
// nothing.
type Lease struct{ r *resource }

// Outcome is what a lease holder reports about one use of the resource. It is
// a success if Err is nil and Refused is false.
type Outcome struct {
	// Err is the failure, nil if there was none.
	Err error
	// Refused says that the server refused the request for load or quota
	// (429), whatever Err is.
	Refused bool
	// RetryAfter is how long the server asked to stay away; 0 or less is none.
	RetryAfter time.Duration
	// Latency is how long the use took; 0 or less is not measured.
	Latency time.Duration
	// Usage is what was used, by unit, to be added to the resource's usage.
	// Amounts that are negative or not finite are ignored.
	Usage map[string]float64
}

// ResourceID returns the id of the leased resource.
func (l *Lease) ResourceID() string { panic("todo") }

// Client returns the client object that the resource's factory made; nil
// without a factory.
func (l *Lease) Client() any { panic("todo") }

// Report tells the pool how a use of the resource went. A lease can report
// several uses.
func (l *Lease) Report(o Outcome) { panic("todo") }

// Release gives the lease back, at once and whatever the state of any context.
// Releasing twice changes nothing.
func (l *Lease) Release() { panic("todo") }

// Degrade makes the resource cool down for d from now, or for the policy's
// Cooldown if d <= 0. It never shortens a cooldown, and counts no failure.
func (l *Lease) Degrade(d time.Duration) { panic("todo") }
