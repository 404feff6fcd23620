package pyrand

import (
	"fmt"
	"math/bits"
	"slices"
)

// Sample is sample(range(n), k): k distinct integers of [0, n) in the order in
// which they were picked, appended to dst. Up to 16 of them cost no allocation
// beyond dst.
func (r *Rand) Sample(dst []int, n, k int) []int {
	if k < 0 || k > n {
		panic(fmt.Sprintf("pyrand: sample of %d out of %d: want 0 to %d", k, n, n))
	}
	if n <= poolLimit(k) {
		return r.samplePool(dst, n, k)
	}
	if k <= 16 {
		return r.sampleFew(dst, n, k)
	}
	return r.sampleMany(dst, n, k)
}

// poolLimit is the largest population that Python copies into a list; above
// it Python remembers what was picked in a set. The two use the generator
// differently, so the limit is part of the contract: 21, and for k above 5
// also the smallest power of 4 that is at least 3k.
func poolLimit(k int) int {
	limit := 21
	if k > 5 {
		power := 1
		for power < 3*k {
			power *= 4
		}
		limit += power
	}
	return limit
}

// samplePool picks from a shrinking pool: the last item fills the gap.
func (r *Rand) samplePool(dst []int, n, k int) []int {
	var buf [21]int
	pool := buf[:0]
	for i := range n {
		pool = append(pool, i)
	}
	for i := range k {
		j := r.Randrange(n - i)
		dst = append(dst, pool[j])
		pool[j] = pool[n-i-1]
	}
	return dst
}

// sampleFew draws again whenever an index comes twice.
func (r *Rand) sampleFew(dst []int, n, k int) []int {
	width := bits.Len64(uint64(n))
	if width > 32 {
		return r.sampleMany(dst, n, k)
	}
	for start := len(dst); len(dst) < start+k; {
		j := int(r.Uint32() >> (32 - width)) // Randrange, one try at a time
		if j < n && !slices.Contains(dst[start:], j) {
			dst = append(dst, j)
		}
	}
	return dst
}

// sampleMany is sampleFew with a set.
func (r *Rand) sampleMany(dst []int, n, k int) []int {
	seen := make(map[int]struct{}, k)
	for len(seen) < k {
		j := r.Randrange(n)
		if _, again := seen[j]; !again {
			seen[j] = struct{}{}
			dst = append(dst, j)
		}
	}
	return dst
}
