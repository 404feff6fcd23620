package pool_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// What operators of pools, clients and limiters report most: counts that drift,
// and preferences that become obligations.

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
