package pool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// What operators of pools, clients and limiters report most: waits that never
// end.

// A waiter that cannot be served does not hold up those behind it, waiting or
// cancelled.
func TestHeadThatCannotBeServed(t *testing.T) {
	for _, order := range orders {
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
