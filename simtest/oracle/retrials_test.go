package oracle_test

import (
	"context"
	"fmt"
	"math"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
)

// O12. The algorithm backoff with exponential pauses of rate theta, factor 1, is
// the M/M/1 retrial queue (J. W. Cohen 1957; G. I. Falin, J. G. C. Templeton,
// Retrial Queues, 1997): a job that finds the server busy tries again after its
// pause, and anybody may come in between. For a mean service of 1,
//
//	E[T] = 1 + rho/(1-rho) (1 + 1/theta)
//
// The 1/theta is the price of not being woken. It holds backoff to sleeping
// exactly its pauses, drawn anew each time and belonging to the job, and to
// trying at once on arrival; an algorithm that is secretly woken, or that waits in
// line, is much faster. The wrong variant has the package's full jitter over the
// same base, whose mean pause is only half of it.
func retrials(g *group) {
	const replications, tolerance = 20, 0.03
	for _, c := range []struct {
		load, rate, mean float64
		jobs             int
	}{{0.5, 1, 3, 10_000}, {0.5, 0.1, 12, 10_000}, {0.8, 1, 9, 15_000}, {0.8, 10, 5.4, 6_000}} {
		g.tabulated("time in system", 1+c.load/(1-c.load)*(1+1/c.rate), c.mean, 1e-9)
		runs := simulate(g, queue(1, c.load, size(c.jobs)), fmt.Sprintf("oracle_retrial(mean=%v)", seconds(1/c.rate)), replications)
		g.expect(fmt.Sprintf("load %v, retry rate %v: mean time in system", c.load, c.rate), c.mean, estimateOf(runs, response), tolerance)
	}
	full := simulate(g, queue(1, 0.8, size(5_000)), "backoff(base=1s,factor=1)", replications)
	g.reject("full jitter, load 0.8, retry rate 1", 9, estimateOf(full, response), tolerance)
	woken := simulate(g, queue(1, 0.8, size(5_000)), "wait", replications)
	g.reject("woken, load 0.8, retry rate 1", 9, estimateOf(woken, response), tolerance)
}

// The contestant oracle_retrial is the package's own backoff. Only what it
// multiplies its base with is exponential instead of uniform.
func init() {
	err := acquire.Register(acquire.Definition{
		Name: "oracle_retrial", Rule: "backoff with exponential pauses",
		Params: []acquire.Param{{Name: "mean", Kind: acquire.DurationKind, Default: "1s", Help: "of the pauses"}},
		New: func(a acquire.Args) (acquire.Algorithm, error) {
			inner, err := acquire.Parse(fmt.Sprintf("backoff(base=%v,factor=1,cap=10000h)", a.Duration("mean")))
			return retrial{inner}, err
		},
	})
	if err != nil {
		panic(err)
	}
}

type retrial struct{ backoff acquire.Algorithm }

func (r retrial) Acquire(ctx context.Context, req acquire.Request) (*pool.Lease, error) {
	req.Rand = toExponential{req.Rand}
	return r.backoff.Acquire(ctx, req)
}

type toExponential struct{ acquire.Rand }

func (e toExponential) Float64() float64 { return -math.Log1p(-e.Rand.Float64()) }
