package acquire

import (
	"errors"
	"fmt"
	"time"
)

// StatusError is an answer with an HTTP error status. Classify and Retry
// understand it, and it holds all that they need.
type StatusError struct {
	Status int

	// Wait is the server's Retry-After, if HasWait: a wait of zero means at
	// once, which is not the same as a server that says nothing.
	Wait    time.Duration
	HasWait bool
}

// CheckStatus returns the *StatusError of an HTTP answer, with its Retry-After
// as seen at now, or nil if the status is below 400. An http.Header is a header
// here; now is best taken from the pool's clock.
func CheckStatus(status int, header map[string][]string, now time.Time) error {
	if status < 400 {
		return nil
	}
	wait, ok := ParseRetryAfter(header, now)
	return &StatusError{Status: status, Wait: wait, HasWait: ok}
}

func (e *StatusError) Error() string {
	if e.HasWait {
		return fmt.Sprintf("status %d, retry after %v", e.Status, e.Wait)
	}
	return fmt.Sprintf("status %d", e.Status)
}

// StatusCode returns the HTTP status.
func (e *StatusError) StatusCode() int { return e.Status }

// RetryAfter returns the wait that the server asked for, if it did.
func (e *StatusError) RetryAfter() (time.Duration, bool) { return e.Wait, e.HasWait }

// RetryAfterOf returns the wait that a server asked for with err: that of the
// first error in err's tree with a method RetryAfter() (time.Duration, bool).
func RetryAfterOf(err error) (time.Duration, bool) {
	if e, ok := err.(*StatusError); ok {
		return e.RetryAfter()
	}
	if e, ok := errors.AsType[interface {
		error
		RetryAfter() (time.Duration, bool)
	}](err); ok {
		return e.RetryAfter()
	}
	return 0, false
}
