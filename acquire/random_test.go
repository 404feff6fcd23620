package acquire_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

var specs = []string{
	"immediate", "wait", "wait(timeout=3s)", "backoff(cap=2s)", "backoff(base=50ms,jitter=equal,max_wait=4s)",
	"least_busy", "failover(pools=p|q)", "failover(pools=q|nowhere|p,fallback=backoff)",
	"sticky", "sticky(fallback=backoff(max_wait=2s))", "quota_aware", "quota_aware(fallback=immediate)",
}

// chaos runs tasks that acquire with random algorithms, deadlines and outcomes
// from two small pools, on a virtual clock, and returns a journal.
func chaos(t *testing.T, seed uint64) []string {
	t.Helper()
	var journal []string
	simulate(t, func(ctx context.Context, clk *clock.Virtual) {
		setup := rand.New(rand.NewPCG(seed, 0))
		o := pool.Options{Order: pool.Order(setup.IntN(2)), Health: pool.DefaultHealth()}
		o.Health.Cooldown = time.Duration(1+setup.IntN(5)) * time.Second
		declare := func(id string) pool.Resource {
			return pool.Resource{ID: id, Capacity: 1 + setup.IntN(2), Quota: map[string]float64{"tokens": 100}}
		}
		p := newPool(t, clk, "p", o, declare("a"), declare("b"))
		q := newPool(t, clk, "q", o, declare("c"))
		pools := map[string]*pool.Pool{"p": p, "q": q}

		for i := range 8 {
			r := rand.New(rand.NewPCG(seed, uint64(i+1)))
			name := fmt.Sprint("task ", i)
			clk.Go(ctx, name, func(ctx context.Context) {
				affinity := new(acquire.Affinity)
				for range 20 {
					spec := specs[r.IntN(len(specs))]
					limit := time.Duration(r.IntN(10_000)) * ms
					ctx, cancel := clk.WithTimeout(ctx, limit)
					if r.IntN(4) == 0 {
						clk.AfterFunc(time.Duration(r.IntN(5000))*ms, cancel)
					}
					began := clk.Elapsed()
					lease, err := mustParse(spec).Acquire(ctx, acquire.Request{
						Pool: p, Pools: pools, Query: pool.Query{Holder: name}, Affinity: affinity, Rand: r,
					})
					took := clk.Elapsed() - began
					journal = append(journal, fmt.Sprintf("%v %s %s: took %v: %v", clk.Elapsed(), name, spec, took, err))
					for _, p := range []*pool.Pool{p, q} {
						for _, s := range p.Snapshot() {
							if s.Active < 0 || s.Active > s.Capacity {
								t.Errorf("%v", s)
							}
						}
					}
					switch {
					case took > limit:
						t.Errorf("%s with a deadline of %v took %v", spec, limit, took)
					case strings.HasPrefix(spec, "immediate") && took > 0:
						t.Errorf("%s took %v", spec, took)
					case err == nil && lease == nil, err != nil && lease != nil:
						t.Errorf("%s: lease %v and error %v", spec, lease, err)
					case err != nil && !errors.Is(err, pool.ErrUnavailable) && ctx.Err() == nil:
						t.Errorf("%s: %v, but the context has not ended and it is no want of resources", spec, err)
					}
					if err == nil {
						clk.Sleep(ctx, time.Duration(r.IntN(1000))*ms)
						lease.Report(randomOutcome(r))
						lease.Release()
					}
					cancel()
					clk.Sleep(context.WithoutCancel(ctx), time.Duration(r.IntN(500))*ms)
				}
			})
		}
		clk.Sleep(ctx, time.Hour)
		if n := active(p) + active(q); n != 0 {
			t.Errorf("%d leases are out when all tasks have ended", n)
		}
	})
	return journal
}

func randomOutcome(r *rand.Rand) pool.Outcome {
	switch r.IntN(5) {
	case 0:
		return pool.Outcome{Err: errors.New("failed")}
	case 1:
		return pool.Outcome{Refused: true, RetryAfter: time.Duration(r.IntN(4000)) * ms}
	default:
		return pool.Outcome{Usage: map[string]float64{"tokens": r.Float64() * 10}}
	}
}

// In any order of events: capacity is kept, no deadline is passed, an error is
// either the context's or a want of resources, nothing is held at the end, and
// the same seed tells the same story.
func TestAlgorithmsInRandomWorlds(t *testing.T) {
	const seeds = 60
	acquired := 0
	for seed := range uint64(seeds) {
		first := chaos(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if second := chaos(t, seed); !slices.Equal(first, second) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
		for _, line := range first {
			if strings.HasSuffix(line, "<nil>") {
				acquired++
			}
		}
	}
	t.Logf("%d of %d acquisitions succeeded", acquired, seeds*8*20)
	if acquired < seeds*8*20/4 {
		t.Errorf("only %d acquisitions succeeded: the worlds are too harsh to show anything", acquired)
	}
}
