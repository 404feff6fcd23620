package provider_test

import (
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// One run of an algorithm, with the cost of a request.
func BenchmarkRun(b *testing.B) {
	for _, algorithm := range baseWorld().Contestants {
		b.Run(algorithm, func(b *testing.B) {
			s, err := provider.New(baseWorld())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			requests := int64(0)
			for b.Loop() {
				r, err := s.Run(b.Context(), algorithm, 20260917)
				if err != nil {
					b.Fatal(err)
				}
				requests += r.Iterations
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(requests), "ns/request")
		})
	}
}

// The base sweep: five algorithms on three seeds, one run at a time, so that
// the time is CPU time.
func BenchmarkBaseSweep(b *testing.B) {
	s, err := provider.New(baseWorld())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := experiment.Sweep(b.Context(), s, experiment.Options{Seeds: []uint64{20260917, 20260918, 20260919}, Parallel: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
