package pool_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// The difference between the two orders of service: a task that releases and
// asks again at once.
func TestReleasingTaskAsksAgain(t *testing.T) {
	for _, c := range []struct {
		order pool.Order
		want  []string
	}{
		{pool.FIFO, []string{
			"0s busy 1", "0s 1st waits", "0s 2nd waits",
			"1s busy 2 finds nothing", "1s 1st gets a", "2s 2nd gets a",
		}},
		{pool.Barging, []string{
			"0s busy 1", "0s 1st waits", "0s 2nd waits",
			"1s busy 2", "2s busy 3", "3s 1st gets a", "4s 2nd gets a",
		}},
	} {
		simulate(t, pool.Options{Order: c.order}, []pool.Resource{res("a", 1)}, func(s *sim) {
			s.task("busy", func(ctx context.Context) {
				for n := 1; n <= 3; n++ {
					l, err := s.p.TryAcquire(ctx, pool.Query{})
					if err != nil {
						s.note("busy %d finds nothing", n)
						return
					}
					s.note("busy %d", n)
					s.v.Sleep(ctx, 1*sec)
					l.Release()
				}
			})
			s.v.Sleep(s.ctx, 0)
			for _, name := range []string{"1st", "2nd"} {
				s.note("%s waits", name)
				s.waiter(name, pool.Query{}, 1*sec)
			}
			s.until(10 * sec)
			s.timeline(c.want...)
		})
	}
}

// Barging wakes all who could use what is released, once each, and those who
// find nothing keep their places.
func TestBargingKeepsPlaces(t *testing.T) {
	simulate(t, pool.Options{Order: pool.Barging}, []pool.Resource{res("a", 2)}, func(s *sim) {
		l1, l2 := s.lease(pool.Query{}), s.lease(pool.Query{})
		for _, name := range []string{"1st", "2nd", "3rd", "4th"} {
			s.waiter(name, pool.Query{}, 100*sec)
		}
		s.until(1 * sec)
		before := s.v.Steps()
		s.p.SetCapacity("a", 2)
		l1.Release() // all four look, the first finds
		s.rest()
		if n := s.v.Steps() - before; n != 4+5 {
			t.Errorf("%d steps, want 4 looks and 5 of this task", n)
		}
		s.waiter("5th", pool.Query{}, 100*sec)
		s.until(2 * sec)
		l2.Release()
		l2.Release()
		s.until(500 * sec)
		s.timeline("1s 1st gets a", "2s 2nd gets a", "1m41s 3rd gets a", "1m42s 4th gets a", "3m21s 5th gets a")
	})
}

// A waiter that is to look again looks once, however often it is woken before.
func TestOneLookForManyWakeUps(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1)}, func(s *sim) {
			l := s.lease(pool.Query{})
			for _, name := range []string{"1st", "2nd", "3rd"} {
				s.waiter(name, pool.Query{}, 0)
			}
			s.rest()
			before := s.v.Steps()
			for n := range 5 {
				l.Degrade(time.Duration(n+1) * sec)
			}
			l.Release()
			s.rest()
			if n := s.v.Steps() - before; n != 3+5 {
				t.Errorf("order %d: %d steps, want 3 looks and 5 of this task", order, n)
			}
			s.until(60 * sec)
			s.timeline("5s 1st gets a", "5s 2nd gets a", "5s 3rd gets a")
		})
	}
}

// Only those who could use it are woken by a release.
func TestReleaseWakesWhoMatches(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1), res("b", 1)}, func(s *sim) {
			a, b := s.lease(pool.Query{ID: "a"}), s.lease(pool.Query{ID: "b"})
			s.waiter("id b", pool.Query{ID: "b"}, 1*sec)
			s.waiter("filter b", pool.Query{Filter: is("b")}, 1*sec)
			s.waiter("any", pool.Query{}, 1*sec)
			s.until(1 * sec)
			before := s.v.Steps()
			a.Release()
			s.v.Sleep(s.ctx, 0)
			if n := s.v.Steps() - before; n != 2 {
				t.Errorf("order %d: %d steps, want one look and this task", order, n)
			}
			s.until(2500 * ms)
			b.Release()
			s.until(60 * sec)
			s.timeline("1s any gets a", "2.5s id b gets b", "3.5s filter b gets b")
		})
	}
}

// FIFO: at the instant at which a cooldown ends a newcomer, who happens to ask
// before the alarm rings, does not overtake those who wait.
func TestNewcomerDoesNotOvertake(t *testing.T) {
	for _, c := range []struct {
		order pool.Order
		want  string
	}{{pool.FIFO, "10s waiter gets a"}, {pool.Barging, "10s newcomer gets a"}} {
		simulate(t, pool.Options{Order: c.order}, []pool.Resource{res("a", 1)}, func(s *sim) {
			s.task("newcomer", func(ctx context.Context) { // its timer is older than the alarm
				s.v.Sleep(ctx, 10*sec)
				if l, err := s.p.TryAcquire(ctx, pool.Query{}); err == nil {
					s.note("newcomer gets %s", l.ResourceID())
				}
			})
			s.v.Sleep(s.ctx, 0)
			l := s.lease(pool.Query{})
			l.Report(refused(10 * sec))
			l.Release()
			s.task("waiter", func(ctx context.Context) {
				ctx, cancel := s.v.WithTimeout(ctx, 20*sec)
				defer cancel()
				if l, err := s.p.Acquire(ctx, pool.Query{}); err == nil {
					s.note("waiter gets %s", l.ResourceID())
				}
			})
			s.until(30 * sec)
			s.timeline(c.want)
		})
	}
}

// What becomes free is offered to waiters whatever made it free.
func TestEverythingThatFreesCapacityServesWaiters(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *sim, l *pool.Lease)
	}{
		{"release", func(s *sim, l *pool.Lease) { l.Release() }},
		{"capacity grows", func(s *sim, l *pool.Lease) { s.p.SetCapacity("a", 2) }},
		{"another resource is published", func(s *sim, l *pool.Lease) { s.p.Publish(res("b", 1)) }},
		{"it is published again", func(s *sim, l *pool.Lease) { s.p.Publish(res("a", 1)) }},
		{"revoked and published again", func(s *sim, l *pool.Lease) { s.p.Revoke("a"); s.p.Publish(res("a", 1)) }},
		{"a success ends a cooldown", func(s *sim, l *pool.Lease) {
			s.p.SetCapacity("a", 2)
			s.v.Sleep(s.ctx, 0)
			l.Report(pool.Outcome{})
		}},
	} {
		for _, order := range orders {
			t.Run(fmt.Sprintf("%s, order %d", c.name, order), func(t *testing.T) {
				simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1)}, func(s *sim) {
					l := s.lease(pool.Query{})
					s.waiter("w", pool.Query{}, 0)
					s.until(1 * sec)
					c.do(s, l)
					if order == pool.FIFO {
						if _, err := s.p.TryAcquire(s.ctx, pool.Query{}); err == nil {
							t.Error("who freed it took it")
						}
					}
					s.until(2 * sec)
					s.timeline("1s w gets " + map[bool]string{true: "b", false: "a"}[c.name == "another resource is published"])
				})
			})
		}
	}
}

// A filter may look at what is measured: a report or a grant can make it true.
func TestFilterThatBecomesTrue(t *testing.T) {
	for _, c := range []struct {
		name   string
		filter pool.Filter
		change func(s *sim, l *pool.Lease)
	}{
		{"by usage", func(v pool.View) bool { return v.Used("x") > 0 }, func(s *sim, l *pool.Lease) {
			l.Report(pool.Outcome{Usage: map[string]float64{"x": 1}})
		}},
		{"by latency", func(v pool.View) bool { return v.Latency() > 0 }, func(s *sim, l *pool.Lease) {
			l.Report(pool.Outcome{Latency: 1})
		}},
		{"by a failed use", func(v pool.View) bool { return v.Used("x") > 0 }, func(s *sim, l *pool.Lease) {
			l.Report(pool.Outcome{Err: errDown, Usage: map[string]float64{"x": 1}})
		}},
		{"by a release", func(v pool.View) bool { return v.Active() == 0 }, func(s *sim, l *pool.Lease) { l.Release() }},
		{"by a grant", func(v pool.View) bool { return v.Active() > 1 }, func(s *sim, l *pool.Lease) { s.lease(pool.Query{}) }},
		{"by a grant to one who would have waited", func(v pool.View) bool { return v.Active() > 1 }, func(s *sim, l *pool.Lease) {
			s.p.Acquire(s.ctx, pool.Query{})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulate(t, pool.Options{}, []pool.Resource{res("a", 3)}, func(s *sim) {
				l := s.lease(pool.Query{})
				s.waiter("w", pool.Query{Filter: c.filter}, 0)
				s.until(1 * sec)
				c.change(s, l)
				s.until(2 * sec)
				s.timeline("1s w gets a")
			})
		})
	}
}

// What one waiter gets can be what another one waits for.
func TestGrantThatServesAnother(t *testing.T) {
	simulate(t, pool.Options{}, nil, func(s *sim) {
		s.waiter("1st", pool.Query{Filter: func(v pool.View) bool { return v.Active() > 0 }}, 0)
		s.waiter("2nd", pool.Query{Filter: func(v pool.View) bool { return v.Active() == 0 }}, 0)
		s.until(1 * sec)
		s.p.Publish(res("a", 3))
		s.until(2 * sec)
		s.timeline("1s 2nd gets a", "1s 1st gets a")
	})
}
