package experiment_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// The same as Percentile of sorted values, bit for bit, whatever the order.
func TestQuantilesArePercentilesWithoutSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	orders := map[string]func(i, n int) int64{
		"random":            func(int, int) int64 { return r.Int64N(1e9) },
		"mostly equal":      func(int, int) int64 { return max(0, r.Int64N(10)-8) },
		"all equal":         func(int, int) int64 { return 7 },
		"rising":            func(i, _ int) int64 { return int64(i) },
		"falling":           func(i, n int) int64 { return int64(n - i) },
		"rising, then back": func(i, n int) int64 { return int64(min(i, n-i)) },
		"a saw":             func(i, _ int) int64 { return int64(i % 7) },
	}
	qs := []float64{0, 0.5, 0.5, 0.9, 0.95, 0.99, 1}
	for name, value := range orders {
		for _, n := range []int{0, 1, 2, 3, 10, 19, 20, 24, 25, 99, 100, 101, 5000} {
			values := make([]int64, n)
			for i := range values {
				values[i] = value(i, n)
			}
			sorted := slices.Sorted(slices.Values(values))
			for i, got := range experiment.Quantiles(values, qs...) {
				if want := experiment.Percentile(sorted, qs[i]); got != want {
					t.Errorf("%s, %d values, q = %v: %v, want %v", name, n, qs[i], got, want)
				}
			}
			if slices.Sort(values); !slices.Equal(values, sorted) {
				t.Errorf("%s, %d values: some were lost", name, n)
			}
		}
	}
}

// A hundred thousand values that make every median of three a bad pivot (D. R.
// Musser, 1997) would take quadratic time without a bound.
func TestQuantilesAreNotDefeatedByAnOrder(t *testing.T) {
	const k = 50_000
	values := make([]int64, 2*k)
	for i := range k {
		if i%2 == 0 {
			values[i] = int64(i + 1)
		} else {
			values[i] = int64(k + i + i%2)
		}
		values[k+i] = int64(2 * (i + 1))
	}
	sorted := slices.Sorted(slices.Values(values))
	if got, want := experiment.Quantiles(values, 0.5)[0], experiment.Percentile(sorted, 0.5); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
