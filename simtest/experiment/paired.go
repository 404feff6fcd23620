package experiment

import "math"

// Paired summarises how much better one contestant is than another, seed by
// seed: the differences between runs that had the same exogenous randomness.
type Paired struct {
	// N counts the pairs.
	N int
	// Mean is the mean difference in the better direction, in the metric's
	// unit: positive if the first contestant is better. In a neutral row it
	// is first minus second.
	Mean float64
	// Stdev is the sample standard deviation of the differences, 0 for fewer
	// than two pairs.
	Stdev float64
	// Better, Worse and Equal count the seeds on which the first contestant
	// is better, worse, or exactly as good. In a neutral row Better means
	// larger.
	Better, Worse, Equal int
}

// PairUp compares a[i] with b[i] for every i below the shorter length.
func PairUp(a, b []float64, better Direction) Paired {
	n := min(len(a), len(b))
	if n == 0 {
		return Paired{}
	}
	p := Paired{N: n}
	d := make([]float64, n)
	for i := range d {
		d[i] = a[i] - b[i]
		if better == Lower {
			d[i] = b[i] - a[i]
		}
		switch {
		case d[i] > 0:
			p.Better++
		case d[i] < 0:
			p.Worse++
		default:
			p.Equal++
		}
	}
	p.Mean, p.Stdev = meanStdev(d)
	return p
}

// StandardError returns Stdev/sqrt(N), 0 for fewer than two pairs.
func (p Paired) StandardError() float64 {
	if p.N < 2 {
		return 0
	}
	return p.Stdev / math.Sqrt(float64(p.N))
}

// reverse returns the comparison seen from the second contestant.
func (p Paired) reverse() Paired {
	p.Mean = 0 - p.Mean
	p.Better, p.Worse = p.Worse, p.Better
	return p
}
