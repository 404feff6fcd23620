package acquire_test

import (
	"context"
	"testing"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// An acquisition that succeeds at once allocates no more than the pool does for
// the lease, whatever the algorithm.
func TestAlgorithmsAllocateNothingOfTheirOwn(t *testing.T) {
	p := newPool(t, clock.Real(), "p", pool.Options{}, capacity("a", 2), capacity("b", 2))
	measure := func(a acquire.Algorithm) float64 {
		req := request(p)
		req.Affinity = new(acquire.Affinity)
		return testing.AllocsPerRun(1000, func() {
			lease, err := a.Acquire(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			lease.Release()
		})
	}
	least := measure(mustParse("immediate"))
	for _, spec := range []string{"wait", "backoff", "least_busy", "failover", "failover(pools=x|p)", "sticky", "quota_aware"} {
		if got := measure(mustParse(spec)); got > least {
			t.Errorf("%s: %v allocations, immediate has %v", spec, got, least)
		}
	}
}

func BenchmarkAcquire(b *testing.B) {
	for _, spec := range []string{"immediate", "wait", "wait(timeout=1s)", "backoff", "least_busy", "failover", "sticky", "quota_aware"} {
		b.Run(spec, func(b *testing.B) {
			quota := map[string]float64{"tokens": 1e12}
			p := newPool(b, clock.Real(), "p", pool.Options{},
				pool.Resource{ID: "a", Capacity: 6, Quota: quota}, pool.Resource{ID: "b", Capacity: 12, Quota: quota},
				pool.Resource{ID: "c", Capacity: 4, Quota: quota})
			alg, req := mustParse(spec), request(p)
			req.Affinity = new(acquire.Affinity)
			b.ReportAllocs()
			for b.Loop() {
				lease, err := alg.Acquire(context.Background(), req)
				if err != nil {
					b.Fatal(err)
				}
				lease.Release()
			}
		})
	}
}
