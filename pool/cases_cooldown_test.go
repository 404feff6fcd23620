package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// What operators of pools, clients and limiters report most: pauses that a
// server asks for.

// A server may ask for an absurd pause. It is neither slept through nor
// shortened: whoever would have to wait for it is told at once.
func TestHugeRetryAfterFailsAtOnce(t *testing.T) {
	const ceiling = 10 * time.Minute
	for _, c := range []struct {
		after time.Duration
		fails bool
	}{
		{time.Second, false},
		{ceiling - 1, false},
		{ceiling, false},
		{ceiling + 1, true},
		{410400 * time.Second, true},
		{9223372036 * time.Second, true},
		{math.MaxInt64, true}, // what 9223372037 s is bounded to
	} {
		t.Run(c.after.String(), func(t *testing.T) {
			simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
				s.until(sec)
				l := s.lease(pool.Query{})
				l.Report(refused(c.after))
				l.Release()
				_, err := s.p.Acquire(s.ctx, pool.Query{})
				if !c.fails {
					if err != nil || s.v.Elapsed() != sec+c.after {
						t.Errorf("acquired at %v: %v; want a lease %v after 1s", s.v.Elapsed(), err, c.after)
					}
					return
				}
				// Time ends before a sum overflows.
				left := min(c.after, math.MaxInt64-1-sec)
				var cooling *pool.CooldownError
				if !errors.As(err, &cooling) || !errors.Is(err, pool.ErrUnavailable) || !errors.Is(err, pool.ErrTooLong) {
					t.Fatalf("error %v, want a *CooldownError about MaxRetryAfter", err)
				}
				if cooling.RetryAfter != left || s.v.Elapsed() != sec {
					t.Errorf("at %v: RetryAfter %v, want %v at 1s", s.v.Elapsed(), cooling.RetryAfter, left)
				}
				if st := s.status("a"); st.State != pool.Degraded || st.Until != sec+left {
					t.Errorf("%v, want a cooldown that is not shortened", st)
				}
			})
		})
	}
}

// The ceiling is about what is left to wait for, and about those who wait
// already, too.
func TestHugeRetryAfterReachesThoseWhoWait(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 2), res("b", 1)}, func(s *sim) {
		l1, l2, b := s.lease(pool.Query{ID: "a"}), s.lease(pool.Query{ID: "a"}), s.lease(pool.Query{ID: "b"})
		s.waiter("any", pool.Query{}, 0)
		s.waiter("only a", pool.Query{ID: "a"}, 0)
		s.until(1 * sec)
		l1.Report(refused(time.Hour))
		s.until(2 * sec)
		b.Report(refused(5 * sec)) // the earliest end counts
		s.until(3 * sec)
		l1.Release()
		l2.Release()
		b.Release()
		s.until(50*time.Minute + 1*sec)
		s.waiter("later", pool.Query{ID: "a"}, 0) // exactly 10 minutes to go
		s.until(2 * time.Hour)
		s.timeline("1s only a fails", "7s any gets b", "1h0m1s later gets a")
	})
}

// Blocked-until is the later of two, in either order, and the wake-up is armed
// for the earliest end in the pool.
func TestSecondFailureNeverShortensACooldown(t *testing.T) {
	health := pool.DefaultHealth()
	health.DegradeAfter, health.Cooldown = 1, 60*sec
	for _, c := range []struct {
		name          string
		first, second pool.Outcome
		want          time.Duration
	}{
		{"1 s, then the default of 60 s", refused(1 * sec), pool.Outcome{Err: errDown}, 60*sec + 250*ms},
		{"the default of 60 s, then 1 s", pool.Outcome{Err: errDown}, refused(1 * sec), 60 * sec},
		{"60 s, then 1 s", refused(60 * sec), refused(1 * sec), 60 * sec},
		{"1 s, then 60 s", refused(1 * sec), refused(60 * sec), 60*sec + 250*ms},
		{"300 s, then a failure with 60 s", refused(300 * sec), pool.Outcome{Err: errDown}, 300 * sec},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulate(t, pool.Options{Health: health}, []pool.Resource{res("a", 2)}, func(s *sim) {
				l1, l2 := s.lease(pool.Query{}), s.lease(pool.Query{})
				s.waiter("w", pool.Query{}, 0)
				l1.Report(c.first)
				l1.Release()
				s.until(250 * ms)
				l2.Report(c.second)
				l2.Release()
				s.until(time.Hour)
				s.timeline(fmt.Sprintf("%v w gets a", c.want))
			})
		})
	}
}

// With everything cooling down, those who can wait get what returns first, at
// that instant and in order, and those who cannot are told at once when it will
// be.
func TestEverythingCoolsDown(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1), res("b", 1)}, func(s *sim) {
		for id, after := range map[string]time.Duration{"a": 30 * sec, "b": 20 * sec} {
			l := s.lease(pool.Query{ID: id})
			l.Report(refused(after))
			l.Release()
		}
		_, err := s.p.TryAcquire(s.ctx, pool.Query{})
		var cooling *pool.CooldownError
		if !errors.As(err, &cooling) || cooling.Resource != "b" || cooling.RetryAfter != 20*sec ||
			!cooling.Until.Equal(s.v.Now().Add(20*sec)) || cooling.Cause != nil {
			t.Errorf("TryAcquire: %v, want that b returns in 20s", err)
		}
		for _, limit := range []time.Duration{10 * sec, 20 * sec, 20*sec + 1} {
			s.task("impatient", func(ctx context.Context) {
				ctx, cancel := s.v.WithTimeout(ctx, limit)
				defer cancel()
				l, err := s.p.Acquire(ctx, pool.Query{})
				if err == nil {
					s.note("limit %v gets %s", limit, l.ResourceID())
					l.Release()
					return
				}
				var cooling *pool.CooldownError
				if !errors.As(err, &cooling) || !errors.Is(err, context.DeadlineExceeded) || cooling.RetryAfter != 20*sec {
					t.Errorf("limit %v: %v, want a *CooldownError with the earliest instant", limit, err)
				}
				s.note("limit %v fails", limit)
			})
		}
		for _, name := range []string{"1st", "2nd", "3rd"} {
			s.waiter(name, pool.Query{}, 15*sec)
		}
		s.until(time.Hour)
		s.timeline(
			"0s limit 10s fails", "0s limit 20s fails",
			"20s limit 20.000000001s gets b", "20s 1st gets b", "30s 2nd gets a", "35s 3rd gets b",
		)
	})
}

// Waiting does not poll: a grant costs at most two events of the clock, however
// long the cooldown and however many wait.
func TestWaitingDoesNotPoll(t *testing.T) {
	for _, order := range orders {
		const waiters = 50
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", waiters)}, func(s *sim) {
			l := s.lease(pool.Query{})
			l.Report(refused(9 * time.Minute))
			l.Release()
			for range waiters {
				s.task("w", func(ctx context.Context) {
					l, err := s.p.Acquire(ctx, pool.Query{})
					if err != nil || s.v.Elapsed() != 9*time.Minute {
						t.Errorf("at %v: %v", s.v.Elapsed(), err)
						return
					}
					l.Release()
				})
			}
			before := s.v.Steps()
			s.until(time.Hour)
			if n := s.v.Steps() - before; n > 2*waiters+2 {
				t.Errorf("order %d: %d events for %d grants", order, n, waiters)
			}
		})
	}
}

// A cooldown covers its start and not its end.
func TestCooldownEndsOnTime(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		l := s.lease(pool.Query{})
		l.Report(refused(10 * sec))
		l.Release()
		for _, at := range []time.Duration{0, 10*sec - 1} {
			s.until(at)
			if _, err := s.p.TryAcquire(s.ctx, pool.Query{}); err == nil {
				t.Errorf("leased at %v", at)
			}
		}
		s.until(10 * sec)
		if _, err := s.p.TryAcquire(s.ctx, pool.Query{}); err != nil {
			t.Errorf("at 10s: %v", err)
		}
	})
}
