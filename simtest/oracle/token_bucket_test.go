package oracle_test

import (
	"fmt"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/draws"
	"github.com/ranktest/ranktest/simtest/provider"
)

// O13. A token bucket of size b that gets a tokens per window w admits, in any
// interval of length t, at most b + a t/w requests (R. L. Cruz, A calculus for
// network delay, 1991: it is the arrival curve); a client that always asks gets
// exactly the whole part of that. (If b is at least 2: a bucket of one token is
// full when a whole one is there, and loses the fraction of a nanosecond that the
// client comes late.)
//
// Times are nanoseconds and everything else is a count, so both are checked
// without any rounding: a bucket that drops the fraction of a token at each
// refill, or rounds a Retry-After down, is found. The wrong variant is a fixed
// window with the same numbers, which admits up to twice as much around its end.
func tokenBuckets(g *group) {
	limits := []provider.Limit{
		{Kind: provider.TokenBucket, Amount: 7, Window: time.Second, Burst: 3},
		{Kind: provider.TokenBucket, Amount: 1000, Window: time.Minute, Burst: 17},
		{Kind: provider.TokenBucket, Amount: 3, Window: 7 * time.Second, Burst: 2},
	}
	for _, l := range limits {
		greedy(g, l)
		for _, load := range []float64{0.5, 1, 5} {
			times := admissions(g, l, load)
			fault := overdrawn(l, times)
			g.holds(fmt.Sprintf("%s, offered %v of it: more than allowed in an interval", bucketName(l), load), "never", sayFault(fault), fault == nil && len(times) > 100)
		}
	}
	window := limits[0]
	window.Kind, window.Burst = provider.FixedWindow, 0
	bucket := limits[0]
	bucket.Burst = bucket.Amount
	g.notices("a fixed window", overdrawn(bucket, admissions(g, window, 5)))
	coarse := limited(limits[0], 1, 300)
	coarse.Endpoints[0].Limits = nil
	coarse.Endpoints[0].Bucket = &provider.Bucket{
		PerWindow: 7, Window: time.Second, Burst: 3.0 / 7, RetryAfter: 10 * time.Millisecond, Tightening: 1, Floor: 1,
	}
	times, _ := admitted(g, asking(coarse))
	fault := overdrawn(limits[0], times)
	g.holds("the bucket that tightens, without tightening: more than allowed in an interval", "never", sayFault(fault), fault == nil)
	g.notices("a greedy client that is told to come back in steps of 10 ms", belated(limits[0], times))
	retryBudget(g)
}

func bucketName(l provider.Limit) string {
	return fmt.Sprintf("%d per %v, size %d", l.Amount, l.Window, l.Burst)
}

func sayFault(err error) string {
	if err == nil {
		return "never"
	}
	return err.Error()
}

// limited is a world with a limit, whose service takes no time to speak of.
func limited(l provider.Limit, rate float64, jobs int) provider.World {
	w := queue(1_000_000, rate, jobs)
	w.Endpoints[0].Law, w.Endpoints[0].Mean = provider.Deterministic, time.Nanosecond
	w.Endpoints[0].Limits = []provider.Limit{l}
	return w
}

// admitted makes a run and returns when requests were admitted, and how many were
// not.
func admitted(g *group, w provider.World) (times []time.Duration, refusals int) {
	observe(g, w, "immediate", 1, func(int) func(*provider.Event) {
		return func(e *provider.Event) {
			switch {
			case e.Kind != provider.RequestSent:
			case e.Outcome == provider.Served:
				times = append(times, e.At)
			default:
				refusals++
			}
		}
	})
	return times, refusals
}

// admissions is admitted for Poisson requests, a multiple of what is allowed,
// that are not tried again.
func admissions(g *group, l provider.Limit, load float64) []time.Duration {
	times, _ := admitted(g, limited(l, load*float64(l.Amount)/l.Window.Seconds(), size(5_000)))
	return times
}

// greedy has one worker that asks again as soon as it is told to: the n-th
// request beyond the first b must be admitted at the first nanosecond at which
// a t/w >= n, after a single refusal.
func greedy(g *group, l provider.Limit) {
	const requests = 3_000
	times, refusals := admitted(g, asking(limited(l, 1, requests)))
	fault := belated(l, times)
	if fault == nil && refusals != requests-l.Burst {
		fault = fmt.Errorf("%d refusals for %d tokens", refusals, requests-l.Burst)
	}
	g.holds(fmt.Sprintf("%s, greedy client: one of %d requests not at the nanosecond of its token", bucketName(l), requests), "never", sayFault(fault), fault == nil && len(times) == requests)
}

// asking makes the client of a world a greedy one.
func asking(w provider.World) provider.World {
	w.Workload.Arrivals, w.Workload.Concurrency = nil, 1
	w.Workload.Horizon = 1000 * time.Hour
	w.Retry = acquire.Retry{MaxAttempts: acquire.Unlimited}
	return w
}

// belated finds a request of a greedy client that was not admitted at the
// nanosecond of its token.
func belated(l provider.Limit, times []time.Duration) error {
	amount := int64(l.Amount)
	for i, at := range times {
		due := time.Duration(i) * time.Nanosecond // one after the other, 1 ns each
		if n := int64(i + 1 - l.Burst); n > 0 {
			due = max(due, time.Duration((n*int64(l.Window)+amount-1)/amount))
		}
		if at != due {
			return fmt.Errorf("request %d at %v, its token at %v", i+1, at, due)
		}
	}
	return nil
}

// overdrawn finds an interval in which more was admitted than b + a t/w. With
// the k-th admission at t(k), the interval from the j-th to the k-th breaks the
// law if (k - j + 1 - b) w > a (t(k) - t(j)); that is so for some j <= k iff
// k w - a t(k) exceeds the least (j - 1) w - a t(j) by more than b w.
func overdrawn(l provider.Limit, times []time.Duration) error {
	amount, window, burst := int64(l.Amount), int64(l.Window), int64(l.Burst)
	least := int64(0)
	for k, at := range times {
		before := int64(k)*window - amount*int64(at)
		if k == 0 || before < least {
			least = before
		}
		if excess := before + window - least - burst*window; excess > 0 {
			return fmt.Errorf("%.3g requests too many up to %v", float64(excess)/float64(window), at)
		}
	}
	return nil
}

// retryBudget holds the client's own bucket to the same: retries <= burst +
// ratio * operations for any sequence of the two, and the whole part of it for
// a client that always wants to retry.
func retryBudget(g *group) {
	const burst, operations = 5, 10_000
	for _, perMille := range []int{0, 37, 100, 333, 1000} {
		within, exact := true, true
		for seed := range uint64(20) {
			random, err := acquire.NewBudget(float64(perMille)/1000, burst)
			if err != nil {
				g.Fatal(err)
			}
			always, _ := acquire.NewBudget(float64(perMille)/1000, burst)
			s := draws.Of(seed, "budget").Stream()
			retries, all := 0, 0
			for n := range operations {
				random.Operation()
				for s.Float64() < 0.5 && random.Retry() {
					retries++
				}
				within = within && 1000*(retries-burst) <= perMille*(n+1)
				if n == 0 { // spend what was saved up, or the first token would not fit
					for always.Retry() {
						all++
					}
				}
				always.Operation()
				for always.Retry() {
					all++
				}
				exact = exact && all == burst+perMille*(n+1)/1000
			}
		}
		what := fmt.Sprintf("retry budget %v: ", float64(perMille)/1000)
		g.holds(what+"more than burst + ratio * operations", "never", verdict(within, "never", "sometimes"), within)
		g.holds(what+"exactly that for a greedy client", "always", verdict(exact, "always", "not always"), exact)
	}
}
