package pool

import "time"

// Health is a policy: how outcomes change the state of a resource. The zero
// Health stands for DefaultHealth(); start from one of the two named policies
// to make another.
type Health struct {
	// DegradeAfter and DeadAfter are numbers of consecutive failures, 0 means
	// never. At DeadAfter or more the resource is dead, else at DegradeAfter or
	// more it is degraded for Cooldown, again at every further failure.
	DegradeAfter, DeadAfter int
	// Cooldown is how long a failing resource rests, and the time between two
	// probes of a dead one. It must be positive if anything can make use of it.
	Cooldown time.Duration
	// RefusalFails makes a refusal (429) count as a failure.
	RefusalFails bool
	// HonorRetryAfter makes an unsuccessful outcome with a RetryAfter degrade
	// the resource until then, never shortening a cooldown.
	HonorRetryAfter bool
	// MaxRetryAfter is the longest time that an acquisition waits for the
	// earliest cooldown to end; beyond it fails at once (see CooldownError).
	// The cooldown itself is not shortened. 0 means no limit.
	MaxRetryAfter time.Duration
	// Probe gives a dead resource one lease each Cooldown to show that it
	// lives. Without it only a lease that is still out can bring it back.
	Probe bool
}

// DefaultHealth is the policy for production: degraded after 3 consecutive
// failures for 30 s, dead after 8, probed every 30 s; refusals are no failures,
// their Retry-After is honoured, and nobody waits longer than 10 minutes for it.
func DefaultHealth() Health {
	return Health{
		DegradeAfter: 3, DeadAfter: 8, Cooldown: 30 * time.Second,
		HonorRetryAfter: true, MaxRetryAfter: 10 * time.Minute, Probe: true,
	}
}

// ReferenceHealth is the policy of the reference: degraded after 3 consecutive
// failures for 30 s, dead after 8; refusals are failures, Retry-After is
// ignored, and a dead resource lives again only if a lease that is still out
// reports success.
func ReferenceHealth() Health {
	return Health{
		DegradeAfter: 3, DeadAfter: 8, Cooldown: 30 * time.Second,
		RefusalFails: true, MaxRetryAfter: 10 * time.Minute,
	}
}

// State is the state of a resource.
type State int8

// The states of a resource.
const (
	Ready    State = iota // can be leased
	Degraded              // cools down until an instant
	Dead                  // failed too often; may get a probe
	Revoked               // withdrawn by its owner; leases still out stay valid
)

// String returns the name of the state in lower case.
func (s State) String() string {
	switch s {
	case Ready:
		return "ready"
	case Degraded:
		return "degraded"
	case Dead:
		return "dead"
	}
	return "revoked"
}
