package oracle_test

import (
	"fmt"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

// O3. The algorithm immediate without retries is Erlang's loss system M/G/c/c:
// the part turned away is B(c, a), which depends on the latency's law through
// its mean only (A. K. Erlang 1917; B. A. Sevastyanov, An ergodic theorem for
// Markov processes and its application to telephone systems with refusals,
// 1957).
//
// The cheapest strong oracle: a lease that is released late, early or twice, a
// capacity that is off by one, or a law of latency with another mean than it
// says, all of them show. Both places that can turn a job away are held to it:
// the pool, by its capacity, and the provider, by what it enforces.
func lossSystem(g *group) {
	const replications, tolerance = 10, 0.015
	jobs := size(20_000)
	lost := func(w provider.World) estimate {
		return estimateOf(simulate(g, w, "immediate", replications), func(s sample) float64 {
			return s.Values["jobs_failed"] / float64(jobs)
		})
	}
	theory := erlangB(12, 11.4)
	g.tabulated("Erlang B", theory, 0.174791, 1e-6)
	for _, l := range latencyLaws {
		g.expect(l.name+": part refused", theory, lost(l.on(queue(12, 11.4, jobs))), tolerance)
	}
	for _, c := range []struct{ offered, refused float64 }{{9.6, 0.104647}, {12, 0.198567}, {14.4, 0.288852}} {
		g.tabulated("Erlang B", erlangB(12, c.offered), c.refused, 1e-6)
		g.expect(fmt.Sprintf("offered %v: part refused", c.offered), c.refused, lost(queue(12, c.offered, jobs)), tolerance)
	}

	// The pool would hand out a thousand leases; the provider takes twelve.
	enforced := queue(12, 11.4, jobs)
	enforced.Endpoints[0].Capacity, enforced.Endpoints[0].Weight = 1000, 0.012
	g.expect("enforced by the provider: refusal_rate", theory,
		estimateOf(simulate(g, enforced, "immediate", replications), metric("refusal_rate", 1)), tolerance)

	g.reject("a place more", theory, lost(queue(13, 11.4, jobs)), tolerance)
	median := queue(12, 11.4, jobs)
	median.Endpoints[0] = provider.Endpoint{ID: "server", Capacity: 12, Weight: 1, Sigma: 0.5, Median: time.Second}
	g.reject("the mean taken for the median", theory, lost(median), tolerance)
}

// latencyLaw is a distribution with the mean 1 s.
type latencyLaw struct {
	name   string
	square float64 // E[S^2], in s^2
	law    provider.Law
	sigma  float64
	tail   float64 // tail rate; the factor is 10
}

// The second moments: of a log-normal variate e^(sigma^2), relative to its
// squared mean; with a tail of x10 in a part p of the cases, (1+99p)/(1+9p)^2
// times that.
var latencyLaws = []latencyLaw{
	{name: "exponential", law: provider.Exponential, square: 2},
	{name: "deterministic", law: provider.Deterministic, square: 1},
	{name: "log-normal 0.5", sigma: 0.5, square: 1.2840254166877414},
	{name: "log-normal 1", sigma: 1, square: 2.718281828459045},
	{name: "log-normal 0.5, 2 % x10", sigma: 0.5, tail: 0.02, square: 1.2840254166877414 * 2.98 / (1.18 * 1.18)},
}

// on gives the law to the endpoint of a queue.
func (l latencyLaw) on(w provider.World) provider.World {
	e := &w.Endpoints[0]
	e.Law, e.Sigma, e.TailRate, e.TailFactor = l.law, l.sigma, l.tail, 10
	return w
}
