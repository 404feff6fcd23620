package oracle_test

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// estimate is a mean over replications with its standard error.
type estimate struct{ mean, err float64 }

func (e estimate) allowed(theory, tolerance float64) float64 {
	return max(3.5*e.err, tolerance*math.Abs(theory))
}

func (e estimate) agrees(theory, tolerance float64) bool {
	return math.Abs(e.mean-theory) <= e.allowed(theory, tolerance)
}

// estimateOf estimates what measure returns, from one value per replication.
func estimateOf[T any](samples []T, measure func(T) float64) estimate {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = measure(s)
	}
	g := experiment.AggregateOf(values)
	return estimate{g.Mean, g.Stdev / math.Sqrt(float64(g.N))}
}

// replicate calls once with 0 to n-1, as often at a time as there are cores, and
// returns the results in that order.
func replicate[T any](g *group, n int, once func(i int) (T, error)) []T {
	g.Helper()
	results, errs := make([]T, n), make([]error, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				results[i], errs[i] = once(i)
			}
		})
	}
	workers.Wait()
	for i, err := range errs {
		if err != nil {
			g.Fatalf("seed %d: %v", g.seed(i), err)
		}
	}
	return results
}
