package provider

import (
	"syscall"
	"time"

	"github.com/ranktest/ranktest/acquire"
)

// Outcome is what became of one request.
type Outcome uint8

// The outcomes. The last three are decided at admission and seen by the client
// when the latency is over.
const (
	Served          Outcome = iota
	RefusedCapacity         // 429: too many in flight
	RefusedQuota            // 429: the bucket is empty
	Failed503               // a 503 from upstream
	FailedReset             // the connection was reset
	FailedTimeout           // the vendor's client gave up
	outcomes
)

// String returns the word for the outcome in logs.
func (o Outcome) String() string {
	return [...]string{"ok", "429-capacity", "429-quota", "503", "connection", "timeout"}[o]
}

// Refused reports whether the request was turned away with a 429.
func (o Outcome) Refused() bool { return o == RefusedCapacity || o == RefusedQuota }

// Failed reports whether the request was admitted and failed.
func (o Outcome) Failed() bool { return o >= Failed503 }

// asError returns the outcome as a vendor's client library would: with an HTTP
// status and a Retry-After where there was an answer, or as the network's
// error. It is nil for a request that was served.
func (o Outcome) asError(retryAfter time.Duration) error {
	switch o {
	case RefusedCapacity, RefusedQuota:
		return &acquire.StatusError{Status: 429, Wait: retryAfter, HasWait: true}
	case Failed503:
		return &acquire.StatusError{Status: 503}
	case FailedReset:
		return syscall.ECONNRESET
	case FailedTimeout:
		return timeoutError{}
	}
	return nil
}

// timeoutError is a net.Error, as of a client with a deadline of its own.
type timeoutError struct{}

func (timeoutError) Error() string   { return "i/o timeout" }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }
