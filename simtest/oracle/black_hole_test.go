package oracle_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/provider"
)

// O16. The black hole: of two endpoints one fails at once, the other serves for
// a time S. To whoever sends to the one with the least in flight the broken one
// always looks idle. The good one gets a request only when it is idle, too, and
// then with probability 1/2: so each of its requests is followed by lambda S
// others in its mean time of service, and by one more in the mean before the coin
// falls its way,
//
//	share of the good one = 1/(2 + lambda S)
//
// whatever the law of S. At lambda S = 10 that is 0.083, where choosing blindly
// gives it one half.
//
// The pool's tie rule is a rotation, no coin: of two equals it takes them in
// turn, by the number of leases so far. The good one then has to wait for at most
// one other request: if the number M of requests during its service is odd it is
// next, else next but one. For exponential S, M is geometric and
//
//	share = 1/(1 + lambda + P(M even)),  P(M even) = (1 + lambda)/(1 + 2 lambda)
//
// It holds the pool's selection to its rule, by the least active and then by the
// rotation. The wrong variant is a hole that is slow to fail, which is none. What
// saves the day is a pool that makes something of outcomes.
func blackHole(g *group) {
	const replications, tolerance = 10, 0.02
	share := func(w provider.World, contestant string) estimate {
		return estimateOf(simulate(g, w, contestant, replications), func(s sample) float64 {
			return float64(s.Counts["endpoint_admitted"]["good"]) / s.Values["requests"]
		})
	}
	jobs := size(10_000)
	for _, c := range []struct{ rate, coin float64 }{{1, 0.333}, {10, 0.083}} {
		g.tabulated("coin", 1/(2+c.rate), c.coin, 1e-3)
		what := fmt.Sprintf("%v requests per service: ", c.rate)
		w := holed(c.rate, jobs, 0)
		even := (1 + c.rate) / (1 + 2*c.rate)
		g.expect(what+"least busy, equals in turn", 1/(1+c.rate+even), share(w, "least_busy"), tolerance)
		g.expect(what+"least busy, equals by coin", 1/(2+c.rate), share(w, "oracle_coin"), tolerance)
		g.expect(what+"blindly", 0.5, share(w, "oracle_blind"), tolerance)
		g.reject(what+"a hole that is as slow", 1/(2+c.rate), share(holed(c.rate, jobs, time.Second), "oracle_coin"), tolerance)
	}
	w := holed(10, jobs, 0)
	w.Health = pool.DefaultHealth()
	e := share(w, "least_busy")
	g.holds("10 requests per service: least busy, outcomes count", "above 0.9", number(e.mean), e.mean > 0.9)
}

// holed is a world with a good endpoint and a hole that fails after that long.
func holed(rate float64, jobs int, after time.Duration) provider.World {
	w := queue(1_000_000, rate, jobs)
	good := w.Endpoints[0]
	good.ID = "good"
	hole := good
	hole.ID = "hole"
	hole.Outages = []provider.Outage{{Until: 10 * 365 * 24 * time.Hour, ErrorRate: 1, After: after}}
	w.Endpoints = []provider.Endpoint{good, hole}
	return w
}

// chooser asks for an endpoint by its id: one of those that score least, by a
// number of the request's own.
type chooser struct{ score func(pool.Status) int }

func (c chooser) Acquire(ctx context.Context, req acquire.Request) (*pool.Lease, error) {
	var best []string
	least := 0
	for _, s := range req.Pool.Snapshot() {
		score := c.score(s)
		if len(best) > 0 && score > least {
			continue
		}
		if score < least {
			best = nil
		}
		best, least = append(best, s.ID), score
	}
	req.Query.ID = best[int(req.Draw()*float64(len(best)))]
	return req.Pool.TryAcquire(ctx, req.Query)
}

func init() {
	for _, d := range []struct {
		name, rule string
		score      func(pool.Status) int
	}{
		{"oracle_coin", "the least in flight, equals at random", func(s pool.Status) int { return s.Active }},
		{"oracle_blind", "any, at random", func(pool.Status) int { return 0 }},
	} {
		err := acquire.Register(acquire.Definition{
			Name: d.name, Rule: d.rule,
			New: func(acquire.Args) (acquire.Algorithm, error) { return chooser{d.score}, nil },
		})
		if err != nil {
			panic(err)
		}
	}
}
