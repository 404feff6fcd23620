package oracle_test

import (
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/draws"
)

// O6. In M/M/1 the mean wait is rho/(1-rho) in whatever order the jobs are
// served, but its second moment is not: with W1 the wait of the first come,
// first served order,
//
//	first come, first served   E[W1^2] = 2 rho/(1-rho)^2
//	at random                  E[W1^2] / (1 - rho/2)
//	last come, first served    E[W1^2] / (1 - rho)
//
// (J. F. C. Kingman, The effect of queue discipline on waiting time variance,
// 1962; L. Takacs, Delay distributions for one line with Poisson input, 1963).
//
// Both of the pool's orders must be first come, first served here: FIFO by
// definition, and Barging because nobody asks at the instant of a release. A
// pool that wakes the wrong waiter keeps every mean; only this shows it. The two
// wrong orders are made by hand at a counter, and must be what theory says of
// them, too.
func orderOfService(g *group) {
	const load, replications, tolerance = 0.8, 20, 0.05
	jobs := size(20_000)
	first := 2 * load / ((1 - load) * (1 - load))
	g.tabulated("first come", first, 40, 1e-9)
	g.tabulated("at random", first/(1-load/2), 66.667, 1e-3)
	g.tabulated("last come", first/(1-load), 200, 1e-9)
	w := queue(1, load, jobs)
	fifo := simulate(g, w, "wait", replications)
	w.Order = pool.Barging
	barging := simulate(g, w, "wait", 1)[0]
	g.expect("pool, FIFO: second moment of the wait", first, estimateOf(fifo, moment(2)), tolerance)
	g.holds("pool, Barging, the same draws: second moment", number(moment(2)(fifo[0])), number(moment(2)(barging)), fifo[0].Digest == barging.Digest)

	at := func(pick func(seed uint64) func(int) int) []sample {
		return replicate(g, replications, func(i int) (sample, error) {
			seed := g.seed(i)
			c := counter{gap: exponential(seed, "gap", 1/load), need: exponential(seed, "need", 1), pick: pick(seed)}
			err := c.run(g.Context(), 2*jobs)
			return sample{waits: c.waits}, err
		})
	}
	random := at(func(seed uint64) func(int) int {
		s := draws.Of(seed, "pick").Stream()
		return func(n int) int { return int(s.Float64() * float64(n)) }
	})
	last := at(func(uint64) func(int) int { return func(n int) int { return n - 1 } })
	g.expect("at random: mean wait", 4, estimateOf(random, moment(1)), tolerance)
	g.expect("last come: mean wait", 4, estimateOf(last, moment(1)), tolerance)
	g.expect("at random: second moment", first/(1-load/2), estimateOf(random, moment(2)), tolerance)
	g.expect("last come: second moment", first/(1-load), estimateOf(last, moment(2)), tolerance)
	g.reject("at random: second moment", first, estimateOf(random, moment(2)), tolerance)
	g.reject("last come: second moment", first, estimateOf(last, moment(2)), tolerance)
}
