package pool_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// Waiting for a resource by name ends when it is withdrawn.
func TestWaitingForARevokedResource(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1)}, func(s *sim) {
			s.lease(pool.Query{})
			s.task("w", func(ctx context.Context) {
				_, err := s.p.Acquire(ctx, pool.Query{ID: "a"})
				s.note("revoked: %v", errors.Is(err, pool.ErrRevoked) && errors.Is(err, pool.ErrUnavailable))
			})
			s.until(1 * sec)
			s.p.Revoke("a")
			s.until(2 * sec)
			_, err := s.p.Acquire(s.ctx, pool.Query{ID: "a"})
			s.note("revoked: %v", errors.Is(err, pool.ErrRevoked))
			s.timeline("1s revoked: true", "2s revoked: true")
		})
	}
}

// Deadlines and cancellation are simulated time, to the nanosecond.
func TestTimeoutOfAnAcquisition(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 1)}, func(s *sim) {
			l := s.lease(pool.Query{})
			ctx, cancel := s.v.WithTimeout(s.ctx, 1234567891)
			defer cancel()
			_, err := s.p.Acquire(ctx, pool.Query{})
			if !errors.Is(err, context.DeadlineExceeded) || s.v.Elapsed() != 1234567891 {
				t.Errorf("at %v: %v", s.v.Elapsed(), err)
			}
			l.Release()
			for name, f := range map[string]func(context.Context, pool.Query) (*pool.Lease, error){
				"Acquire": s.p.Acquire, "TryAcquire": s.p.TryAcquire,
			} {
				if l, err := f(ctx, pool.Query{}); l != nil || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s with an ended context: %v, %v", name, l, err)
				}
			}
			s.states("a: ready, 0 of 1 leased")
		})
	}
}

// A standstill names what everybody waits for.
func TestStallNamesWhatIsWaitedFor(t *testing.T) {
	err := trySimulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		l := s.lease(pool.Query{})
		s.task("tourist", func(ctx context.Context) { s.p.Acquire(ctx, pool.Query{ID: "a", Holder: "me"}) })
		s.v.Sleep(s.ctx, sec)
		_ = l
	})
	if !errors.Is(err, clock.ErrStalled) || !strings.Contains(err.Error(), `a lease of pool "test", resource "a", for "me"`) {
		t.Errorf("%v", err)
	}
}
