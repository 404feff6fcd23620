package acquire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// immediate takes what is there now.
type immediate struct{}

func (immediate) Acquire(ctx context.Context, req Request) (*pool.Lease, error) {
	return req.Pool.TryAcquire(ctx, req.Query)
}

// wait parks in the pool's own queue, in the pool's order of service.
type wait struct {
	timeout time.Duration // 0 is none
}

func (w wait) Acquire(ctx context.Context, req Request) (*pool.Lease, error) {
	clk := req.Pool.Clock()
	deadline, has := ctx.Deadline()
	if w.timeout == 0 || has && deadline.Sub(clk.Now()) <= w.timeout {
		return req.Pool.Acquire(ctx, req.Query) // nothing but ctx limits this
	}
	limited, cancel := clk.WithTimeout(ctx, w.timeout)
	defer cancel()
	lease, err := req.Pool.Acquire(limited, req.Query)
	if errors.Is(err, context.DeadlineExceeded) { // limited's: ctx's comes later
		return nil, &timeoutError{fmt.Sprintf("wait: no lease within the timeout of %v", w.timeout), err}
	}
	return lease, err
}
