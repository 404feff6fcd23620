package acquire_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/ranktest/ranktest/acquire"
)

func newBudget(t testing.TB, ratio float64, burst int) *acquire.Budget {
	t.Helper()
	b, err := acquire.NewBudget(ratio, burst)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Ten times a tenth of a token is a token, which it is not in floats.
func TestBudgetIsExact(t *testing.T) {
	b := newBudget(t, 0.1, 2)
	for i := range 2 {
		if !b.Retry() {
			t.Fatalf("retry %d of a full budget of 2 was refused", i+1)
		}
	}
	for i := range 10 {
		if b.Retry() {
			t.Fatalf("a retry was allowed after %d operations, with %v tokens", i, b.Tokens())
		}
		b.Operation()
	}
	if !b.Retry() {
		t.Fatalf("no retry after 10 operations at a ratio of 0.1, with %v tokens", b.Tokens())
	}
}

func TestBudgetNeverHoldsMoreThanItsBurst(t *testing.T) {
	b := newBudget(t, 0.5, 3)
	for range 100 {
		b.Operation()
	}
	if b.Tokens() != 3 {
		t.Errorf("%v tokens after 100 operations, want the burst of 3", b.Tokens())
	}
}

// At any time retries <= burst + ratio * operations, whoever asks when; and a
// greedy caller gets as many as that, to less than one.
func TestBudgetBoundsRetries(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		millionths, burst, greed := r.IntN(1_000_001), 1+r.IntN(20), r.Float64()
		b := newBudget(t, float64(millionths)/1e6, burst)
		operations, retries := 0, 0
		for range 2000 {
			if r.Float64() > greed {
				b.Operation()
				operations++
			} else if b.Retry() {
				retries++
			}
			if 1_000_000*retries > 1_000_000*burst+millionths*operations {
				t.Fatalf("ratio %d/1e6, burst %d: %d retries after %d operations", millionths, burst, retries, operations)
			}
		}
	}
	b := newBudget(t, 0.3, 4)
	retries := 0
	for range 1000 {
		for b.Retry() {
			retries++
		}
		b.Operation()
	}
	for b.Retry() {
		retries++
	}
	if retries != 4+300 {
		t.Errorf("a greedy caller got %d retries for 1000 operations at 0.3 and a burst of 4, want 304", retries)
	}
}

func TestBudgetIsSharedByGoroutines(t *testing.T) {
	b := newBudget(t, 0.25, 1)
	retries := make([]int, 8)
	var wg sync.WaitGroup
	for i := range retries {
		wg.Go(func() {
			for range 1000 {
				b.Operation()
				if b.Retry() {
					retries[i]++
				}
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range retries {
		total += n
	}
	if total > 1+2000 || total < 1 {
		t.Errorf("%d retries for 8000 operations at 0.25 and a burst of 1", total)
	}
}

func TestNewBudgetRefuses(t *testing.T) {
	for _, c := range []struct {
		ratio float64
		burst int
		want  string
	}{
		{-0.1, 1, "ratio -0.1: must be from 0 to 1"},
		{1.1, 1, "ratio 1.1: must be from 0 to 1"},
		{math.NaN(), 1, "ratio NaN: must be from 0 to 1"},
		{0.1, 0, "burst 0: must be from 1"},
		{0.1, math.MaxInt, "must be from 1 to 2147483647"},
	} {
		if _, err := acquire.NewBudget(c.ratio, c.burst); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("NewBudget(%v, %d): %v, want %q", c.ratio, c.burst, err, c.want)
		}
	}
}
