// Package acquire gets leases from pools: which resource to ask for, what to do
// while there is none, and what to do after a failure.
//
// # Algorithms
//
// An [Algorithm] gets one lease. Those that come with the package are named by
// spec strings, so that a flag or a configuration file can choose:
//
//	immediate                          one try
//	wait(timeout=60s)                  park in the pool's queue
//	backoff(base=100ms,cap=2s)         try, sleep, try again
//	failover(pools=a|b)                one try in each pool, then wait for the first
//	least_busy, sticky, quota_aware    a preference, then a fallback
//
// [Definitions] lists all of them with their rules and parameters, [Parse] makes
// one from its spec string, and [Register] adds one of your own: whatever
// implements the one method of Algorithm. An algorithm sees a [Request] and
// nothing else. It keeps no state between acquisitions, reads no clock but the
// pool's and draws no random numbers but the request's; so the same algorithm
// runs in production and, deterministically, in a simulation.
//
// # Failures
//
// [Classify] tells from an error alone what kind of failure it is, and
// [ParseRetryAfter] reads how long a server asks to wait. A [Retry] policy puts
// the two together with a [Backoff]: it decides, given a failed attempt, how
// long to wait before the next one, or why there is none. A [Budget] keeps the
// retries of all callers together within a fraction of their operations.
//
// # All in one
//
// [Do] leases, calls, reports, releases and retries:
//
//	err := acquire.Do(ctx, acquire.Options{
//		Request: acquire.Request{Pool: p},
//		Retry:   acquire.DefaultRetry(),
//	}, func(ctx context.Context, lease *pool.Lease) (map[string]float64, error) {
//		return nil, send(ctx, lease.Client())
//	})
//
// It never begins a wait that would not end before the deadline of ctx, and a
// [GiveUpError] says why it stopped and what the server said last. Do is for
// calls that may be repeated: an error does not prove that the server did
// nothing.
package acquire
