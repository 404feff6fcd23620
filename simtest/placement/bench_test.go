package placement_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
)

// simulate reports, for one policy on one trace, the time per routing attempt
// and the memory that a run allocates per worker, the trace not included.
func simulate(b *testing.B, trace *placement.Trace, policy string, s placement.Settings) {
	b.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	attempts, runs := 0, 0
	for b.Loop() {
		r, err := placement.Simulate(context.Background(), trace, policy, s)
		if err != nil {
			b.Fatal(err)
		}
		attempts += r.Attempts
		runs++
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(attempts), "ns/attempt")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(runs*len(trace.Workers)), "B/worker")
}

func generate(b *testing.B, g placement.Generator, seed int64) *placement.Trace {
	b.Helper()
	trace, err := g.Trace(big.NewInt(seed))
	if err != nil {
		b.Fatal(err)
	}
	return trace
}

// The documented example: 1,000 workers, 500 ticks, 5,504 tasks.
func BenchmarkDocumentedExample(b *testing.B) {
	g := placement.DefaultGenerator()
	g.Workers, g.Ticks, g.Arrivals = 1000, 500, 8
	trace := generate(b, g, 42)
	s := placement.DefaultSettings()
	s.AvailabilityLag, s.LoadLag = 3, 3
	for _, policy := range placement.Policies() {
		b.Run("policy="+policy, func(b *testing.B) { simulate(b, trace, policy, s) })
	}
}

// Constant load per worker, in growing worlds: the time per attempt may grow
// with cache misses, but not with the number of workers. A million workers
// take seconds, and run only if SIMTEST_LONG is set.
func BenchmarkWorkers(b *testing.B) {
	for _, size := range []struct{ workers, ticks int }{{1_000, 500}, {10_000, 500}, {100_000, 100}, {1_000_000, 100}} {
		if size.workers >= 1_000_000 && os.Getenv("SIMTEST_LONG") == "" {
			continue
		}
		g := placement.DefaultGenerator()
		g.Workers, g.Ticks, g.Arrivals = size.workers, size.ticks, size.workers/125
		trace := generate(b, g, 42)
		for _, policy := range placement.Policies() {
			b.Run(fmt.Sprintf("workers=%d/policy=%s", size.workers, policy), func(b *testing.B) {
				simulate(b, trace, policy, placement.DefaultSettings())
			})
		}
	}
}

// Ten tasks in ever more ticks: idle ticks are free.
func BenchmarkIdleTicks(b *testing.B) {
	for _, ticks := range []int{1_000, 1_000_000, 1_000_000_000} {
		trace := &placement.Trace{Seed: big.NewInt(1), Ticks: ticks}
		for i := range 10 {
			trace.Workers = append(trace.Workers, placement.Worker{ID: fmt.Sprint(i), Capacity: 1, Capabilities: []string{"cpu"}})
			trace.Tasks = append(trace.Tasks, placement.Task{ID: fmt.Sprint(i), Arrival: i * (ticks / 10), Work: 3, Capability: "cpu"})
		}
		b.Run(fmt.Sprintf("ticks=%d", ticks), func(b *testing.B) {
			simulate(b, trace, "power-two", placement.DefaultSettings())
		})
	}
}

func BenchmarkGenerate(b *testing.B) {
	g := placement.DefaultGenerator()
	g.Workers, g.Ticks, g.Arrivals = 100_000, 100, 800
	for b.Loop() {
		generate(b, g, 42)
	}
}

func BenchmarkDigest(b *testing.B) {
	g := placement.DefaultGenerator()
	g.Workers, g.Ticks, g.Arrivals = 100_000, 100, 800
	trace := generate(b, g, 42)
	for b.Loop() {
		trace.Digest()
	}
}
