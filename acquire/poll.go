package acquire

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// poll is the algorithm named backoff: it tries, sleeps, and tries again, and
// never queues in the pool, so nothing wakes it early.
//
// Its k-th sleep is the k-th delay of the backoff, whatever the pool tells,
// with one exception. If the acquisition is limited (by max_wait or by ctx's
// deadline) and every matching resource is cooling down, then the end of the
// earliest cooldown decides whether the limit can be met at all: within it, poll
// sleeps exactly until then, and beyond it poll fails at once. That sleep is no
// backoff: it draws nothing and does not count for k. A cooldown that is longer
// than the pool's MaxRetryAfter is not waited for, limit or not.
type poll struct {
	Backoff
	maxWait time.Duration // 0 is none
}

func (p poll) Acquire(ctx context.Context, req Request) (*pool.Lease, error) {
	clk := req.Pool.Clock()
	var began time.Duration
	if p.maxWait > 0 { // otherwise it does not matter
		began = clk.Elapsed()
	}
	for k := 1; ; {
		lease, err := req.Pool.TryAcquire(ctx, req.Query)
		if err == nil || !worthPolling(err) {
			return lease, err
		}
		left, limit := p.left(ctx, clk, began)
		delay, known := cooldown(err)
		switch {
		case known && tooLong(req.Pool, delay):
			return nil, fmt.Errorf("acquire: backoff: %w: %w", pool.ErrTooLong, err)
		case !known || limit == nil:
			delay = p.Delay(k, req.Rand)
			k++
		}
		if delay > left {
			return nil, p.tooLate(delay, left, limit, err)
		}
		if err := clk.Sleep(ctx, delay); err != nil {
			return nil, fmt.Errorf("acquire: backoff: pool %q: try %d: %w", req.Pool.Name(), k, err)
		}
	}
}

// left returns the longest sleep that the limits allow, and the limit that
// decides: ErrTimeout for max_wait, context.DeadlineExceeded for ctx, or nil.
// After max_wait there is one more try at that very instant; at ctx's deadline
// there is none, because ctx has ended by then.
func (p poll) left(ctx context.Context, clk clock.Clock, began time.Duration) (left time.Duration, limit error) {
	left = math.MaxInt64
	if p.maxWait > 0 {
		left, limit = p.maxWait-(clk.Elapsed()-began), ErrTimeout
	}
	if deadline, ok := ctx.Deadline(); ok {
		if d := deadline.Sub(clk.Now()) - 1; d < left {
			left, limit = d, context.DeadlineExceeded
		}
	}
	return left, limit
}

func (p poll) tooLate(delay, left time.Duration, limit, err error) error {
	if limit == ErrTimeout {
		return &timeoutError{fmt.Sprintf("backoff: the next try is due in %v, max_wait %v leaves %v",
			delay, p.maxWait, max(left, 0)), err}
	}
	return fmt.Errorf("acquire: backoff: the next try is due in %v, not before the deadline: %w: %w", delay, limit, err)
}

// worthPolling reports whether time can mend err.
func worthPolling(err error) bool {
	return errors.Is(err, pool.ErrUnavailable) && !errors.Is(err, pool.ErrRevoked)
}

// tooLong reports whether the pool would not wait for a cooldown either.
func tooLong(p *pool.Pool, delay time.Duration) bool {
	limit := p.Health().MaxRetryAfter
	return limit > 0 && delay > limit
}

// cooldown returns when the first resource returns, if all of them cool down.
func cooldown(err error) (time.Duration, bool) {
	e, ok := err.(*pool.CooldownError)
	if !ok {
		return 0, false
	}
	return e.RetryAfter, e.RetryAfter > 0
}
