package experiment

import (
	"math/bits"
	"slices"
)

// Quantiles returns the same as Percentile for each of qs, which must ascend,
// without sorting: it only brings the values that are asked for into their
// places (C. A. R. Hoare, Algorithm 65: Find, 1961). The values are reordered.
func Quantiles[T ~float64 | ~int64](values []T, qs ...float64) []float64 {
	result := make([]float64, len(qs))
	if len(values) == 0 {
		return result
	}
	done := 0 // values before it are in place, and no larger than those after it
	place := func(k int) {
		if k >= done {
			find(values[done:], k-done)
			done = k + 1
		}
	}
	for i, q := range qs {
		if !(q > 0) {
			q = 0
		}
		lo := int(float64(float64(len(values)-1) * min(q, 1)))
		place(lo)
		place(min(lo+1, len(values)-1))
		result[i] = Percentile(values, q)
	}
	return result
}

// find brings the value of rank k into its place: nothing before it is larger,
// nothing after it smaller.
func find[T ~float64 | ~int64](v []T, k int) {
	for patience := 2 * bits.Len(uint(len(v))); len(v) > 24; patience-- {
		if patience == 0 { // an order of the values that defeats the pivots
			break
		}
		pivot := median(v[0], v[len(v)/2], v[len(v)-1])
		i, j := 0, len(v)-1
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for pivot < v[j] {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			v = v[:j+1]
		case k >= i:
			v, k = v[i:], k-i
		default:
			return
		}
	}
	slices.Sort(v)
}

func median[T ~float64 | ~int64](a, b, c T) T { return max(min(a, b), min(max(a, b), c)) }
