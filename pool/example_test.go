package pool_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// In production: the real clock, one lease for each call.
func Example() {
	p, err := pool.New("api", clock.Real(), pool.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"eu", "us"} {
		if err := p.Publish(pool.Resource{ID: id, Kind: "endpoint", Capacity: 2}); err != nil {
			fmt.Println(err)
			return
		}
	}
	call := func(ctx context.Context) error {
		lease, err := p.Acquire(ctx, pool.Query{})
		if err != nil {
			return err
		}
		defer lease.Release()
		start := time.Now()
		fmt.Println("calling", lease.ResourceID())
		lease.Report(pool.Outcome{Latency: time.Since(start), Usage: map[string]float64{"requests": 1}})
		return nil
	}
	for range 3 {
		if err := call(context.Background()); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// calling eu
	// calling us
	// calling eu
}

// On a virtual clock waiting takes no time. A server's Retry-After is waited
// for, if the deadline allows it, and otherwise refused at once.
func ExamplePool_Acquire() {
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		p, _ := pool.New("api", v, pool.Options{})
		p.Publish(pool.Resource{ID: "eu", Capacity: 1})

		lease, _ := p.Acquire(ctx, pool.Query{})
		lease.Report(pool.Outcome{Err: errors.New("429"), Refused: true, RetryAfter: 20 * time.Second})
		lease.Release()

		hurried, cancel := v.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_, err := p.Acquire(hurried, pool.Query{})
		var cooling *pool.CooldownError
		if errors.As(err, &cooling) {
			fmt.Printf("at %v: %s returns in %v\n", v.Elapsed(), cooling.Resource, cooling.RetryAfter)
		}

		lease, _ = p.Acquire(ctx, pool.Query{})
		fmt.Printf("at %v: %s\n", v.Elapsed(), lease.ResourceID())
	})
	fmt.Println(err)
	// Output:
	// at 0s: eu returns in 20s
	// at 20s: eu
	// <nil>
}

// A query says what can be used, and what is liked best.
func ExampleQuery() {
	p, _ := pool.New("api", clock.Real(), pool.Options{})
	p.Publish(pool.Resource{ID: "small", Capacity: 1, Quota: map[string]float64{"tokens": 100}, Tags: map[string]string{"zone": "eu"}})
	p.Publish(pool.Resource{ID: "large", Capacity: 1, Quota: map[string]float64{"tokens": 900}, Tags: map[string]string{"zone": "eu"}})
	p.Publish(pool.Resource{ID: "far", Capacity: 1, Quota: map[string]float64{"tokens": 9000}, Tags: map[string]string{"zone": "us"}})

	nearWithMostLeft := pool.Query{
		Filter: func(v pool.View) bool { return v.Tag("zone") == "eu" },
		Rank: func(v pool.View) pool.Score {
			quota, _ := v.Quota("tokens")
			return pool.Score{quota - v.Used("tokens")}
		},
	}
	for range 3 {
		lease, err := p.TryAcquire(context.Background(), nearWithMostLeft)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(lease.ResourceID())
	}
	// Output:
	// large
	// small
	// pool "api": pool: no resource is available
}

// Resources that fail are left alone, and tried again with a probe.
func ExamplePool_Subscribe() {
	v := clock.NewVirtual(clock.VirtualOptions{})
	v.Run(context.Background(), func(ctx context.Context) {
		p, _ := pool.New("db", v, pool.Options{Health: pool.Health{DeadAfter: 1, Cooldown: time.Minute, Probe: true}})
		events := p.Subscribe(10)
		p.Publish(pool.Resource{ID: "primary", Capacity: 5, Options: map[string]string{"password": "hunter2"}})
		for _, outcome := range []error{errors.New("no route to host (hunter2)"), nil} {
			lease, err := p.Acquire(ctx, pool.Query{Holder: "worker"})
			if err != nil {
				fmt.Println(err)
				return
			}
			lease.Report(pool.Outcome{Err: outcome})
			lease.Release()
		}
		for _, e := range events.Drain() {
			fmt.Println(e)
		}
		fmt.Println(p.Snapshot()[0])
	})
	// Output:
	// 0s published "primary"
	// 0s leased "primary", lease 1, holder "worker"
	// 0s dead "primary", for 1m0s: no route to host ([redacted])
	// 0s released "primary", lease 1, holder "worker"
	// 1m0s probing "primary", lease 2, holder "worker"
	// 1m0s leased "primary", lease 2, holder "worker"
	// 1m0s recovered "primary"
	// 1m0s released "primary", lease 2, holder "worker"
	// primary: ready, 0 of 5 leased
}

// A factory makes the client that all leases of a resource share.
func ExampleResource() {
	p, _ := pool.New("db", clock.Real(), pool.Options{})
	dial := func(addr string) pool.Resource {
		return pool.Resource{ID: addr, Capacity: 2, Factory: func(context.Context) (any, error) {
			if addr == "down:5432" {
				return nil, errors.New("connection refused")
			}
			return "connection to " + addr, nil
		}}
	}
	p.Publish(dial("down:5432"))
	p.Publish(dial("up:5432"))
	lease, err := p.Acquire(context.Background(), pool.Query{}) // the next best one
	fmt.Println(lease.Client(), err)
	// Output:
	// connection to up:5432 <nil>
}
