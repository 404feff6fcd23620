package pool_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// expect compares the events of a subscription with lines.
func (s *sim) expect(sub *pool.Subscription, want ...string) {
	s.t.Helper()
	var got []string
	for _, e := range sub.Drain() {
		if e.Pool != "test" {
			s.t.Errorf("event of pool %q", e.Pool)
		}
		got = append(got, e.String())
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("events:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// One history that has every kind of event.
func TestEveryEvent(t *testing.T) {
	health := pool.DefaultHealth()
	health.DegradeAfter, health.DeadAfter = 1, 2
	o := pool.Options{Health: health, SlowWait: 4 * sec, LeakAfter: 20 * sec}
	simulate(t, o, nil, func(s *sim) {
		sub := s.p.Subscribe(100)
		defer sub.Close()
		s.p.Publish(res("a", 1))
		l := s.lease(pool.Query{Holder: "me"})
		l.Release()
		l.Release()
		s.expect(sub, `0s published "a"`, `0s leased "a", lease 1, holder "me"`, `0s released "a", lease 1, holder "me"`)

		l = s.lease(pool.Query{})
		s.until(1 * sec)
		l.Report(pool.Outcome{Err: errDown})
		l.Release()
		s.expect(sub, `0s leased "a", lease 2`, `1s degraded "a", for 30s: 503`, `1s released "a", lease 2`)

		s.until(40 * sec)
		l = s.lease(pool.Query{})
		l.Report(pool.Outcome{Err: errDown})
		l.Release()
		s.expect(sub, `40s recovered "a"`, `40s leased "a", lease 3`, `40s dead "a", for 30s: 503`, `40s released "a", lease 3`)

		s.until(70 * sec)
		l = s.lease(pool.Query{Holder: "prober"})
		l.Report(pool.Outcome{})
		s.expect(sub, `1m10s probing "a", lease 4, holder "prober"`, `1m10s leased "a", lease 4, holder "prober"`, `1m10s recovered "a"`)

		s.waiter("slow", pool.Query{ID: "a", Holder: "slow"}, 0)
		s.until(72 * sec)
		s.waiter("slower", pool.Query{}, 0)
		s.until(80 * sec)
		s.expect(sub, `1m14s slow wait "a", holder "slow", for 4s`, `1m16s slow wait, for 4s`)

		s.until(100 * sec)
		s.expect(sub, `1m30s leaked "a", lease 4, holder "prober", for 20s`)
		l.Release()
		s.rest()
		s.expect(sub, `1m40s released "a", lease 4, holder "prober"`, `1m40s leased "a", lease 5, holder "slow"`,
			`1m40s released "a", lease 5, holder "slow"`, `1m40s leased "a", lease 6`, `1m40s released "a", lease 6`)

		s.lease(pool.Query{Holder: "me"})
		s.waiter("second", pool.Query{Holder: "me"}, 0)
		s.rest()
		s.p.Revoke("a")
		s.expect(sub, `1m40s leased "a", lease 7, holder "me"`,
			`1m40s suspected deadlock "a", lease 7, holder "me", a deadlock: 1 of 1 leases are held by tasks that wait for another one; "me" holds lease 7 of "a"`,
			`1m40s revoked "a"`)

		s.p.Publish(factory("b", 1, new(int), errDial, "client"))
		s.rest()
		s.expect(sub, `1m40s published "b"`,
			`1m40s factory failed "b", holder "me": resource "b": factory: dial: connection refused`,
			`1m40s degraded "b", for 30s: resource "b": factory: dial: connection refused`,
			`1m40s suspected deadlock "a", lease 7, holder "me", a deadlock: 1 of 1 leases are held by tasks that wait for another one; "me" holds lease 7 of "a"`)
	})
}

// What is reported once is not reported again.
func TestLeaksAndSlowWaitsAreReportedOnce(t *testing.T) {
	o := pool.Options{SlowWait: 2 * sec, LeakAfter: 3 * sec}
	simulate(t, o, []pool.Resource{res("a", 3)}, func(s *sim) {
		sub := s.p.Subscribe(100)
		l1 := s.lease(pool.Query{})
		s.until(1 * sec)
		l2 := s.lease(pool.Query{})
		l3 := s.lease(pool.Query{})
		s.waiter("w", pool.Query{Holder: "w"}, 0)
		s.until(2 * sec)
		l2.Release()
		s.waiter("w", pool.Query{Holder: "w"}, 0)
		s.until(time.Hour)
		l1.Release()
		l3.Release()
		var leaks, slow []string
		for _, e := range sub.Drain() {
			switch e.Kind {
			case pool.Leaked:
				leaks = append(leaks, e.String())
			case pool.SlowWait:
				slow = append(slow, e.String())
			}
		}
		if got, want := strings.Join(leaks, "; "), `3s leaked "a", lease 1, for 3s; 4s leaked "a", lease 3, for 3s`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if slow != nil {
			t.Errorf("%v: nobody waited for 2s", slow)
		}
	})
}

// A wait that goes on after a factory has failed is one wait.
func TestSlowWaitOfTwoParts(t *testing.T) {
	health := pool.DefaultHealth()
	health.DegradeAfter = 1
	simulate(t, pool.Options{Health: health, SlowWait: 2 * sec}, []pool.Resource{res("b", 1)}, func(s *sim) {
		sub := s.p.Subscribe(100)
		b := s.lease(pool.Query{})
		s.waiter("w", pool.Query{Holder: "w"}, 0)
		s.until(3 * sec)
		s.p.Publish(slow(s, "a", 1, errDial))
		s.until(10 * sec)
		b.Release()
		s.rest()
		var slow []string
		for _, e := range sub.Drain() {
			if e.Kind == pool.SlowWait {
				slow = append(slow, e.String())
			}
		}
		if got, want := strings.Join(slow, "; "), `2s slow wait, holder "w", for 2s`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// A holder that has another lease is suspected, but it is a deadlock only if
// all of them wait.
func TestSuspicionIsNotYetADeadlock(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 2)}, func(s *sim) {
		sub := s.p.Subscribe(100)
		mine := s.lease(pool.Query{Holder: "me"})
		other := s.lease(pool.Query{Holder: "other"})
		s.waiter("stranger", pool.Query{Holder: "stranger"}, sec)
		s.waiter("me", pool.Query{Holder: "me"}, sec)
		s.until(1 * sec)
		other.Release()
		mine.Release()
		s.until(9 * sec)
		n := 0
		for _, e := range sub.Drain() {
			if e.Kind == pool.SuspectedDeadlock {
				n++
				if e.Holder != "me" || e.Deadlock || !strings.HasPrefix(e.Detail, "1 of 2 leases") {
					t.Errorf("%v", e)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d suspicions, want one", n)
		}
	})
}

// A slow reader loses the oldest events, and knows how many.
func TestSubscriptionDropsTheOldest(t *testing.T) {
	for _, c := range []struct {
		limit, events, dropped int
	}{{-5, 3, 2}, {0, 3, 2}, {1, 1, 0}, {4, 3, 0}, {4, 4, 0}, {4, 5, 1}, {4, 11, 7}} {
		simulate(t, pool.Options{}, nil, func(s *sim) {
			sub := s.p.Subscribe(c.limit)
			for n := range c.events {
				s.until(time.Duration(n) * sec)
				s.p.Publish(res("a", 1))
			}
			if got := sub.Dropped(); got != uint64(c.dropped) {
				t.Errorf("%+v: %d dropped", c, got)
			}
			all := sub.Drain()
			for i, e := range all {
				if e.At != time.Duration(c.dropped+i)*sec {
					t.Errorf("%+v: event %d is of %v", c, i, e.At)
				}
			}
			if len(all) != c.events-c.dropped {
				t.Errorf("%+v: %d events", c, len(all))
			}
		})
	}
}

// However events are added and read, what is read is what was added, in order,
// except for the oldest of too many.
func TestSubscriptionIsAQueue(t *testing.T) {
	simulate(t, pool.Options{}, nil, func(s *sim) {
		const limit = 5
		sub := s.p.Subscribe(limit)
		var want []time.Duration
		var dropped uint64
		for n := range 2000 {
			s.until(time.Duration(n) * sec)
			switch x := n * n % 7; {
			case x < 4:
				s.p.Publish(res("a", 1))
				if want = append(want, s.v.Elapsed()); len(want) > limit {
					want = want[1:]
					dropped++
				}
			case len(want) > 0:
				if e, err := sub.Next(s.ctx); err != nil || e.At != want[0] {
					t.Fatalf("%v, %v; want %v", e, err, want[0])
				}
				want = want[1:]
			}
			if n%97 == 0 {
				if got := len(sub.Drain()); got != len(want) {
					t.Fatalf("%d events, want %d", got, len(want))
				}
				want = nil
			}
		}
		if sub.Dropped() != dropped || dropped == 0 {
			t.Errorf("%d dropped, want %d", sub.Dropped(), dropped)
		}
	})
}

func TestReadingEventsWaits(t *testing.T) {
	simulate(t, pool.Options{}, nil, func(s *sim) {
		sub := s.p.Subscribe(10)
		late := s.p.Subscribe(10)
		ctx, cancel := s.v.WithTimeout(s.ctx, 5*sec)
		defer cancel()
		s.task("reader", func(context.Context) {
			for {
				e, err := sub.Next(ctx)
				if err != nil {
					s.note("deadline: %v", errors.Is(err, context.DeadlineExceeded))
					return
				}
				s.note("%v", e.Kind)
			}
		})
		s.task("late reader", func(ctx context.Context) {
			s.v.Sleep(ctx, 6*sec)
			for {
				e, err := late.Next(ctx)
				if err != nil {
					s.note("closed: %v", errors.Is(err, pool.ErrClosed))
					return
				}
				s.note("late %v", e.Kind)
			}
		})
		s.until(1 * sec)
		s.p.Publish(res("a", 1))
		s.p.Revoke("a")
		s.until(7 * sec)
		late.Close()
		late.Close()
		s.p.Publish(res("a", 1))
		s.until(8 * sec)
		s.timeline("1s published", "1s revoked", "5s deadline: true", "6s late published", "6s late revoked", "7s closed: true")
		if got := len(sub.Drain()); got != 1 {
			t.Errorf("%d events since the reader left", got)
		}
	})
}

func TestKindsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := pool.Published; k <= pool.SuspectedDeadlock; k++ {
		seen[k.String()] = true
	}
	if len(seen) != 12 || seen["unknown"] || pool.EventKind(-1).String() != "unknown" || pool.EventKind(99).String() != "unknown" {
		t.Errorf("%v", seen)
	}
}
