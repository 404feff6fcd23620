package pyrand

import (
	"fmt"
	"math"
	"math/bits"
	"sort"

	"github.com/ranktest/ranktest/simtest/numeric"
)

// Float64 is random(): uniform in [0, 1), 53 bits from two words.
func (r *Rand) Float64() float64 {
	a, b := r.Uint32()>>5, r.Uint32()>>6
	return float64(uint64(a)<<26|uint64(b)) / (1 << 53)
}

// Uniform is uniform(a, b): a + (b-a)*random().
func (r *Rand) Uniform(a, b float64) float64 {
	return a + float64((b-a)*r.Float64())
}

// Gauss is gauss(mu, sigma): Box and Muller's pair, of which the second half
// is kept for the next call.
func (r *Rand) Gauss(mu, sigma float64) float64 {
	var z float64
	if r.half {
		z = numeric.Sin(r.angle) * r.radius
	} else {
		r.angle = r.Float64() * (2 * math.Pi)
		r.radius = math.Sqrt(-2 * numeric.Log(1-r.Float64()))
		z = numeric.Cos(r.angle) * r.radius
	}
	r.half = !r.half
	return mu + float64(z*sigma)
}

// Getrandbits is getrandbits(k), for k from 1 to 64. One word of the generator
// is used for k up to 32, two above.
func (r *Rand) Getrandbits(k int) uint64 {
	if k < 1 || k > 64 {
		panic(fmt.Sprintf("pyrand: getrandbits(%d): want 1 to 64 bits", k))
	}
	if k <= 32 {
		return uint64(r.Uint32() >> (32 - k))
	}
	low := uint64(r.Uint32())
	return low | uint64(r.Uint32()>>(64-k))<<32
}

// Randrange is randrange(n): uniform in [0, n), by rejection, so that the
// number of words used varies. choice(s) is s[r.Randrange(len(s))].
func (r *Rand) Randrange(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("pyrand: randrange(%d): want at least 1", n))
	}
	k := bits.Len64(uint64(n)) // of n, not of n-1: powers of two reject half
	if k <= 32 {
		for {
			if v := r.Uint32() >> (32 - k); v < uint32(n) {
				return int(v)
			}
		}
	}
	for {
		if v := r.Getrandbits(k); v < uint64(n) {
			return int(v)
		}
	}
}

// Randint is randint(a, b): uniform in [a, b], both ends included.
func (r *Rand) Randint(a, b int) int { return a + r.Randrange(b-a+1) }

// Cumulative returns the running sums of weights, added left to right, as
// Choices wants them.
func Cumulative(weights ...float64) []float64 {
	sums := make([]float64, len(weights))
	total := 0.0
	for i, w := range weights {
		total += w
		sums[i] = total
	}
	return sums
}

// Choices is one item of choices(weights=...): an index, drawn in proportion
// to the weights whose running sums are given.
func (r *Rand) Choices(cumulative []float64) int {
	last := len(cumulative) - 1
	x := r.Float64() * cumulative[last]
	return sort.Search(last, func(i int) bool { return cumulative[i] > x })
}
