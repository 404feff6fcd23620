package pool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/pool"
)

// factory makes a resource whose factory answers in turn what is in results: a
// client, or an error.
func factory(id string, capacity int, calls *int, results ...any) pool.Resource {
	return pool.Resource{ID: id, Capacity: capacity, Factory: func(context.Context) (any, error) {
		r := results[min(*calls, len(results)-1)]
		*calls++
		if err, ok := r.(error); ok {
			return nil, err
		}
		return r, nil
	}}
}

var errDial = errors.New("dial: connection refused")

func TestFactoryMakesOneClient(t *testing.T) {
	calls := 0
	simulate(t, pool.Options{}, []pool.Resource{factory("a", 2, &calls, "one", "two")}, func(s *sim) {
		l1, l2 := s.lease(pool.Query{}), s.lease(pool.Query{})
		if l1.Client() != "one" || l2.Client() != "one" || calls != 1 {
			t.Errorf("clients %v and %v of %d calls", l1.Client(), l2.Client(), calls)
		}
		s.p.Publish(factory("a", 1, &calls, "one", "two"))
		if l3 := s.lease(pool.Query{}); l3.Client() != "two" || l1.Client() != "one" {
			t.Errorf("a new epoch has client %v, the old one %v", l3.Client(), l1.Client())
		}
		l1.Release()
		if l1.Client() != "one" {
			t.Error("the client is gone with the lease")
		}
	})
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		if c := s.lease(pool.Query{}).Client(); c != nil {
			t.Errorf("client %v without a factory", c)
		}
	})
}

// A factory that fails counts as a failure, and the next best is tried. The
// failure is remembered: the factory is not called again before a cooldown has
// passed, while every selection that comes upon it counts.
func TestFactoryFailure(t *testing.T) {
	calls := 0
	simulate(t, pool.Options{}, []pool.Resource{factory("a", 1, &calls, errDial, "client"), res("b", 9)}, func(s *sim) {
		preferA := pool.Query{Rank: preferring("a")}
		want := []string{
			`a: ready, 0 of 1 leased, failures in a row: 1, factory: resource "a": factory: dial: connection refused`,
			`a: ready, 0 of 1 leased, failures in a row: 2, factory: resource "a": factory: dial: connection refused`,
			`a: degraded until 30s, 0 of 1 leased, failures in a row: 3, factory: resource "a": factory: dial: connection refused`,
			`a: degraded until 30s, 0 of 1 leased, failures in a row: 3, factory: resource "a": factory: dial: connection refused`,
		}
		for i, w := range want {
			if l := s.lease(preferA); l.ResourceID() != "b" || calls != 1 {
				t.Errorf("attempt %d: %s after %d calls", i, l.ResourceID(), calls)
			}
			if st := s.status("a").String(); st != w {
				t.Errorf("attempt %d: %s, want %s", i, st, w)
			}
		}
		s.until(30 * sec)
		s.states("a: ready, 0 of 1 leased, failures in a row: 3", "b: ready, 4 of 9 leased")
		if l := s.lease(preferA); l.Client() != "client" || calls != 2 {
			t.Errorf("second chance: client %v after %d calls", l.Client(), calls)
		}
	})
}

// By name there is no next best, and one attempt counts one failure.
func TestFactoryFailureByName(t *testing.T) {
	calls := 0
	simulate(t, pool.Options{}, []pool.Resource{factory("a", 1, &calls, errDial)}, func(s *sim) {
		for n := 1; n <= 2; n++ {
			_, err := s.p.TryAcquire(s.ctx, pool.Query{ID: "a"})
			if st := s.status("a"); !errors.Is(err, errDial) || st.Failures != n || calls != 1 {
				t.Errorf("attempt %d: %v; %v after %d calls", n, err, st, calls)
			}
		}
	})
}

// Who waits for a second chance that comes too late is told so.
func TestSecondChanceAfterTheDeadline(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{factory("a", 1, new(int), errDial)}, func(s *sim) {
		ctx, cancel := s.v.WithTimeout(s.ctx, 10*sec)
		defer cancel()
		_, err := s.p.Acquire(ctx, pool.Query{})
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, pool.ErrUnavailable) || s.v.Elapsed() != 0 {
			t.Errorf("at %v: %v", s.v.Elapsed(), err)
		}
	})
}

// A failed factory hands out no lease, so the rotation stands still.
func TestFactoryFailureDoesNotRotate(t *testing.T) {
	calls := 0
	bad := factory("a", 1, &calls, errDial)
	simulate(t, pool.Options{}, []pool.Resource{bad, res("b", 1), res("c", 1), res("d", 1)}, func(s *sim) {
		// k=0: a fails, then the first of b c d. k=1: a is ready still, alone
		// with c and d: number 1 of a c d.
		if got := s.pick(2, pool.Query{}); got != "b c" {
			t.Errorf("%s, want b c", got)
		}
	})
}

func TestNothingButFailingFactories(t *testing.T) {
	calls := 0
	bad := []pool.Resource{factory("a", 1, &calls, errDial), factory("b", 1, &calls, errDial)}
	simulate(t, pool.Options{}, bad, func(s *sim) {
		l, err := s.p.TryAcquire(s.ctx, pool.Query{})
		if l != nil || !errors.Is(err, pool.ErrUnavailable) || !errors.Is(err, errDial) || calls != 2 {
			t.Errorf("%v, %v after %d calls; want both causes", l, err, calls)
		}
		if s.p.Snapshot()[1].Failures != 1 {
			t.Error("b was not tried")
		}
		// Who waits gets the first one that works, when it works.
		s.p.Revoke("b")
		s.p.Publish(factory("b", 1, new(int), errDial, errDial, "client"))
		l, err = s.p.Acquire(s.ctx, pool.Query{})
		if err != nil || l.Client() != "client" || s.v.Elapsed() != 60*sec {
			t.Errorf("at %v: %v", s.v.Elapsed(), err)
		}
	})
}

// A policy that never retires anything has no cooldown to wait for: who waits
// is told of the failure.
func TestFailingFactoryWithoutCooldowns(t *testing.T) {
	calls := 0
	o := pool.Options{Health: pool.Health{MaxRetryAfter: sec}}
	simulate(t, o, []pool.Resource{factory("a", 1, &calls, errDial, errDial, "client")}, func(s *sim) {
		for range 2 {
			if _, err := s.p.Acquire(s.ctx, pool.Query{}); !errors.Is(err, errDial) || !errors.Is(err, pool.ErrUnavailable) {
				t.Errorf("%v", err)
			}
		}
		if l, err := s.p.Acquire(s.ctx, pool.Query{}); err != nil || l.Client() != "client" {
			t.Errorf("%v", err)
		}
	})
}

// slow makes a resource whose factory takes a second.
func slow(s *sim, id string, capacity int, err error) pool.Resource {
	return pool.Resource{ID: id, Capacity: capacity, Factory: func(ctx context.Context) (any, error) {
		s.note("factory of %s", id)
		return id, errors.Join(s.v.Sleep(ctx, 1*sec), err)
	}}
}

// While a factory is at work others wait for it, or take something else.
func TestOneFactoryCallAtATime(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, nil, func(s *sim) {
			s.p.Publish(slow(s, "a", 2, nil))
			s.waiter("1st", pool.Query{}, 5*sec)
			s.waiter("2nd", pool.Query{}, 5*sec)
			s.waiter("3rd", pool.Query{}, 5*sec)
			s.v.Sleep(s.ctx, 0)
			if _, err := s.p.TryAcquire(s.ctx, pool.Query{}); !errors.Is(err, pool.ErrUnavailable) {
				t.Errorf("%v", err)
			}
			s.until(60 * sec)
			s.timeline("0s factory of a", "1s 1st gets a", "1s 2nd gets a", "6s 3rd gets a")
		})
	}
}

// A waiter whose factory fails waits on in its old place.
func TestFailedFactoryKeepsThePlaceInLine(t *testing.T) {
	health := pool.DefaultHealth()
	health.DegradeAfter = 1
	simulate(t, pool.Options{Health: health}, []pool.Resource{res("b", 1)}, func(s *sim) {
		b := s.lease(pool.Query{})
		s.waiter("1st", pool.Query{}, sec)
		s.waiter("2nd", pool.Query{ID: "b"}, sec)
		s.waiter("3rd", pool.Query{}, sec)
		s.until(1 * sec)
		s.p.Publish(slow(s, "a", 1, errDial)) // handed to the 1st, which fails at 2s
		s.until(3 * sec)
		b.Release()
		s.until(10 * sec)
		s.timeline("1s factory of a", "3s 1st gets b", "4s 2nd gets b", "5s 3rd gets b")
	})
}

// A caller that gives up while its factory is at work is not the resource's
// fault.
func TestCancelledFactoryIsNoFailure(t *testing.T) {
	simulate(t, pool.Options{}, nil, func(s *sim) {
		s.p.Publish(pool.Resource{ID: "a", Capacity: 1, Factory: func(ctx context.Context) (any, error) {
			if s.v.Sleep(ctx, 1*sec) != nil {
				return nil, errDial // whatever it says
			}
			return "a", nil
		}})
		ctx, cancel := s.v.WithTimeout(s.ctx, 500*ms)
		defer cancel()
		s.v.Sleep(s.ctx, 0)
		if _, err := s.p.Acquire(ctx, pool.Query{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		s.states("a: ready, 0 of 1 leased")
		if l := s.lease(pool.Query{}); l.Client() != "a" {
			t.Error("no client")
		}
	})
}

// A factory that panics holds nothing.
func TestPanickingFactory(t *testing.T) {
	bad := pool.Resource{ID: "a", Capacity: 1, Factory: func(context.Context) (any, error) { panic("boom") }}
	simulate(t, pool.Options{}, []pool.Resource{bad}, func(s *sim) {
		func() {
			defer func() {
				if r := recover(); fmt.Sprint(r) != "boom" {
					t.Errorf("recovered %v", r)
				}
			}()
			s.p.Acquire(s.ctx, pool.Query{})
		}()
		s.states("a: ready, 0 of 1 leased")
	})
}

// So does a filter or a score: the pool can still be used.
func TestPanickingFilter(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		for _, q := range []pool.Query{
			{Filter: func(pool.View) bool { panic("boom") }},
			{Rank: func(pool.View) pool.Score { panic("boom") }},
		} {
			for _, acquire := range []func(context.Context, pool.Query) (*pool.Lease, error){s.p.TryAcquire, s.p.Acquire} {
				func() {
					defer func() { recover() }()
					acquire(s.ctx, q)
					t.Error("no panic")
				}()
			}
		}
		s.states("a: ready, 0 of 1 leased")
		s.lease(pool.Query{})
	})
}

// A probe needs a client, too.
func TestProbeWithAFailingFactory(t *testing.T) {
	calls := 0
	health := pool.DefaultHealth()
	health.DegradeAfter, health.DeadAfter = 0, 1
	a := factory("a", 3, &calls, errDial, errDial, "client")
	simulate(t, pool.Options{Health: health}, []pool.Resource{a}, func(s *sim) {
		l, err := s.p.Acquire(s.ctx, pool.Query{})
		if err != nil || s.v.Elapsed() != 60*sec || calls != 3 {
			t.Errorf("at %v after %d calls: %v", s.v.Elapsed(), calls, err)
			return
		}
		if st := s.status("a").String(); !strings.HasPrefix(st, "a: dead, 1 of 3 leased, failures in a row: 2") {
			t.Error(st)
		}
		l.Report(pool.Outcome{})
		s.states("a: ready, 1 of 3 leased")
	})
}
