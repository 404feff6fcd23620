package pool_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// The worked example of both policies: failures in a row degrade at 3, again at
// each further one, and kill at 8.
func TestFailuresDegradeThenKill(t *testing.T) {
	for _, c := range []struct {
		health pool.Health
		dead   string
	}{
		{pool.ReferenceHealth(), "a: dead, 8 of 8 leased, failures in a row: 8"},
		{pool.DefaultHealth(), "a: dead, probed at 40s, 8 of 8 leased, failures in a row: 8"},
	} {
		simulate(t, pool.Options{Health: c.health}, []pool.Resource{res("a", 8)}, func(s *sim) {
			var l [8]*pool.Lease
			for i := range l {
				l[i] = s.lease(pool.Query{})
			}
			want := []string{
				"a: ready, 8 of 8 leased, failures in a row: 1",
				"a: ready, 8 of 8 leased, failures in a row: 2",
				"a: degraded until 32s, 8 of 8 leased, failures in a row: 3",
				"a: degraded until 34s, 8 of 8 leased, failures in a row: 4",
				"a: degraded until 35s, 8 of 8 leased, failures in a row: 5",
				"a: degraded until 36s, 8 of 8 leased, failures in a row: 6",
				"a: degraded until 38s, 8 of 8 leased, failures in a row: 7",
				c.dead,
			}
			for i, at := range []time.Duration{0, 1 * sec, 2 * sec, 4 * sec, 5 * sec, 6 * sec, 8 * sec, 10 * sec} {
				s.until(at)
				l[i].Report(pool.Outcome{Err: errDown})
				s.states(want[i])
			}
		})
	}
}

// A cooldown that has passed makes the resource ready, but does not forgive:
// one more failure degrades it again, otherwise it could never be dead.
func TestPassedCooldownKeepsTheCount(t *testing.T) {
	simulate(t, pool.Options{Health: pool.ReferenceHealth()}, []pool.Resource{res("a", 8)}, func(s *sim) {
		s.fail("a", 3)
		s.until(30 * sec)
		s.states("a: ready, 0 of 8 leased, failures in a row: 3")
		for n := 4; n < 8; n++ {
			s.fail("a", 1)
			s.states(fmt.Sprintf("a: degraded until %v, 0 of 8 leased, failures in a row: %d", s.v.Elapsed()+30*sec, n))
			s.until(s.v.Elapsed() + 30*sec)
		}
		s.fail("a", 1)
		s.states("a: dead, 0 of 8 leased, failures in a row: 8")
	})
}

// A success forgives everything, at once, also of a dead resource.
func TestSuccessRevives(t *testing.T) {
	for _, failures := range []int{1, 3, 8} {
		simulate(t, pool.Options{Health: pool.ReferenceHealth()}, []pool.Resource{res("a", 9)}, func(s *sim) {
			l := s.lease(pool.Query{})
			s.fail("a", failures)
			l.Report(pool.Outcome{})
			s.states("a: ready, 1 of 9 leased")
			l.Release()
			s.fail("a", 2)
			s.states("a: ready, 0 of 9 leased, failures in a row: 2")
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		health pool.Health
		report []pool.Outcome
		want   string
	}{
		{"default: do not count", pool.DefaultHealth(), repeat(refused(0), 9), "a: ready, 0 of 9 leased"},
		{"default: cool down until the server's Retry-After", pool.DefaultHealth(), repeat(refused(7*sec), 1), "a: degraded until 7s, 0 of 9 leased"},
		{"default: a negative Retry-After is none", pool.DefaultHealth(), repeat(refused(-sec), 1), "a: ready, 0 of 9 leased"},
		{"default: refused without an error is refused", pool.DefaultHealth(), []pool.Outcome{{Refused: true, RetryAfter: sec}}, "a: degraded until 1s, 0 of 9 leased"},
		{"default: a failure's Retry-After holds, too", pool.DefaultHealth(), []pool.Outcome{{Err: errDown, RetryAfter: 7 * sec}},
			"a: degraded until 7s, 0 of 9 leased, failures in a row: 1"},
		{"default: of Retry-After and Cooldown the longer one", pool.DefaultHealth(), repeat(pool.Outcome{Err: errDown, RetryAfter: 50 * sec}, 3),
			"a: degraded until 50s, 0 of 9 leased, failures in a row: 3"},
		{"default: a success's Retry-After means nothing", pool.DefaultHealth(), []pool.Outcome{{RetryAfter: sec}}, "a: ready, 0 of 9 leased"},
		{"default: the first probe respects Retry-After", pool.DefaultHealth(), append(repeat(refused(90*sec), 1), repeat(pool.Outcome{Err: errDown}, 8)...),
			"a: dead, probed at 1m30s, 0 of 9 leased, failures in a row: 8"},
		{"reference: count", pool.ReferenceHealth(), repeat(refused(0), 3), "a: degraded until 30s, 0 of 9 leased, failures in a row: 3"},
		{"reference: Retry-After means nothing", pool.ReferenceHealth(), repeat(refused(7*sec), 1), "a: ready, 0 of 9 leased, failures in a row: 1"},
		{"reference: kill", pool.ReferenceHealth(), repeat(refused(0), 8), "a: dead, 0 of 9 leased, failures in a row: 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulate(t, pool.Options{Health: c.health}, []pool.Resource{res("a", 9)}, func(s *sim) {
				l := s.lease(pool.Query{})
				for _, o := range c.report {
					l.Report(o)
				}
				l.Release()
				s.states(c.want)
			})
		})
	}
}

func repeat(o pool.Outcome, n int) []pool.Outcome {
	all := make([]pool.Outcome, n)
	for i := range all {
		all[i] = o
	}
	return all
}

func TestNeverDegradedNeverDead(t *testing.T) {
	simulate(t, pool.Options{Health: pool.Health{DeadAfter: 2}}, []pool.Resource{res("a", 2)}, func(s *sim) {
		s.fail("a", 1)
		s.states("a: ready, 0 of 2 leased, failures in a row: 1")
		s.fail("a", 1)
		s.states("a: dead, 0 of 2 leased, failures in a row: 2")
	})
	simulate(t, pool.Options{Health: pool.Health{MaxRetryAfter: 1}}, []pool.Resource{res("a", 100)}, func(s *sim) {
		s.fail("a", 100)
		s.states("a: ready, 0 of 100 leased, failures in a row: 100")
	})
}

func TestDegrade(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 9)}, func(s *sim) {
		l := s.lease(pool.Query{})
		l.Degrade(5 * sec)
		s.states("a: degraded until 5s, 1 of 9 leased")
		l.Degrade(0)
		s.states("a: degraded until 30s, 1 of 9 leased")
		l.Degrade(5 * sec)
		s.states("a: degraded until 30s, 1 of 9 leased")
		l.Report(pool.Outcome{})
		s.states("a: ready, 1 of 9 leased")
		s.fail("a", 8)
		l.Degrade(time.Hour)
		s.states("a: dead, probed at 30s, 1 of 9 leased, failures in a row: 8")
	})
}

// Publishing again begins anew; what comes back from before changes nothing.
func TestLeasesOfAnOldEpoch(t *testing.T) {
	simulate(t, pool.Options{Health: pool.ReferenceHealth()}, []pool.Resource{res("a", 8), res("b", 1)}, func(s *sim) {
		old := s.lease(pool.Query{ID: "a"})
		s.fail("a", 7)
		s.p.Publish(res("a", 2))
		s.states("a: ready, 0 of 2 leased", "b: ready, 0 of 1 leased")
		s.lease(pool.Query{ID: "a"})
		for range 9 {
			old.Report(pool.Outcome{Err: errDown, Latency: sec, Usage: map[string]float64{"x": 1}})
		}
		old.Degrade(sec)
		old.Release()
		s.states("a: ready, 1 of 2 leased", "b: ready, 0 of 1 leased")
		if st := s.status("a"); st.Latency != 0 || st.Used["x"] != 0 {
			t.Errorf("%+v: the new one was touched", st)
		}
		if old.ResourceID() != "a" {
			t.Error("the old lease lost its resource")
		}
	})
}

func TestRevokedLeasesStayValid(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 2), res("b", 1)}, func(s *sim) {
		l1, l2 := s.lease(pool.Query{ID: "a"}), s.lease(pool.Query{ID: "a"})
		l1.Degrade(5 * sec)
		s.p.Revoke("a")
		s.until(10 * sec) // a cooldown that passes does not bring it back
		s.states("a: revoked, 2 of 2 leased", "b: ready, 0 of 1 leased")
		l1.Report(pool.Outcome{})
		l1.Release()
		s.states("a: revoked, 1 of 2 leased", "b: ready, 0 of 1 leased")
		if l := s.lease(pool.Query{}); l.ResourceID() != "b" {
			t.Errorf("leased %s after it was revoked", l.ResourceID())
		}
		s.p.Publish(res("a", 3)) // last in order now
		s.states("a: revoked, 1 of 2 leased", "b: ready, 1 of 1 leased", "a: ready, 0 of 3 leased")
		l2.Release()
		s.states("b: ready, 1 of 1 leased", "a: ready, 0 of 3 leased")
	})
}

func TestLatencyAverage(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		l := s.lease(pool.Query{})
		for _, c := range []struct{ report, want time.Duration }{
			{0, 0}, {-sec, 0}, // not measured
			{1000 * ms, 1000 * ms},
			{2000 * ms, 1300 * ms}, // 0.7*1 + 0.3*2
			{0, 1300 * ms},
			{100 * ms, 940 * ms}, // 0.7*1.3 + 0.3*0.1
		} {
			l.Report(pool.Outcome{Latency: c.report})
			if got := s.status("a").Latency; (got - c.want).Abs() > 1 {
				t.Errorf("after %v: %v, want %v", c.report, got, c.want)
			}
		}
	})
}
