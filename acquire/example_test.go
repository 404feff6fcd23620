package acquire_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"text/tabwriter"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// A production client: two keys of an HTTP API behind a pool, on the real clock.
// The server refuses the first request; Do reports that, waits as long as the
// server says, and tries again, within the deadline of the context.
func ExampleDo() {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests++; requests == 1 {
			w.Header().Set("Retry-After-Ms", "5")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		fmt.Fprint(w, "hello")
	}))
	defer server.Close()

	clk := clock.Real()
	keys, err := pool.New("keys", clk, pool.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"key-1", "key-2"} {
		if err := keys.Publish(pool.Resource{ID: id, Capacity: 4}); err != nil {
			fmt.Println(err)
			return
		}
	}

	ctx, cancel := clk.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = acquire.Do(ctx, acquire.Options{
		Request: acquire.Request{Pool: keys},
		Retry:   acquire.DefaultRetry(),
	}, func(ctx context.Context, lease *pool.Lease) (map[string]float64, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		if err != nil {
			return nil, acquire.WithClass(err, acquire.Fatal)
		}
		req.Header.Set("X-Api-Key", lease.ResourceID())
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err // classified by its type: timeout, connection, ...
		}
		defer resp.Body.Close()
		fmt.Println(lease.ResourceID(), resp.StatusCode)
		return map[string]float64{"requests": 1}, acquire.CheckStatus(resp.StatusCode, resp.Header, clk.Now())
	})
	fmt.Println(err)
	// Output:
	// key-1 429
	// key-2 200
	// <nil>
}

// A GiveUpError tells why Do stopped, and what the server said last. Here the
// server wants to be left alone for longer than the caller has time.
func ExampleGiveUpError() {
	clk := clock.NewVirtual(clock.VirtualOptions{})
	clk.Run(context.Background(), func(ctx context.Context) {
		p, _ := pool.New("keys", clk, pool.Options{})
		p.Publish(pool.Resource{ID: "key-1", Capacity: 1})

		ctx, cancel := clk.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		err := acquire.Do(ctx, acquire.Options{
			Request: acquire.Request{Pool: p},
			Retry:   acquire.DefaultRetry(),
		}, func(ctx context.Context, lease *pool.Lease) (map[string]float64, error) {
			header := http.Header{"Retry-After": {"30"}}
			return nil, acquire.CheckStatus(429, header, clk.Now())
		})
		fmt.Println(err)
		fmt.Println("after", clk.Elapsed())
	})
	// Output:
	// acquire: gave up after attempt 1, 0s: would exceed the deadline (the next attempt would be in 30s): context deadline exceeded: last error: status 429, retry after 30s
	// after 0s
}

// twoChoices takes the less busy of two resources drawn at random, the power of
// two choices.
type twoChoices struct{ fallback acquire.Algorithm }

func (t twoChoices) Acquire(ctx context.Context, req acquire.Request) (*pool.Lease, error) {
	all := req.Pool.Snapshot()
	a, b := all[int(req.Draw()*float64(len(all)))], all[int(req.Draw()*float64(len(all)))]
	if b.Active*a.Capacity < a.Active*b.Capacity {
		a = b
	}
	one := req.Query
	one.ID = a.ID
	if lease, err := req.Pool.TryAcquire(ctx, one); err == nil {
		return lease, nil
	}
	return t.fallback.Acquire(ctx, req)
}

// An algorithm of one's own is a type with one method. Registered, it is named
// in spec strings like those of the package. acquire.Register does the same for
// acquire.Parse, and so for the whole program.
func ExampleRegistry_Register() {
	registry := acquire.NewRegistry()
	err := registry.Register(acquire.Definition{
		Name: "two_choices",
		Rule: "the less busy of two at random; else the fallback",
		Params: []acquire.Param{
			{Name: "fallback", Kind: acquire.NestedKind, Default: "wait", Help: "what to do if that one is not available"},
		},
		New: func(a acquire.Args) (acquire.Algorithm, error) { return twoChoices{a.Algorithm("fallback")}, nil },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	spec, err := registry.Parse("two_choices(fallback=backoff(cap=2000ms))")
	fmt.Println(spec, err)

	p, _ := pool.New("keys", clock.Real(), pool.Options{})
	p.Publish(pool.Resource{ID: "key-1", Capacity: 1})
	lease, err := spec.Acquire(context.Background(), acquire.Request{Pool: p})
	fmt.Println(lease.ResourceID(), err)
	// Output:
	// two_choices(fallback=backoff(cap=2s)) <nil>
	// key-1 <nil>
}

// An unknown name or parameter is answered with the choices.
func ExampleParse() {
	spec, err := acquire.Parse("backoff( cap=2s, base=0.1s )")
	fmt.Println(spec, err)
	_, err = acquire.Parse("backoff(mx_wait=1s)")
	fmt.Println(err)
	// Output:
	// backoff(base=100ms,cap=2s) <nil>
	// acquire: spec "backoff(mx_wait=1s)": algorithm "backoff": parameter "mx_wait": unknown: must be one of base, factor, cap, jitter, max_wait; did you mean "max_wait"?
}

// The text of a help message.
func ExampleDefinitions() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, d := range acquire.Definitions()[:3] {
		fmt.Fprintf(w, "%s\t%s\n", d.Name, d.Rule)
		for _, p := range d.Params {
			fmt.Fprintf(w, "  %s=%s\t%s\n", p.Name, p.Default, p.Help)
		}
	}
	w.Flush()
	// Output:
	// immediate        one try, else unavailable
	// wait             try; else park in the pool's queue until served
	//   timeout=none   longest wait
	// backoff          try; else sleep a jittered min(cap, base*factor^(n-1)), and try again
	//   base=200ms     first sleep, before jitter
	//   factor=2       growth from one sleep to the next, at least 1
	//   cap=10s        longest sleep
	//   jitter=full    full: U(0, raw); equal: raw/2 + U(0, raw/2); none: raw
	//   max_wait=none  gives up before a sleep that would pass it
}

func ExampleBackoff() {
	b := acquire.Backoff{Base: 100 * time.Millisecond, Factor: 2, Cap: time.Second, Jitter: acquire.NoJitter}
	for n := 1; n <= 5; n++ {
		fmt.Print(b.Raw(n), " ")
	}
	fmt.Println()
	// Output: 100ms 200ms 400ms 800ms 1s
}
