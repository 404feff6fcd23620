package oracle_test

import "time"

// O5. One server, Poisson arrivals, any law of service: the mean wait is
// lambda E[S^2]/(2(1-rho)) (F. Pollaczek 1930; A. Y. Khinchine 1932).
//
// The mean of the latency is in O3; here it is the second moment of every law
// that the provider has, its rare slow requests included, as it shows in what
// a user waits. The wrong variant is a server of capacity two and half the
// speed: its load is the same, its queue is not.
func serviceLaws(g *group) {
	const replications, load, tolerance = 20, 0.8, 0.05
	table := []float64{4, 2, 2.5681, 5.4366, 5.4961}
	for i, l := range latencyLaws {
		theory := load * l.square / (2 * (1 - load))
		g.tabulated(l.name, theory, table[i], 1e-4)
		runs := simulate(g, l.on(queue(1, load, size(20_000))), "wait", replications)
		g.expect(l.name+": mean wait", theory, estimateOf(runs, waiting(1)), tolerance)
	}

	half := queue(2, load, size(20_000))
	half.Endpoints[0].Mean = 2 * time.Second
	g.reject("two servers of half the speed", 4, estimateOf(simulate(g, half, "wait", replications), waiting(2)), tolerance)
}
