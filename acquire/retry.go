package acquire

import (
	"fmt"
	"math"
	"time"
)

// Unlimited is a Retry.MaxAttempts that never runs out.
const Unlimited = math.MaxInt

// DefaultMaxRetryAfter is the longest Retry-After that a Retry obeys unless it
// says otherwise. It is the pool's default too.
const DefaultMaxRetryAfter = 10 * time.Minute

// Retry says whether and when a failed attempt is made again. The zero value
// never retries; DefaultRetry is a policy to start from. A Retry has no state
// and is safe for concurrent use.
type Retry struct {
	// MaxAttempts limits the attempts, the first one included. One or less
	// means no retries.
	MaxAttempts int

	// Backoff is the wait before a retry, unless the server names one.
	Backoff

	// MaxTotal limits the time from the start of the first attempt: a retry
	// that would not start before MaxTotal is not waited for. Zero is no limit.
	MaxTotal time.Duration

	// MaxRetryAfter is the longest Retry-After that is waited for. A longer one
	// is neither slept through nor cut short, but ends the matter with TooLong.
	// Zero is DefaultMaxRetryAfter.
	MaxRetryAfter time.Duration

	// RetryUnknown makes errors of class Unknown worth a retry, among them
	// pool.ErrUnavailable.
	RetryUnknown bool
}

// DefaultRetry makes up to 5 attempts, with full jitter in 0.5 s, 1 s, 2 s, 4 s.
func DefaultRetry() Retry {
	return Retry{
		MaxAttempts: 5,
		Backoff:     Backoff{Base: 500 * time.Millisecond, Factor: 2, Cap: 8 * time.Second},
	}
}

// Next decides what follows a failed attempt: the wait before the next one, or
// a Stop that is not Go. It is given the number of attempts made, from 1, the
// error of the last one, the time since the first one began, and the stream for
// the jitter.
//
// A Retry-After of the error replaces the backoff: it is obeyed as it is, not
// jittered, capped or rounded, and draws nothing from r.
func (p Retry) Next(attempts int, err error, elapsed time.Duration, r Rand) (delay time.Duration, stop Stop) {
	switch class := Classify(err); {
	case class == Canceled:
		return 0, Abandoned
	case !class.Retryable() && !(class == Unknown && p.RetryUnknown):
		return 0, Permanent
	case attempts >= p.MaxAttempts:
		return 0, Exhausted
	}
	delay, told := RetryAfterOf(err)
	if !told {
		delay = p.Delay(attempts, r)
	} else if limit := p.MaxRetryAfter; delay > limit && (limit > 0 || delay > DefaultMaxRetryAfter) {
		return delay, TooLong
	}
	if p.MaxTotal > 0 && delay >= p.MaxTotal-elapsed {
		return delay, OutOfTime
	}
	return delay, Go
}

// Stop is the reason why there is no further attempt.
type Stop uint8

const (
	Go         Stop = iota // no reason: try again
	Exhausted              // all attempts were used up
	Permanent              // the error's class is not worth a retry
	Abandoned              // the caller cancelled
	OutOfTime              // the next attempt would not start before the deadline
	TooLong                // the server asks for a longer wait than the policy allows
	OverBudget             // the retry budget is empty
)

var stopNames = []string{
	Go: "go on", Exhausted: "exhausted", Permanent: "permanent", Abandoned: "cancelled",
	OutOfTime: "would exceed the deadline", TooLong: "retry-after too long", OverBudget: "retry budget empty",
}

// String returns the reason in words.
func (s Stop) String() string {
	if int(s) < len(stopNames) {
		return stopNames[s]
	}
	return fmt.Sprintf("Stop(%d)", uint8(s))
}
