package pool_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// cool makes a resource cool down for d. It must be free.
func (s *sim) cool(id string, d time.Duration) {
	s.t.Helper()
	l := s.lease(pool.Query{ID: id})
	l.Degrade(d)
	l.Release()
}

// Trap 1: a cooldown that has passed, but that nobody has looked at, must not
// arm a timer of no delay, again and again. The run would end as a livelock.
func TestPassedCooldownArmsNothing(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1), res("b", 1)}, func(s *sim) {
			s.cool("a", 5*sec)
			b := s.lease(pool.Query{ID: "b"})
			s.until(10 * sec)
			before := s.v.Steps()
			// a has returned meanwhile; b's waiters have nothing to wait for but b.
			s.waiter("1st", pool.Query{ID: "b"}, sec)
			s.waiter("2nd", pool.Query{ID: "b"}, sec)
			b.Degrade(5 * sec)
			b.Release()
			s.until(60 * sec)
			if n := s.v.Steps() - before; n > 12 {
				t.Errorf("order %d: %d steps", order, n)
			}
			s.timeline("15s 1st gets b", "16s 2nd gets b")
		})
	}
}

// Trap 2: resources that are dead for good, or revoked, must not arm it. The
// run stands still when the last task begins to wait, not later.
func TestDeadAndRevokedArmNothing(t *testing.T) {
	for _, order := range orders {
		o := pool.Options{Order: order, Health: pool.ReferenceHealth()}
		resources := []pool.Resource{res("dead", 8), res("revoked", 1), res("a", 1)}
		err := trySimulate(t, o, resources, func(s *sim) {
			s.lease(pool.Query{ID: "a"})
			s.cool("revoked", time.Hour)
			var l [8]*pool.Lease
			for i := range l {
				l[i] = s.lease(pool.Query{ID: "dead"})
			}
			for i := range l {
				s.until(time.Duration(i) * sec)
				l[i].Report(pool.Outcome{Err: errDown}) // degraded until 36s, then dead
			}
			s.p.Revoke("revoked")
			s.waiter("w", pool.Query{}, 0)
			s.v.Sleep(s.ctx, 0)
			s.states("dead: dead, 8 of 8 leased, failures in a row: 8", "a: ready, 1 of 1 leased")
		})
		var stall *clock.StallError
		if !errors.As(err, &stall) || stall.At != 7*sec {
			t.Errorf("order %d: %v, want a standstill at 7s", order, err)
		}
	}
}

// Trap 3: a cooldown that starts later and ends earlier must move the alarm.
func TestLaterCooldownThatEndsEarlier(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1), res("b", 1)}, func(s *sim) {
			s.cool("a", 30*sec)
			b := s.lease(pool.Query{ID: "b"})
			s.waiter("1st", pool.Query{}, 0)
			s.waiter("2nd", pool.Query{ID: "a"}, 0)
			s.until(5 * sec)
			b.Degrade(5 * sec)
			b.Release()
			s.until(60 * sec)
			s.timeline("10s 1st gets b", "30s 2nd gets a")
		})
	}
}

// The alarm that was moved does not ring at its old time: nothing is left to
// happen after 10s. (With Barging it is set again at 10s: the woken waiter has
// not left the line yet.)
func TestReplacedAlarmIsGone(t *testing.T) {
	err := trySimulate(t, pool.Options{}, []pool.Resource{res("a", 1), res("b", 1)}, func(s *sim) {
		s.cool("a", 9*time.Minute)
		b := s.lease(pool.Query{ID: "b"})
		s.task("w", func(ctx context.Context) {
			s.p.Acquire(ctx, pool.Query{})
			s.v.NewWaiter(nil).Park(ctx) // for ever
		})
		s.until(5 * sec)
		b.Degrade(5 * sec)
		b.Release()
	})
	var stall *clock.StallError
	if !errors.As(err, &stall) || stall.At != 10*sec {
		t.Errorf("%v, want a standstill at 10s", err)
	}
}

// A resource that dies while others wait for it is waited for until its first
// probe.
func TestWaitingForTheFirstProbe(t *testing.T) {
	health := pool.DefaultHealth()
	health.DegradeAfter, health.DeadAfter = 0, 1
	for _, order := range orders {
		simulate(t, pool.Options{Order: order, Health: health}, []pool.Resource{res("a", 1)}, func(s *sim) {
			l := s.lease(pool.Query{})
			s.waiter("w", pool.Query{}, 0)
			s.until(1 * sec)
			l.Report(pool.Outcome{Err: errDown})
			l.Release()
			s.until(60 * sec)
			s.timeline("31s w gets a")
		})
	}
}

// A wait that becomes pointless ends at that moment, whatever makes it so.
func TestWaitBecomesPointless(t *testing.T) {
	health := pool.DefaultHealth()
	health.DegradeAfter, health.DeadAfter = 2, 3
	mortal := health
	mortal.DegradeAfter = 0
	fails := func(n int) func(*pool.Lease) {
		return func(l *pool.Lease) {
			for range n {
				l.Report(pool.Outcome{Err: errDown})
			}
		}
	}
	for _, c := range []struct {
		name   string
		health pool.Health
		probe  bool // the lease is a probe
		change func(l *pool.Lease)
	}{
		{"a cooldown", health, false, fails(2)},
		{"a longer cooldown", health, false, func(l *pool.Lease) { l.Report(refused(5 * sec)); l.Report(refused(50 * sec)) }},
		{"death", mortal, false, fails(3)},
		{"a failed probe", health, true, fails(1)},
		{"a refused probe", health, true, func(l *pool.Lease) { l.Report(refused(1)) }},
		{"a probe without a report", health, true, func(l *pool.Lease) { l.Release() }},
	} {
		for _, order := range orders {
			t.Run(c.name, func(t *testing.T) {
				simulate(t, pool.Options{Order: order, Health: c.health}, []pool.Resource{res("a", 9)}, func(s *sim) {
					l := s.lease(pool.Query{})
					if c.probe {
						fails(3)(l)
						l.Release()
						s.until(30 * sec)
						l = s.lease(pool.Query{})
					} else {
						s.p.SetCapacity("a", 1)
					}
					start := s.v.Elapsed()
					s.task("w", func(ctx context.Context) {
						ctx, cancel := s.v.WithTimeout(ctx, 20*sec)
						defer cancel()
						_, err := s.p.Acquire(ctx, pool.Query{})
						var cooling *pool.CooldownError
						if !errors.As(err, &cooling) || s.v.Elapsed() != start+sec {
							t.Errorf("at %v: %v", s.v.Elapsed(), err)
						}
					})
					s.until(start + sec)
					c.change(l)
					s.until(start + time.Hour)
				})
			})
		}
	}
}

// An alarm that was set for a cooldown that became longer, or that ended early,
// rings in vain and is set again.
func TestCooldownThatMoves(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 3)}, func(s *sim) {
			l := s.lease(pool.Query{})
			l.Degrade(10 * sec)
			s.waiter("1st", pool.Query{}, 0)
			s.waiter("2nd", pool.Query{}, 100*sec)
			s.until(5 * sec)
			l.Degrade(20 * sec)
			s.until(26 * sec)
			s.timeline("25s 1st gets a", "25s 2nd gets a")
			l.Degrade(50 * sec)
			s.waiter("3rd", pool.Query{}, 0)
			s.until(30 * sec)
			l.Report(pool.Outcome{})
			s.v.Sleep(s.ctx, 0)
			l.Degrade(70 * sec)
			s.waiter("4th", pool.Query{}, 0)
			s.until(200 * sec)
			s.timeline("25s 1st gets a", "25s 2nd gets a", "30s 3rd gets a", "1m40s 4th gets a")
		})
	}
}

// Nobody waits, nothing is armed: a run ends with its last task, and a pool at
// rest costs no events.
func TestNobodyWaitsNothingIsArmed(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 8), res("b", 1)}, func(s *sim) {
			before := s.v.Steps()
			s.fail("a", 7)
			s.cool("b", 10*sec)
			s.until(time.Hour)
			if n := s.v.Steps() - before; n != 1 {
				t.Errorf("order %d: %d steps for one sleep", order, n)
			}
		})
	}
}

// The alarm stays when those who waited leave, and does no harm.
func TestAlarmOutlivesItsWaiters(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1)}, func(s *sim) {
			s.cool("a", 30*sec)
			ctx, cancel := s.v.WithTimeout(s.ctx, time.Hour)
			s.task("quitter", func(context.Context) {
				_, err := s.p.Acquire(ctx, pool.Query{})
				s.note("quitter: %v", errors.Is(err, context.Canceled))
			})
			s.until(10 * sec)
			cancel()
			s.until(20 * sec)
			s.waiter("w", pool.Query{}, 0)
			s.until(40 * sec)
			s.cool("a", 10*sec)
			s.waiter("w", pool.Query{}, 0)
			s.until(60 * sec)
			s.timeline("10s quitter: true", "30s w gets a", "50s w gets a")
		})
	}
}
