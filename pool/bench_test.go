package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/jackc/puddle/v2"
	"golang.org/x/sync/semaphore"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// BenchmarkVirtualCycle is the hot path of a simulation: three resources, one
// task, one lease after the other.
func BenchmarkVirtualCycle(b *testing.B) {
	usage := map[string]float64{"tokens": 1}
	for _, bench := range []struct {
		name    string
		query   pool.Query
		outcome pool.Outcome
	}{
		{"bare", pool.Query{}, pool.Outcome{}},
		{"measured", pool.Query{}, pool.Outcome{Latency: time.Second, Usage: usage}},
		{"named", pool.Query{Holder: "worker"}, pool.Outcome{Latency: time.Second, Usage: usage}},
		{"by id", pool.Query{ID: "b"}, pool.Outcome{Latency: time.Second}},
		{"ranked", pool.Query{Rank: func(v pool.View) pool.Score { return pool.Score{-v.Used("tokens")} }}, pool.Outcome{Usage: usage}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			v := clock.NewVirtual(clock.VirtualOptions{})
			err := v.Run(context.Background(), func(ctx context.Context) {
				p := newPool(b, v, pool.Options{Health: pool.ReferenceHealth(), Order: pool.Barging},
					pool.Resource{ID: "a", Capacity: 6}, pool.Resource{ID: "b", Capacity: 12}, pool.Resource{ID: "c", Capacity: 4})
				for b.Loop() {
					lease, err := p.TryAcquire(ctx, bench.query)
					if err != nil {
						b.Error(err)
						return
					}
					lease.Report(bench.outcome)
					lease.Release()
				}
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkVirtualWait has two tasks that wait for each other: a lease of a
// single slot is handed over at every step.
func BenchmarkVirtualWait(b *testing.B) {
	for _, order := range orders {
		b.Run(fmt.Sprintf("order=%d", order), func(b *testing.B) {
			b.ReportAllocs()
			v := clock.NewVirtual(clock.VirtualOptions{MaxSwitches: 1 << 40})
			err := v.Run(context.Background(), func(ctx context.Context) {
				p := newPool(b, v, pool.Options{Order: order}, pool.Resource{ID: "a", Capacity: 1})
				left := b.N
				for range 2 {
					v.Go(ctx, "worker", func(ctx context.Context) {
						for ; left > 0; left-- {
							lease, err := p.Acquire(ctx, pool.Query{})
							if err != nil {
								b.Error(err)
								return
							}
							v.Sleep(ctx, 0)
							lease.Release()
						}
					})
				}
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

// contender is a way to limit concurrency: do takes a slot, holds it during
// hold, and returns it.
type contender struct {
	name string
	make func(b *testing.B, capacity int) (do func(ctx context.Context, hold func()) error)
}

// contendingPool is the pool under an order of service.
func contendingPool(order pool.Order) func(b *testing.B, capacity int) func(context.Context, func()) error {
	return func(b *testing.B, capacity int) func(context.Context, func()) error {
		p := newPool(b, clock.Real(), pool.Options{Order: order}, res("a", capacity))
		return func(ctx context.Context, hold func()) error {
			lease, err := p.Acquire(ctx, pool.Query{})
			if err == nil {
				hold()
				lease.Release()
			}
			return err
		}
	}
}

var contenders = []contender{
	{"pool", contendingPool(pool.FIFO)},
	{"pool-barging", contendingPool(pool.Barging)},
	{"puddle", func(b *testing.B, capacity int) func(context.Context, func()) error {
		p, err := puddle.NewPool(&puddle.Config[int]{
			Constructor: func(context.Context) (int, error) { return 0, nil }, Destructor: func(int) {}, MaxSize: int32(capacity),
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(p.Close)
		return func(ctx context.Context, hold func()) error {
			res, err := p.Acquire(ctx)
			if err == nil {
				hold()
				res.Release()
			}
			return err
		}
	}},
	{"semaphore", func(b *testing.B, capacity int) func(context.Context, func()) error {
		s := semaphore.NewWeighted(int64(capacity))
		return func(ctx context.Context, hold func()) error {
			err := s.Acquire(ctx, 1)
			if err == nil {
				hold()
				s.Release(1)
			}
			return err
		}
	}},
}

// BenchmarkUncontended is one goroutine that never waits.
func BenchmarkUncontended(b *testing.B) {
	for _, c := range contenders {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			do := c.make(b, 4)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			for b.Loop() {
				if err := do(ctx, func() {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkContended has 16 x GOMAXPROCS goroutines that share capacity slots
// and hold them until others have run, so that there is somebody waiting.
func BenchmarkContended(b *testing.B) {
	for _, capacity := range []int{1, 2, 8, 64} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("capacity=%d/%s", capacity, c.name), func(b *testing.B) {
				b.ReportAllocs()
				do := c.make(b, capacity)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				b.SetParallelism(16)
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if err := do(ctx, runtime.Gosched); err != nil {
							b.Error(err)
							return
						}
					}
				})
			})
		}
	}
}
