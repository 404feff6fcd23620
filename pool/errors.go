package pool

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrUnavailable says that no matching resource can be leased now. All errors
// of TryAcquire and Acquire that are about the state of the pool wrap it.
var ErrUnavailable = errors.New("pool: no resource is available")

// ErrRevoked says that the resource named by its id is not published, or not
// any more.
var ErrRevoked = errors.New("pool: not published")

// ErrTooLong is the cause of a CooldownError whose cooldown lasts longer than
// Health.MaxRetryAfter.
var ErrTooLong = errors.New("pool: longer than MaxRetryAfter")

// ErrClosed says that a subscription was closed.
var ErrClosed = errors.New("pool: subscription is closed")

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

// ended is the error of an acquisition whose context has ended.
func (p *Pool) ended(err error) error {
	return fmt.Errorf("pool %q: acquire: %w", p.name, err)
}

// unknown is the error for an id that is not published.
func (p *Pool) unknown(id string) error {
	return fmt.Errorf("pool %q: resource %q: %w", p.name, id, ErrRevoked)
}

// unavailable says why a round for q found nothing.
func (p *Pool) unavailable(q *Query, t *tries) error {
	switch {
	case t.last != nil:
		return fmt.Errorf("pool %q: %w: %w", p.name, ErrUnavailable, t.last)
	case q.ID != "" && p.byID[q.ID] == nil:
		return fmt.Errorf("%w: %w", ErrUnavailable, p.unknown(q.ID))
	}
	if r := p.firstBack(q); r != nil {
		return p.cooldownError(r, nil)
	}
	return p.busy
}

// pointless returns an error if waiting for q cannot succeed in time.
func (p *Pool) pointless(ctx context.Context, q *Query) error {
	if q.ID != "" && p.byID[q.ID] == nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, p.unknown(q.ID))
	}
	if p.soonest == never {
		return nil
	}
	r := p.firstBack(q)
	if r == nil {
		return nil
	}
	e := p.cooldownError(r, nil)
	if limit := p.options.Health.MaxRetryAfter; limit > 0 && e.RetryAfter > limit {
		e.Cause = ErrTooLong
		return e
	}
	// At the deadline itself it is too late.
	if deadline, ok := ctx.Deadline(); ok && !e.Until.Before(deadline) {
		e.Cause = context.DeadlineExceeded
		return e
	}
	return nil
}

// firstBack returns the resource that returns first if every one that q admits
// is cooling down or dead; nil if one of them may be leased after a release, or
// none will return by itself.
func (p *Pool) firstBack(q *Query) *resource {
	var first *resource
	for _, r := range p.list {
		if r.state == Revoked || !q.admits(r) {
			continue
		}
		switch {
		case r.until != 0:
			if first == nil || r.until < first.until {
				first = r
			}
		case r.state != Dead || r.due || r.probe != nil:
			return nil
		}
	}
	return first
}

func (p *Pool) cooldownError(r *resource, cause error) *CooldownError {
	wait := r.until - p.clk.Elapsed()
	return &CooldownError{Pool: p.name, Resource: r.id, Until: p.clk.Now().Add(wait), RetryAfter: wait, Cause: cause}
}
