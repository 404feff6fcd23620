package oracle_test

import (
	"fmt"
	"time"

	"github.com/ranktest/ranktest/simtest/draws"
)

// O10. Common random numbers (J. M. Hammersley, D. C. Handscomb, Monte Carlo
// Methods, 1964; A. M. Law, Simulation Modeling and Analysis, ch. 11): two
// systems that meet the same luck differ by less noise. For M/M/1 with lambda
// 0.8 and service rates 1 and 1.05, the variance of the difference of the mean
// times in system is about ten times smaller with common draws than with
// independent ones, for which it is the sum of the two variances.
//
// That is what paired comparisons, and so all rankings, live on. It holds only
// if every draw belongs to the job that it is for. Draws in the order of calls
// from one stream lose it: after the first departure that comes before an
// arrival in one system and after it in the other, everybody has different
// luck. The two systems then differ as if nothing were in common.
func commonNumbers(g *group) {
	const pairs = 50
	jobs := size(5_000)
	world := func(mean time.Duration) []sample {
		w := queue(1, 0.8, jobs)
		w.Endpoints[0].Mean = mean
		return simulate(g, w, "wait", pairs)
	}
	faster := 1.05
	a, b := world(time.Second), world(seconds(1/faster))
	ratio := gain(a, b, response)
	g.holds("provider: variance ratio", "above 5", fmt.Sprintf("%.1f", ratio), ratio > 5)

	at := func(draw func(seed uint64, speed float64) (gap, need func(int) float64), speed float64) []*counter {
		return replicate(g, pairs, func(i int) (*counter, error) {
			c := &counter{pick: func(int) int { return 0 }}
			c.gap, c.need = draw(g.seed(i), speed)
			return c, c.run(g.Context(), jobs)
		})
	}
	time := func(c *counter) float64 { return c.times.Seconds() }
	byJob := func(seed uint64, speed float64) (gap, need func(int) float64) {
		return exponential(seed, "gap", 1/0.8), exponential(seed, "need", 1/speed)
	}
	ratio = gain(at(byJob, 1), at(byJob, faster), time)
	g.holds("draws that belong to the job: variance ratio", "above 5", fmt.Sprintf("%.1f", ratio), ratio > 5)

	byCall := func(seed uint64, speed float64) (gap, need func(int) float64) {
		s := draws.Of(seed, "call").Stream()
		return func(int) float64 { return s.Exponential() / 0.8 }, func(int) float64 { return s.Exponential() / speed }
	}
	ratio = gain(at(byCall, 1), at(byCall, faster), time)
	g.holds("wrong: draws in the order of calls: variance ratio", "below 2", fmt.Sprintf("%.1f", ratio), ratio < 2)
}

// gain is how many times larger the variance of the difference of two means is
// with independent draws than it is from pair to pair.
func gain[T any](a, b []T, measure func(T) float64) float64 {
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = measure(a[i]) - measure(b[i])
	}
	variance := func(e estimate) float64 { return e.err * e.err }
	same := estimateOf(differences, func(x float64) float64 { return x })
	return (variance(estimateOf(a, measure)) + variance(estimateOf(b, measure))) / variance(same)
}
