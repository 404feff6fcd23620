package acquire_test

import (
	"context"
	"errors"
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

// hold leases the resource until the end.
func hold(t *testing.T, p *pool.Pool, id string) {
	t.Helper()
	if _, err := p.TryAcquire(context.Background(), pool.Query{ID: id}); err != nil {
		t.Fatal(err)
	}
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

// steady waits 1, 2, 4, 8, 8 ... s.
var steady = acquire.Backoff{Base: time.Second, Factor: 2, Cap: 8 * time.Second, Jitter: acquire.NoJitter}

// retrying is Do's options for n attempts with waits of 1, 2, 4 and 8 s.
func retrying(n int) acquire.Options {
	return acquire.Options{Retry: acquire.Retry{MaxAttempts: n, Backoff: steady}}
}

// failing is a call that always fails at once.
func failing(err error) acquire.Call {
	return func(context.Context, *pool.Lease) (map[string]float64, error) { return nil, err }
}

// gaveUp is the *GiveUpError that err must be.
func gaveUp(err error) *acquire.GiveUpError {
	GinkgoHelper()
	var e *acquire.GiveUpError
	Expect(errors.As(err, &e)).To(BeTrue(), "%v must be a *GiveUpError", err)
	return e
}

func mustParse(spec string) acquire.Algorithm {
	alg, err := acquire.Parse(spec)
	if err != nil {
		panic(err)
	}
	return alg
}

// acquireFunc makes an algorithm of a function.
type acquireFunc func(context.Context, acquire.Request) (*pool.Lease, error)

func (f acquireFunc) Acquire(ctx context.Context, req acquire.Request) (*pool.Lease, error) {
	return f(ctx, req)
}
