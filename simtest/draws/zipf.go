package draws

import (
	"sort"

	"github.com/ranktest/ranktest/simtest/numeric"
)

// Zipf is Zipf's law over the ranks 1 to n: rank k has a probability
// proportional to k^-skew. Word frequencies, and the popularity of documents,
// are close to it with a skew of about 1.
type Zipf struct {
	cumulative []float64 // weights of ranks 1 to k+1
}

// NewZipf returns the law; n must be at least 1 and skew not negative. It takes
// time and memory proportional to n.
func NewZipf(n int, skew float64) *Zipf {
	z := &Zipf{cumulative: make([]float64, n)}
	sum := 0.0
	for k := range z.cumulative {
		sum += numeric.Exp(-float64(skew * numeric.Log(float64(k+1))))
		z.cumulative[k] = sum
	}
	return z
}

// Rank returns the rank, from 1, that a uniform number in [0, 1) stands for:
// the smaller the number, the more popular the rank.
func (z *Zipf) Rank(u float64) int {
	last := len(z.cumulative) - 1
	x := float64(u * z.cumulative[last])
	return min(last, sort.Search(last, func(k int) bool { return x < z.cumulative[k] })) + 1
}
