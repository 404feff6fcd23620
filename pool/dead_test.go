package pool_test

import (
	"context"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// A dead resource gets one probe each Cooldown, and only one at a time.
func TestProbes(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 8)}, func(s *sim) {
		s.fail("a", 8)
		// Three wait; at each probe one of them gets a lease.
		for _, name := range []string{"1st", "2nd", "3rd"} {
			s.task(name, func(ctx context.Context) {
				l, err := s.p.Acquire(ctx, pool.Query{})
				if err != nil {
					s.note("%s: %v", name, err)
					return
				}
				s.note("%s gets a", name)
				s.v.Sleep(ctx, 5*sec)
				switch name {
				case "1st":
					l.Report(pool.Outcome{Err: errDown})
				case "3rd":
					l.Report(pool.Outcome{})
				} // the 2nd says nothing
				l.Release()
			})
		}
		s.until(31 * sec)
		s.states("a: dead, 1 of 8 leased, failures in a row: 8")
		s.until(35 * sec)
		s.v.Sleep(s.ctx, 0) // after the 1st
		s.states("a: dead, probed at 1m5s, 0 of 8 leased, failures in a row: 9")
		s.until(71 * sec)
		s.states("a: dead, probed at 1m40s, 0 of 8 leased, failures in a row: 9")
		s.until(101 * sec)
		s.waiter("4th", pool.Query{}, 0)
		s.until(200 * sec)
		s.timeline("30s 1st gets a", "1m5s 2nd gets a", "1m40s 3rd gets a", "1m45s 4th gets a")
		s.states("a: ready, 0 of 8 leased")
	})
}

// What others report does not end a probe, and an old probe is not a new one.
func TestOnlyTheProbeEndsTheProbe(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 9)}, func(s *sim) {
		old := s.lease(pool.Query{})
		s.fail("a", 8)
		s.until(30 * sec)
		first := s.lease(pool.Query{})
		old.Report(pool.Outcome{Err: errDown})
		old.Report(refused(time.Hour))
		s.states("a: dead, 2 of 9 leased, failures in a row: 9")
		old.Report(pool.Outcome{})
		s.states("a: ready, 2 of 9 leased")
		s.fail("a", 7)
		old.Report(pool.Outcome{Err: errDown})
		s.states("a: dead, probed at 1m0s, 2 of 9 leased, failures in a row: 8")
		s.until(60 * sec)
		s.lease(pool.Query{})
		first.Release()
		s.states("a: dead, 2 of 9 leased, failures in a row: 8")
	})
}

// Without probes a dead resource comes back only by a lease that is still out.
func TestDeadForGood(t *testing.T) {
	simulate(t, pool.Options{Health: pool.ReferenceHealth()}, []pool.Resource{res("a", 9), res("b", 1)}, func(s *sim) {
		doomed := func(want bool) {
			t.Helper()
			if got := s.p.Doomed(); got != want {
				t.Errorf("Doomed() = %v, want %v; %v", got, want, s.p.Snapshot())
			}
		}
		l := s.lease(pool.Query{ID: "a"})
		s.fail("a", 8)
		doomed(false) // b is ready
		b := s.lease(pool.Query{ID: "b"})
		s.p.Revoke("b")
		doomed(false) // l may still succeed
		l.Report(pool.Outcome{})
		doomed(false)
		s.fail("a", 8)
		l.Release()
		doomed(true) // b's lease cannot help: b is revoked
		b.Report(pool.Outcome{})
		b.Release()
		doomed(true)
		s.p.Publish(res("c", 1))
		doomed(false)
		s.p.Revoke("c")
		doomed(true)
		s.p.Publish(res("a", 9))
		doomed(false)
	})
}

func TestNothingPublishedIsNotDoomed(t *testing.T) {
	simulate(t, pool.Options{}, nil, func(s *sim) {
		if s.p.Doomed() {
			t.Error("an empty pool is doomed")
		}
	})
}

func TestProbesKeepHope(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 8)}, func(s *sim) {
		s.fail("a", 8)
		if s.p.Doomed() {
			t.Error("a pool with a probe to come is doomed")
		}
	})
}
