package acquire_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
)

// refusal is a 429 with a Retry-After.
func refusal(after time.Duration) error {
	return &acquire.StatusError{Status: 429, Wait: after, HasWait: true}
}

func TestRetryDecides(t *testing.T) {
	busy := &acquire.StatusError{Status: 503}
	policy := acquire.Retry{
		MaxAttempts: 3,
		Backoff:     acquire.Backoff{Base: time.Second, Factor: 2, Cap: 8 * time.Second, Jitter: acquire.NoJitter},
		MaxTotal:    time.Minute,
	}
	unknown := policy
	unknown.RetryUnknown = true
	patient := policy
	patient.MaxTotal, patient.MaxRetryAfter = 0, time.Hour

	for _, c := range []struct {
		name     string
		policy   acquire.Retry
		attempts int
		err      error
		elapsed  time.Duration
		delay    time.Duration
		stop     acquire.Stop
	}{
		{"the first failure waits for the base", policy, 1, busy, 0, time.Second, acquire.Go},
		{"the second for twice as long", policy, 2, busy, 0, 2 * time.Second, acquire.Go},
		{"the last attempt is the last", policy, 3, busy, 0, 0, acquire.Exhausted},
		{"beyond the last", policy, 4, busy, 0, 0, acquire.Exhausted},
		{"the zero policy never retries", acquire.Retry{}, 1, busy, 0, 0, acquire.Exhausted},

		{"a fatal error", policy, 1, vendor{400}, 0, 0, acquire.Permanent},
		{"a fatal error at the last attempt is permanent first", policy, 3, vendor{400}, 0, 0, acquire.Permanent},
		{"an unknown error", policy, 1, errors.New("x"), 0, 0, acquire.Permanent},
		{"an unknown error, if those are retried", unknown, 1, errors.New("x"), 0, time.Second, acquire.Go},
		{"nothing to lease", policy, 1, fmt.Errorf("p: %w", pool.ErrUnavailable), 0, 0, acquire.Permanent},
		{"nothing to lease, if unknown errors are retried", unknown, 1, pool.ErrUnavailable, 0, time.Second, acquire.Go},
		{"a fatal error, even if unknown ones are retried", unknown, 1, vendor{400}, 0, 0, acquire.Permanent},
		{"a cancellation", policy, 1, fmt.Errorf("call: %w", context.Canceled), 0, 0, acquire.Abandoned},
		{"a cancellation, even if unknown errors are retried", unknown, 1, context.Canceled, 0, 0, acquire.Abandoned},
		{"a cancellation that claims to be retryable", policy, 1, acquire.WithClass(context.Canceled, acquire.Retryable), 0, 0, acquire.Abandoned},

		{"Retry-After replaces the backoff, up", policy, 1, refusal(20 * time.Second), 0, 20 * time.Second, acquire.Go},
		{"Retry-After replaces the backoff, down", policy, 2, refusal(ms), 0, ms, acquire.Go},
		{"a Retry-After of zero is at once", policy, 1, refusal(0), 0, 0, acquire.Go},
		{"Retry-After at the default ceiling", acquire.Retry{MaxAttempts: 2}, 1, refusal(10 * time.Minute), 0, 10 * time.Minute, acquire.Go},
		{"one nanosecond more", acquire.Retry{MaxAttempts: 2}, 1, refusal(10*time.Minute + 1), 0, 10*time.Minute + 1, acquire.TooLong},
		{"Retry-After at a ceiling of one's own", patient, 1, refusal(time.Hour), 0, time.Hour, acquire.Go},
		{"one nanosecond more than that", patient, 1, refusal(time.Hour + 1), 0, time.Hour + 1, acquire.TooLong},
		{"five days are too long, rather than out of time", policy, 1, refusal(114 * time.Hour), 0, 114 * time.Hour, acquire.TooLong},
		{"the largest Retry-After", policy, 1, refusal(largest), 0, largest, acquire.TooLong},

		{"a retry just before MaxTotal", policy, 1, busy, 59*time.Second - 1, time.Second, acquire.Go},
		{"a retry at MaxTotal", policy, 1, busy, 59 * time.Second, time.Second, acquire.OutOfTime},
		{"a retry after MaxTotal", policy, 1, busy, time.Hour, time.Second, acquire.OutOfTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			delay, stop := c.policy.Next(c.attempts, c.err, c.elapsed, nil)
			if delay != c.delay || stop != c.stop {
				t.Errorf("after attempt %d with %v at %v: %v, %v; want %v, %v",
					c.attempts, c.err, c.elapsed, delay, stop, c.delay, c.stop)
			}
		})
	}
}

func TestRetryDrawsOnlyForItsOwnDelays(t *testing.T) {
	policy := acquire.DefaultRetry()
	for _, c := range []struct {
		name     string
		attempts int
		err      error
		draws    int
	}{
		{"a computed delay", 1, vendor{503}, 1},
		{"a Retry-After", 1, refusal(time.Second), 0},
		{"a fatal error", 1, vendor{400}, 0},
		{"the last attempt", 5, vendor{503}, 0},
	} {
		r := &fixed{u: 0.5}
		policy.Next(c.attempts, c.err, 0, r)
		if r.draws != c.draws {
			t.Errorf("%s: %d draws, want %d", c.name, r.draws, c.draws)
		}
	}
}

func TestRetryRoundsToItsQuantum(t *testing.T) {
	policy := acquire.DefaultRetry()
	policy.Quantum = 100 * time.Microsecond
	if delay, _ := policy.Next(1, vendor{503}, 0, &fixed{u: 0.1234567}); delay != 61700*time.Microsecond {
		t.Errorf("U(0, 500ms) at 0.1234567 = 61.72835ms, rounded to 0.1 ms it must be 61.7ms, not %v", delay)
	}
	if delay, _ := policy.Next(1, refusal(250049*time.Microsecond), 0, nil); delay != 250049*time.Microsecond {
		t.Errorf("a Retry-After of 250.049ms must be obeyed to the nanosecond, not %v", delay)
	}
}

func TestStopNames(t *testing.T) {
	for stop, want := range map[acquire.Stop]string{
		acquire.Go: "go on", acquire.Exhausted: "exhausted", acquire.Permanent: "permanent",
		acquire.Abandoned: "cancelled", acquire.OutOfTime: "would exceed the deadline",
		acquire.TooLong: "retry-after too long", acquire.OverBudget: "retry budget empty", 99: "Stop(99)",
	} {
		if stop.String() != want {
			t.Errorf("Stop %d is named %q, want %q", uint8(stop), stop, want)
		}
	}
}

func BenchmarkRetryNext(b *testing.B) {
	err := refusal(time.Second)
	policy := acquire.DefaultRetry()
	b.ReportAllocs()
	for b.Loop() {
		policy.Next(1, err, 0, nil)
	}
}
