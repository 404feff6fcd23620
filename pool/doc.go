// Package pool shares resources (endpoints, keys, connections) among
// concurrent tasks, and stops using those that do not work.
//
// A [Pool] holds resources in the order in which they were published. Whoever
// needs one acquires a [Lease] of it, reports how the work went, and releases
// the lease:
//
//	lease, err := p.Acquire(ctx, pool.Query{})
//	if err != nil {
//		return err
//	}
//	defer lease.Release()
//	err = call(lease.Client())
//	lease.Report(pool.Outcome{Err: err})
//
// # States
//
// A [Health] policy turns reports into states. A resource is ready; degraded
// until an instant (its cooldown), because it failed several times in a row or
// because the server asked for a pause; dead, after more failures; or revoked
// by its owner. A success makes it ready again. A cooldown that has passed does
// so too, when somebody asks, but does not forgive the failures before it. A
// dead resource is offered to one task at a time as a probe, if the policy
// probes, and otherwise lives again only if a lease that is still out succeeds.
//
// # Selection
//
// There is one allocation point. Among the resources that a [Query] matches and
// that are ready with free capacity, the pool keeps those with the highest
// score (if the query ranks), of these the least busy (active/capacity), and of
// these takes number k mod n in order of publication, where k counts the leases
// handed out so far: equals take turns.
//
// # Waiting
//
// [Pool.TryAcquire] never waits. [Pool.Acquire] waits, on the pool's clock, in
// one of two orders of service: [FIFO] hands freed capacity to the longest
// waiting task that can use it; with [Barging] whoever asks first gets it, the
// releasing task included. While anybody waits one timer is armed for the end
// of the earliest cooldown; nothing polls. A wait that cannot end in time (the
// earliest cooldown ends beyond the caller's deadline, or is longer than the
// policy's MaxRetryAfter) is refused at once with a [CooldownError].
//
// # Time
//
// The pool knows only its [clock.Clock]. On a virtual clock all of the above
// is deterministic; on the real one all methods are safe for concurrent use.
package pool
