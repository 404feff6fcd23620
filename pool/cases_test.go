package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// The failures that operators of pools, clients and limiters report most.

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
	for _, order := range []pool.Order{pool.FIFO, pool.Barging} {
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

// Leases in flight are counted by being there: nothing drifts.
func TestCountersCannotDrift(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 2)}, func(s *sim) {
		l1, l2 := s.lease(pool.Query{}), s.lease(pool.Query{})
		for range 3 {
			l1.Release()
		}
		s.states("a: ready, 1 of 2 leased")
		for range 10 {
			l1.Report(pool.Outcome{Err: errDown}) // without a lease: nothing
		}
		l1.Degrade(time.Hour)
		s.states("a: ready, 1 of 2 leased")
		l3 := s.lease(pool.Query{})
		l1.Release()
		s.states("a: ready, 2 of 2 leased")
		if _, err := s.p.TryAcquire(s.ctx, pool.Query{}); !errors.Is(err, pool.ErrUnavailable) {
			t.Errorf("a third lease of two: %v", err)
		}
		l2.Release()
		l3.Release()
		s.states("a: ready, 0 of 2 leased")
	})
}

// Equals take turns.
func TestTiesRotate(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 4), res("b", 4), res("c", 4)}, func(s *sim) {
		count := map[string]int{}
		for range 9000 {
			l := s.lease(pool.Query{})
			count[l.ResourceID()]++
			l.Release()
		}
		if count["a"] != 3000 || count["b"] != 3000 || count["c"] != 3000 {
			t.Errorf("%v, want 3000 each", count)
		}
	})
}

// Usage that reaches the quota exactly is the last that is preferred, by the
// one comparison that there is: used < quota.
func TestQuotaIsReachedExactly(t *testing.T) {
	within := func(v pool.View) pool.Score {
		if quota, ok := v.Quota("requests"); ok && v.Used("requests") < quota {
			return pool.Score{1}
		}
		return pool.Score{}
	}
	small := pool.Resource{ID: "small", Capacity: 1, Quota: map[string]float64{"requests": 3}}
	simulate(t, pool.Options{}, []pool.Resource{small, res("other", 1)}, func(s *sim) {
		for n := 1; n <= 5; n++ {
			l := s.lease(pool.Query{Rank: within})
			s.note("request %d: %s", n, l.ResourceID())
			l.Report(pool.Outcome{Usage: map[string]float64{"requests": 1}})
			l.Release()
		}
		if used := s.status("small").Used["requests"]; used < 3 {
			t.Errorf("used %v of a quota of 3", used)
		}
	})
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

// A waiter that cannot be served does not hold up those behind it, waiting or
// cancelled.
func TestHeadThatCannotBeServed(t *testing.T) {
	for _, order := range []pool.Order{pool.FIFO, pool.Barging} {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1)}, func(s *sim) {
			l := s.lease(pool.Query{})
			s.task("head", func(ctx context.Context) {
				ctx, cancel := s.v.WithTimeout(ctx, 2*sec)
				defer cancel()
				_, err := s.p.Acquire(ctx, pool.Query{Filter: func(pool.View) bool { return false }})
				s.note("head: deadline exceeded: %v", errors.Is(err, context.DeadlineExceeded))
			})
			s.waiter("2nd", pool.Query{}, 1500*ms)
			s.waiter("3rd", pool.Query{}, 0)
			s.until(1 * sec)
			l.Release()
			s.until(5 * sec)
			s.timeline("1s 2nd gets a", "2s head: deadline exceeded: true", "2.5s 3rd gets a")
		})
	}
}

// A head that was handed a lease in the instant in which it is cancelled passes
// it on, in that instant.
func TestCancelledHeadPassesItsLeaseOn(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		l := s.lease(pool.Query{})
		ctx, cancel := s.v.WithTimeout(s.ctx, time.Hour)
		s.task("head", func(context.Context) {
			_, err := s.p.Acquire(ctx, pool.Query{})
			s.note("head cancelled: %v", errors.Is(err, context.Canceled))
		})
		s.waiter("2nd", pool.Query{}, 0)
		s.until(1 * sec)
		l.Release()
		cancel()
		s.until(2 * sec)
		s.timeline("1s head cancelled: true", "1s 2nd gets a")
		s.states("a: ready, 0 of 1 leased")
	})
}

// Holding one lease and asking for a second one is how pools deadlock. It is
// reported when it happens, with the names of tasks and leases.
func TestHoldingOneAndAskingForASecond(t *testing.T) {
	const tasks = 50
	run := func(t *testing.T, capacity int) (deadlocks []pool.Event, done int, err error) {
		err = trySimulate(t, pool.Options{}, []pool.Resource{res("a", capacity)}, func(s *sim) {
			sub := s.p.Subscribe(1000)
			for i := range tasks {
				q := pool.Query{Holder: fmt.Sprintf("task-%02d", i)}
				s.task(q.Holder, func(ctx context.Context) {
					first, err := s.p.Acquire(ctx, q)
					if err != nil {
						return
					}
					defer first.Release()
					s.v.Sleep(ctx, 1*sec)
					second, err := s.p.Acquire(ctx, q)
					if err != nil {
						return
					}
					defer second.Release()
					s.v.Sleep(ctx, 1*sec)
					done++
				})
			}
			s.until(500 * sec)
			for _, e := range sub.Drain() {
				if e.Kind == pool.SuspectedDeadlock && e.Deadlock {
					deadlocks = append(deadlocks, e)
				}
			}
		})
		return
	}
	t.Run("capacity 10", func(t *testing.T) {
		deadlocks, done, err := run(t, 10)
		if err == nil || done != 0 {
			t.Errorf("%d tasks done, error %v; want a stalled run", done, err)
		}
		if len(deadlocks) != 1 {
			t.Fatalf("%d deadlocks reported, want 1", len(deadlocks))
		}
		// The tenth holder is the last one that could have released something.
		e := deadlocks[0]
		if e.At != 1*sec || e.Holder != "task-09" || e.Lease != 10 {
			t.Errorf("at %v, %s with lease %d; want task-09 with lease 10 at 1s", e.At, e.Holder, e.Lease)
		}
		want := `10 of 10 leases are held by tasks that wait for another one; "task-00" holds lease 1 of "a"; "task-01" holds lease 2 of "a"`
		if !strings.HasPrefix(e.Detail, want) || !strings.Contains(e.Detail, `"task-09" holds lease 10 of "a"`) {
			t.Errorf("detail %q", e.Detail)
		}
	})
	t.Run("capacity 51", func(t *testing.T) {
		deadlocks, done, err := run(t, 51)
		if err != nil || done != tasks || len(deadlocks) != 0 {
			t.Errorf("%d tasks done, %d deadlocks, error %v; want 50, none, nil", done, len(deadlocks), err)
		}
	})
}

// A preferred resource that is dead, gone or cooling down is replaced by asking
// for any; asking for it by name says what is the matter.
func TestPreferredResourceIsAway(t *testing.T) {
	health := pool.ReferenceHealth()
	simulate(t, pool.Options{Health: health}, []pool.Resource{res("a", 8), res("b", 1)}, func(s *sim) {
		try := func() string {
			l, err := s.p.TryAcquire(s.ctx, pool.Query{ID: "a"})
			if err == nil {
				l.Release()
				return "available"
			}
			var cooling *pool.CooldownError
			if _, err := s.p.TryAcquire(s.ctx, pool.Query{ID: "b"}); err != nil {
				t.Errorf("b: %v", err)
			}
			for _, st := range s.p.Snapshot() {
				if st.ID == "b" && st.Active != 1 {
					t.Error("b is not leased")
				}
			}
			switch {
			case errors.As(err, &cooling):
				return fmt.Sprintf("cooling for %v", cooling.RetryAfter)
			case errors.Is(err, pool.ErrRevoked) && errors.Is(err, pool.ErrUnavailable):
				return "revoked"
			}
			return "unavailable"
		}
		free := func() { // b's lease is found by publishing it again
			if err := s.p.Publish(res("b", 1)); err != nil {
				t.Error(err)
			}
		}
		s.note("%s", try())
		s.fail("a", 3)
		s.note("%s", try())
		free()
		s.until(30 * sec)
		s.note("%s", try())
		s.fail("a", 5)
		s.note("%s", try())
		free()
		if err := s.p.Revoke("a"); err != nil {
			t.Error(err)
		}
		s.note("%s", try())
		s.timeline("0s available", "0s cooling for 30s", "30s available", "30s unavailable", "30s revoked")
	})
}
