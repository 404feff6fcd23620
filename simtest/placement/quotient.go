package placement

import "math/big"

// quotient is a/b rounded once, for b > 0. Beyond 2^53 the conversions to
// floating point would round too, and rounding twice can order two workers
// differently from the exact ratio.
func quotient(a, b int64) float64 {
	const exact = 1 << 53
	if a == 0 {
		return 0 // the most frequent case: an idle worker
	}
	if a <= exact && b <= exact {
		return float64(a) / float64(b)
	}
	q, _ := big.NewRat(a, b).Float64()
	return q
}
