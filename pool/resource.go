package pool

import (
	"context"
	"time"
)

// Resource describes something that can be leased. The pool copies it; changes
// of its maps after Publish have no effect.
type Resource struct {
	// ID is unique in the pool and not empty.
	ID string
	// Kind is a free word for filters and reports ("endpoint", "key").
	Kind string
	// Capacity is the number of concurrent leases, at least 1.
	Capacity int
	// Tags are what filters look at. Options are settings for the factory's
	// use and for reports. Values under keys that look like secrets are
	// redacted wherever the pool shows them, except to filters.
	Tags, Options map[string]string
	// Quota declares how much of a unit ("tokens") the resource has; finite
	// and not negative. It is a hint for ranking, never a limit.
	Quota map[string]float64
	// Factory makes the client object that leases of this resource share. It
	// is called when the first lease is granted, in the task and with the
	// context of the acquirer, and may block on the pool's clock. A failure
	// counts like a failed report, is remembered until a cooldown has passed,
	// and sends the acquirer to the next best resource. Nil means that leases
	// carry no client.
	Factory func(ctx context.Context) (any, error)
}

// Status is what a pool shows of a resource. Secrets are redacted.
type Status struct {
	ID, Kind      string
	Tags, Options map[string]string
	State         State
	// Until is the instant at which a degraded resource is ready again, or a
	// dead one gets its next probe; zero otherwise.
	Until time.Time
	// Capacity and Active count leases. Active exceeds Capacity only after the
	// capacity was lowered.
	Capacity, Active int
	// Failures counts consecutive failures.
	Failures int
	// Latency is the exponential average of the reported latencies (0.7 old +
	// 0.3 new); 0 before the first one.
	Latency time.Duration
	// Quota is what was declared, Used what was reported, by unit.
	Quota, Used map[string]float64
	// FactoryError is the remembered failure of the factory, or "".
	FactoryError string
}
