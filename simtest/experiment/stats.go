package experiment

import "math"

// Aggregate summarises the values of one metric over runs.
type Aggregate struct {
	// N counts the runs that have a value.
	N int
	// Mean is the exact sum, rounded once, over N.
	Mean, Min, Max float64
	// Stdev is the sample standard deviation (N-1), 0 for fewer than two.
	Stdev float64
}

// AggregateOf summarises values, in any order and with the same result for
// every order. No values give the zero Aggregate.
func AggregateOf(values []float64) Aggregate {
	if len(values) == 0 {
		return Aggregate{}
	}
	g := Aggregate{N: len(values), Min: values[0], Max: values[0]}
	for _, v := range values[1:] {
		g.Min, g.Max = min(g.Min, v), max(g.Max, v)
	}
	g.Mean, g.Stdev = meanStdev(values)
	return g
}

// meanStdev returns the mean and the sample standard deviation of at least one
// value. The sum of the deviations, 0 but for the rounding of the mean,
// corrects the sum of squares (Chan, Golub and LeVeque 1983).
func meanStdev(values []float64) (mean, stdev float64) {
	n := float64(len(values))
	mean = exactSum(values) / n
	if len(values) < 2 {
		return mean, 0
	}
	deviations, squares := make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		deviations[i] = v - mean
		squares[i] = float64(deviations[i] * deviations[i])
	}
	rest := exactSum(deviations)
	variance := (exactSum(squares) - float64(float64(rest*rest)/n)) / (n - 1)
	return mean, math.Sqrt(max(variance, 0))
}

// exactSum returns the sum of finite values, rounded once to the nearest
// double, ties to even. It keeps the running sum as a list of doubles that do
// not overlap, smallest first (Shewchuk 1997), like Python's math.fsum.
func exactSum(values []float64) float64 {
	var room [8]float64
	partials := room[:0]
	for _, x := range values {
		kept := 0
		for _, y := range partials {
			if math.Abs(x) < math.Abs(y) {
				x, y = y, x
			}
			sum := x + y
			if rest := y - (sum - x); rest != 0 {
				partials[kept] = rest
				kept++
			}
			x = sum
		}
		partials = append(partials[:kept], x)
	}
	if len(partials) == 0 {
		return 0
	}
	// Add from the largest down until something is lost.
	i := len(partials) - 1
	sum, rest := partials[i], 0.0
	for i > 0 && rest == 0 {
		i--
		x, y := sum, partials[i]
		sum = x + y
		rest = y - (sum - x)
	}
	// A rest of exactly half a unit was rounded to even; if smaller partials
	// of the same sign follow, the true sum lies beyond the half.
	if i > 0 && (rest < 0) == (partials[i-1] < 0) && rest != 0 {
		double := rest * 2
		if x := sum + double; x-sum == double {
			sum = x
		}
	}
	return sum
}

// Percentile returns the q-quantile of sorted values by linear interpolation
// at position (n-1)*q (Hyndman and Fan's type 7). One value is every quantile
// of itself, and no values give 0: check the length where 0 would mislead. q
// is clamped to [0, 1].
func Percentile[T ~float64 | ~int64](sorted []T, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	if !(q > 0) {
		return float64(sorted[0])
	}
	position := float64(float64(len(sorted)-1) * min(q, 1))
	lo := int(position)
	hi := min(lo+1, len(sorted)-1)
	w := position - float64(lo)
	return float64(float64(sorted[lo])*(1-w)) + float64(float64(sorted[hi])*w)
}
