package pool

import (
	"errors"
	"fmt"
	"time"
)

// ErrUnavailable says that no matching resource can be leased now. All errors
// of TryAcquire and Acquire that are about the state of the pool wrap it.
var ErrUnavailable = errors.New("pool: no resource is available")

// ErrRevoked says that the resource named by its id is not published, or not
// any more.
var ErrRevoked = errors.New("pool: resource is not published")

// ErrTooLong is the cause of a CooldownError whose cooldown lasts longer than
// Health.MaxRetryAfter.
var ErrTooLong = errors.New("pool: cooldown is longer than MaxRetryAfter")

// CooldownError says that every matching resource is cooling down (or dead),
// and when the first of them returns. It wraps ErrUnavailable and Cause.
type CooldownError struct {
	// Pool is the name of the pool, Resource the id of the resource that
	// returns first.
	Pool, Resource string
	// Until is the instant at which it returns, on the pool's clock.
	Until time.Time
	// RetryAfter is the time from the error until then: for a server's
	// Retry-After that was just reported, exactly what the server asked for.
	RetryAfter time.Duration
	// Cause says why it was not waited for: ErrTooLong,
	// context.DeadlineExceeded if the caller's deadline is not later, or nil
	// from TryAcquire, which never waits.
	Cause error
}

// Error names the pool, the resource and the instant.
func (e *CooldownError) Error() string {
	s := fmt.Sprintf("pool %q: every matching resource is cooling down: %q returns first, in %v, at %s",
		e.Pool, e.Resource, e.RetryAfter, e.Until.Format(time.RFC3339Nano))
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Unwrap returns ErrUnavailable and the cause, if there is one.
func (e *CooldownError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrUnavailable}
	}
	return []error{ErrUnavailable, e.Cause}
}
