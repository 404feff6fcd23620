package pool

import (
	"fmt"
	"time"
)

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

// Status is what a pool shows of a resource. Secrets are redacted.
type Status struct {
	ID, Kind      string
	Tags, Options map[string]string
	State         State
	// Until is the time on the pool's clock, since it started, at which a
	// degraded resource is ready again or a dead one gets its next probe; 0 if
	// neither is to come.
	Until time.Duration
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

// String says it in one line: `a: degraded until 30s, 0 of 6 leased, 3 failures`.
func (s Status) String() string {
	text := s.ID + ": " + s.State.String()
	switch {
	case s.State == Degraded:
		text += fmt.Sprintf(" until %v", s.Until)
	case s.State == Dead && s.Until > 0:
		text += fmt.Sprintf(", probed at %v", s.Until)
	}
	text += fmt.Sprintf(", %d of %d leased", s.Active, s.Capacity)
	if s.Failures > 0 {
		text += fmt.Sprintf(", failures in a row: %d", s.Failures)
	}
	if s.FactoryError != "" {
		text += ", factory: " + s.FactoryError
	}
	return text
}

// status shows r as it is at now: a cooldown that has passed is over, even if
// nobody has asked for the resource since.
func (r *resource) status(now time.Duration) Status {
	s := Status{
		ID: r.id, Kind: r.kind, Tags: redact(r.tags), Options: redact(r.options),
		State: r.state, Until: r.until, Capacity: r.capacity, Active: r.active, Failures: r.failures,
		Latency: time.Duration(r.latency), Quota: map[string]float64{}, Used: map[string]float64{},
	}
	if r.failed != nil {
		s.FactoryError = r.failed.Error()
	}
	if r.until != 0 && r.until <= now {
		s.Until, s.FactoryError = 0, ""
		if s.State == Degraded {
			s.State = Ready
		}
	}
	for _, a := range r.amounts {
		if a.declared {
			s.Quota[a.unit] = a.quota
		}
		s.Used[a.unit] = a.used
	}
	return s
}
