package acquire_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

func TestAcquire(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "acquire")
}

// simulate runs f, and all tasks that it starts, on a virtual clock.
func simulate(t testing.TB, f func(ctx context.Context, clk *clock.Virtual)) {
	t.Helper()
	clk := clock.NewVirtual(clock.VirtualOptions{})
	if err := clk.Run(context.Background(), func(ctx context.Context) { f(ctx, clk) }); err != nil {
		t.Fatal(err)
	}
}

// newPool makes a pool with resources.
func newPool(t testing.TB, clk clock.Clock, name string, o pool.Options, resources ...pool.Resource) *pool.Pool {
	t.Helper()
	p, err := pool.New(name, clk, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range resources {
		if err := p.Publish(r); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// capacity is a resource of n leases.
func capacity(id string, n int) pool.Resource { return pool.Resource{ID: id, Capacity: n} }

// refuse uses the resource once, and is told to stay away for d.
func refuse(t testing.TB, p *pool.Pool, id string, d time.Duration) {
	t.Helper()
	lease, err := p.TryAcquire(context.Background(), pool.Query{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	lease.Report(pool.Outcome{Err: refusal(d), Refused: true, RetryAfter: d})
	lease.Release()
}

// active returns the number of leases out.
func active(p *pool.Pool) int {
	n := 0
	for _, s := range p.Snapshot() {
		n += s.Active
	}
	return n
}

// request is a request of p and nothing else.
func request(p *pool.Pool) acquire.Request { return acquire.Request{Pool: p} }
