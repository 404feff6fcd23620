package experiment_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// exact returns the sum of values, rounded once, by rational arithmetic.
func exact(values []float64) float64 {
	sum := new(big.Rat)
	for _, v := range values {
		sum.Add(sum, new(big.Rat).SetFloat64(v))
	}
	f, _ := sum.Float64()
	return f
}

// exactVariance returns the sample variance by rational arithmetic.
func exactVariance(values []float64) float64 {
	n := new(big.Rat).SetInt64(int64(len(values)))
	sum, squares := new(big.Rat), new(big.Rat)
	for _, v := range values {
		x := new(big.Rat).SetFloat64(v)
		sum.Add(sum, x)
		squares.Add(squares, new(big.Rat).Mul(x, x))
	}
	squares.Sub(squares, new(big.Rat).Quo(new(big.Rat).Mul(sum, sum), n))
	f, _ := squares.Quo(squares, n.Sub(n, big.NewRat(1, 1))).Float64()
	return f
}

func TestMeansAreRoundedOnce(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 20000 {
		values := make([]float64, 1+r.IntN(20))
		for i := range values {
			// Sixty binary orders of magnitude, both signs: plain summation
			// is wrong nearly always, and cancellation is common.
			values[i] = math.Ldexp(r.Float64()-0.5, r.IntN(60))
			if i > 0 && r.IntN(3) == 0 {
				values[i] = -values[i-1]
			}
		}
		if got, want := experiment.AggregateOf(values).Mean, exact(values)/float64(len(values)); got != want {
			t.Fatalf("seed %d, trial %d: mean of %v is %v, want %v", seed, trial, values, got, want)
		}
	}
}

func TestSumsAreRoundedHalfToEven(t *testing.T) {
	half := math.Ldexp(1, -53) // half a unit in the last place of 1
	tiny := math.Ldexp(1, -200)
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, half}, 1},
		{[]float64{1, half, tiny}, 1 + 2*half},
		{[]float64{1, half, -tiny}, 1},
		{[]float64{1 + 2*half, half}, 1 + 4*half},
		{[]float64{1 + 2*half, half, -tiny}, 1 + 2*half},
		{[]float64{1e16, 1, -1e16}, 1},
		{[]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 1},
	} {
		if got := experiment.AggregateOf(c.values).Mean; got != c.want/float64(len(c.values)) {
			t.Errorf("mean of %v: %v, want %v/%d", c.values, got, c.want, len(c.values))
		}
	}
}

func TestStandardDeviationIsExactToTheLastBits(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 5000 {
		// A large common offset is what one-pass formulas fail on.
		offset := math.Ldexp(1, r.IntN(40))
		values := make([]float64, 2+r.IntN(20))
		for i := range values {
			values[i] = offset + r.NormFloat64()
		}
		got, want := experiment.AggregateOf(values).Stdev, math.Sqrt(exactVariance(values))
		if math.Abs(got-want) > 4e-16*want {
			t.Fatalf("seed %d, trial %d: stdev of %v is %v, want %v", seed, trial, values, got, want)
		}
	}
}

func TestAggregates(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   experiment.Aggregate
	}{
		{nil, experiment.Aggregate{}},
		{[]float64{-3}, experiment.Aggregate{N: 1, Mean: -3, Min: -3, Max: -3}},
		{[]float64{2, 2, 2}, experiment.Aggregate{N: 3, Mean: 2, Min: 2, Max: 2}},
		{[]float64{4, 2, 6}, experiment.Aggregate{N: 3, Mean: 4, Min: 2, Max: 6, Stdev: 2}},
	} {
		if got := experiment.AggregateOf(c.values); got != c.want {
			t.Errorf("aggregate of %v: %+v, want %+v", c.values, got, c.want)
		}
	}
}

func TestPercentiles(t *testing.T) {
	count := func(n int) []float64 { // 1, 2, ..., n
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(i + 1)
		}
		return v
	}
	// Position (n-1)q, by hand: of 1..n the percentile is 1 + (n-1)q.
	for _, c := range []struct {
		n             int
		p50, p95, p99 float64
	}{
		{0, 0, 0, 0},
		{1, 1, 1, 1},
		{2, 1.5, 1.95, 1.99},
		{3, 2, 2.9, 2.98},
		{10, 5.5, 9.55, 9.91},
		{19, 10, 18.1, 18.82},
		{20, 10.5, 19.05, 19.81},
		{99, 50, 94.1, 98.02},
		{100, 50.5, 95.05, 99.01},
		{101, 51, 96, 100},
	} {
		v := count(c.n)
		for q, want := range map[float64]float64{0.5: c.p50, 0.95: c.p95, 0.99: c.p99} {
			if got := experiment.Percentile(v, q); math.Abs(got-want) > 1e-12 {
				t.Errorf("percentile %v of 1..%d is %v, want %v", q, c.n, got, want)
			}
		}
	}
	for q, want := range map[float64]float64{-1: 1, 0: 1, 1: 5, 2: 5, math.Inf(1): 5} {
		if got := experiment.Percentile(count(5), q); got != want {
			t.Errorf("percentile %v of 1..5 is %v, want %v", q, got, want)
		}
	}
	if got := experiment.Percentile(count(5), math.NaN()); got != 1 {
		t.Errorf("percentile NaN of 1..5 is %v", got)
	}
}

func TestPairedDifferences(t *testing.T) {
	for name, c := range map[string]struct {
		a, b   []float64
		better experiment.Direction
		want   experiment.Paired
	}{
		"higher is better": {[]float64{5, 7, 9, 1}, []float64{3, 7, 3, 5}, experiment.Higher,
			experiment.Paired{N: 4, Mean: 1, Stdev: math.Sqrt(52.0 / 3), Better: 2, Worse: 1, Equal: 1}},
		"lower is better": {[]float64{5, 7, 9, 1}, []float64{3, 7, 3, 5}, experiment.Lower,
			experiment.Paired{N: 4, Mean: -1, Stdev: math.Sqrt(52.0 / 3), Better: 1, Worse: 2, Equal: 1}},
		"neutral: first minus second": {[]float64{5}, []float64{3}, experiment.Neutral,
			experiment.Paired{N: 1, Mean: 2, Better: 1}},
		"nothing in common": {nil, []float64{3}, experiment.Higher, experiment.Paired{}},
	} {
		if got := experiment.PairUp(c.a, c.b, c.better); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if se := experiment.PairUp([]float64{5, 7, 9, 1}, []float64{3, 7, 3, 5}, experiment.Higher).StandardError(); math.Abs(se-math.Sqrt(52.0/12)) > 1e-15 {
		t.Errorf("standard error %v", se)
	}
	if se := experiment.PairUp([]float64{5}, []float64{3}, experiment.Higher).StandardError(); se != 0 {
		t.Errorf("standard error of one pair: %v", se)
	}
}
