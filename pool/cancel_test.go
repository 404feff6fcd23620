package pool_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// Cancelling an acquisition, wherever it is, leaves no trace: one that fails
// holds nothing, the others get what they would have got without it, and
// afterwards the whole capacity can be leased. The cancellation comes at every
// instant of a world in which everything happens (waiting in line, a hand-over,
// a cooldown, factories that succeed, fail and take time), and after each number
// of task switches at that instant.
func TestCancellationAtEveryPoint(t *testing.T) {
	for _, order := range orders {
		for _, wait := range []bool{true, false} {
			outcomes := map[string]int{}
			for at := time.Duration(0); at <= 12*sec; at += sec / 2 {
				for yields := range 6 {
					outcomes[cancelAt(t, order, wait, at, yields)]++
				}
			}
			// The test is worth something only if both were met.
			if outcomes["leased"] == 0 || outcomes["cancelled"] == 0 {
				t.Errorf("order %d: outcomes %v", order, outcomes)
			}
		}
	}
}

func cancelAt(t *testing.T, order pool.Order, wait bool, at time.Duration, yields int) (outcome string) {
	name := fmt.Sprintf("order %d, wait %v, cancelled at %v after %d switches", order, wait, at, yields)
	calls := 0
	a := pool.Resource{ID: "a", Capacity: 2, Factory: func(ctx context.Context) (any, error) {
		calls++
		clk := ctx.Value(clockKey{}).(interface {
			Sleep(context.Context, time.Duration) error
		})
		if err := clk.Sleep(ctx, 1*sec); err != nil {
			return nil, err
		}
		if calls == 1 {
			return nil, errDown
		}
		return "client", nil
	}}
	health := pool.DefaultHealth()
	health.DegradeAfter, health.Cooldown = 2, 3*sec
	simulate(t, pool.Options{Order: order, Health: health}, []pool.Resource{a, res("b", 1)}, func(s *sim) {
		root := context.WithValue(s.ctx, clockKey{}, s.v)
		acquire := func(ctx context.Context) (*pool.Lease, error) {
			if wait {
				return s.p.Acquire(ctx, pool.Query{})
			}
			for { // try until it works
				l, err := s.p.TryAcquire(ctx, pool.Query{ID: "a"})
				if err == nil || s.v.Sleep(ctx, sec/4) != nil {
					return l, err
				}
			}
		}
		got := 0
		use := func(ctx context.Context, start time.Duration) error {
			s.v.Sleep(ctx, start)
			l, err := acquire(ctx)
			if err != nil {
				if l != nil {
					t.Errorf("%s: a lease and error %v", name, err)
				}
				return err
			}
			got++
			s.v.Sleep(root, 2*sec)
			l.Report(pool.Outcome{})
			l.Release()
			return nil
		}
		ctx, cancel := s.v.WithTimeout(root, time.Hour)
		for i := range 4 {
			s.task("other", func(context.Context) { use(root, time.Duration(i)*sec/2) })
		}
		s.task("victim", func(context.Context) {
			outcome = "leased"
			if err := use(ctx, sec/2); err != nil {
				outcome = "cancelled"
				if wait && !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
		s.task("canceller", func(ctx context.Context) {
			s.v.Sleep(ctx, at)
			for range yields {
				s.v.Sleep(ctx, 0)
			}
			cancel()
		})
		s.until(60 * sec)
		if want := map[string]int{"leased": 5, "cancelled": 4}[outcome]; got != want {
			t.Errorf("%s: %d leases, the victim %s", name, got, outcome)
		}
		for _, st := range s.p.Snapshot() {
			if st.Active != 0 || st.State != pool.Ready {
				t.Errorf("%s: left behind: %v", name, st)
			}
		}
		for range 3 {
			if _, err := s.p.TryAcquire(root, pool.Query{}); err != nil {
				t.Errorf("%s: the capacity cannot be leased: %v", name, err)
			}
		}
	})
	return outcome
}

type clockKey struct{}
