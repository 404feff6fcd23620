package acquire

import (
	"context"

	"github.com/ranktest/ranktest/pool"
)

// leastBusy makes one try before its fallback. The pool's own rule of selection
// is least busy first, so there is nothing else to say.
type leastBusy struct {
	fallback Algorithm
}

func (l leastBusy) Acquire(ctx context.Context, req Request) (*pool.Lease, error) {
	if lease, err := req.Pool.TryAcquire(ctx, req.Query); err == nil {
		return lease, nil
	}
	return l.fallback.Acquire(ctx, req)
}

// sticky prefers the resource that the attempt has used before. It is only a
// preference: if that one cannot be had at once, whatever the reason, the
// fallback's choice replaces it for good.
type sticky struct {
	fallback Algorithm
}

func (s sticky) Acquire(ctx context.Context, req Request) (*pool.Lease, error) {
	memory := req.Affinity
	if memory == nil {
		return s.fallback.Acquire(ctx, req)
	}
	if memory.id != "" && (req.Query.ID == "" || req.Query.ID == memory.id) {
		again := req.Query
		again.ID = memory.id
		if lease, err := req.Pool.TryAcquire(ctx, again); err == nil {
			return lease, nil
		}
	}
	lease, err := s.fallback.Acquire(ctx, req)
	if err == nil {
		memory.id = lease.ResourceID()
	}
	return lease, err
}

// quotaAware prefers the resource with the most quota left, in proportion, and
// then in amount. It is a preference, not a limit, and applies to its one try:
// a fallback that waits takes what comes.
type quotaAware struct {
	rank     func(pool.View) pool.Score
	fallback Algorithm
}

func (q quotaAware) Acquire(ctx context.Context, req Request) (*pool.Lease, error) {
	ranked := req.Query
	ranked.Rank = q.rank
	if lease, err := req.Pool.TryAcquire(ctx, ranked); err == nil {
		return lease, nil
	}
	return q.fallback.Acquire(ctx, req)
}

// rankByQuota scores (remaining/declared, remaining) of a unit. A resource in
// its reserve, a fraction of the declared quota, comes after all that are not;
// one that declares no quota comes last. (Lowering the ratio by a constant keeps
// the order of declared quotas: the reserve sets them off, it does not re-sort.)
func rankByQuota(unit string, reserve float64) func(pool.View) pool.Score {
	return func(v pool.View) pool.Score {
		declared, ok := v.Quota(unit)
		if !ok {
			return pool.Score{-100, 0}
		}
		remaining := declared - v.Used(unit)
		ratio := 0.0
		if declared > 0 {
			ratio = remaining / declared
		}
		if ratio <= reserve {
			ratio -= 10
		}
		return pool.Score{ratio, remaining}
	}
}
