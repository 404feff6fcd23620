package acquire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// Class says what kind of failure an error is, as far as a retry policy cares.
type Class uint8

const (
	Unknown    Class = iota // nothing is known: retried only if the policy says so
	RateLimit               // refused for now: 429, 425
	Timeout                 // no answer in time
	Connection              // the connection failed or broke
	Upstream                // the server failed: 5xx
	Retryable               // said to be worth another try by whoever made the error
	Fatal                   // the request itself is wrong: other 4xx
	Canceled                // the caller does not want an answer any more
)

var classNames = []string{
	Unknown: "unknown", RateLimit: "rate_limit", Timeout: "timeout", Connection: "connection",
	Upstream: "upstream", Retryable: "retryable", Fatal: "fatal", Canceled: "canceled",
}

// String returns the name of the class as reports print it.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// Retryable reports whether the same request may succeed later.
func (c Class) Retryable() bool {
	switch c {
	case RateLimit, Timeout, Connection, Upstream, Retryable:
		return true
	}
	return false
}

// Classified is an error that knows its class, which Classify then believes.
type Classified interface {
	error
	Class() Class
}

// WithClass returns err marked with a class for Classify. It unwraps to err.
func WithClass(err error, c Class) error { return &classified{err, c} }

type classified struct {
	error
	class Class
}

func (e *classified) Class() Class  { return e.class }
func (e *classified) Unwrap() error { return e.error }

// Classify tells the class of err from err alone. The first rule that applies
// to err or to anything that it wraps decides:
//
//  1. context.Canceled, or clock.ErrStopped: Canceled. Nobody waits for the
//     answer, so not even an explicit class makes it worth another try.
//  2. an explicit class (Classified).
//  3. pool.ErrUnavailable: Unknown. Nothing was leased and no request was sent.
//     This holds for ErrTimeout too, which wraps it: the patience is spent.
//  4. context.DeadlineExceeded, or Timeout() == true as in net.Error: Timeout.
//  5. connection reset, refused or aborted, broken pipe, host or network
//     unreachable, and an end of stream instead of an answer: Connection.
//  6. an HTTP status, by ClassifyStatus.
//
// Everything else, nil included, is Unknown.
func Classify(err error) Class {
	// A StatusError wraps nothing; it is what a refusal storm consists of.
	if e, ok := err.(*StatusError); ok {
		return ClassifyStatus(e.Status)
	}
	// It wraps two errors, which costs an allocation per question about it.
	if _, ok := err.(*pool.CooldownError); ok {
		return Unknown
	}
	switch {
	case err == nil:
		return Unknown
	case errors.Is(err, context.Canceled), errors.Is(err, clock.ErrStopped):
		return Canceled
	}
	if e, ok := errors.AsType[Classified](err); ok {
		return e.Class()
	}
	switch {
	case errors.Is(err, pool.ErrUnavailable):
		return Unknown
	case isTimeout(err):
		return Timeout
	case isConnection(err):
		return Connection
	}
	if e, ok := errors.AsType[interface {
		error
		StatusCode() int
	}](err); ok {
		return ClassifyStatus(e.StatusCode())
	}
	return Unknown
}

// ClassifyStatus tells the class of an HTTP status: 408 and 504 are timeouts,
// 425 and 429 rate limits, the other 5xx upstream, the other 4xx fatal, and
// what is no error status is unknown.
func ClassifyStatus(status int) Class {
	switch {
	case status == 408 || status == 504:
		return Timeout
	case status == 425 || status == 429:
		return RateLimit
	case status >= 500 && status <= 599:
		return Upstream
	case status >= 400 && status <= 499:
		return Fatal
	}
	return Unknown
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || anyIn(err, func(e error) bool {
		t, ok := e.(interface{ Timeout() bool })
		return ok && t.Timeout()
	})
}

func isConnection(err error) bool {
	return anyIn(err, func(e error) bool {
		switch e {
		case io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe,
			syscall.ECONNRESET, syscall.ECONNREFUSED, syscall.ECONNABORTED, syscall.EPIPE,
			syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN:
			return true
		}
		return false
	})
}

// anyIn reports whether err or anything that it wraps matches. errors.As would
// stop at the first error with the right method, even if that one says no.
func anyIn(err error, match func(error) bool) bool {
	for err != nil {
		if match(err) {
			return true
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			return slices.ContainsFunc(e.Unwrap(), func(e error) bool { return anyIn(e, match) })
		default:
			return false
		}
	}
	return false
}
