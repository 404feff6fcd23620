package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/simtest/draws"
)

// O11. The well-known study of backoff and jitter (M. Brooker, Exponential
// Backoff And Jitter, AWS Architecture Blog, 2015, with its simulator): N clients
// each want to update one row once, with optimistic locking. A client reads the
// version and writes it back; the write wins if the version is still the same.
// Each of the four messages takes |N(10, 2)| ms; the n-th failure is followed by
// a backoff of min(2000 ms, 5 ms * 2^n) with the strategy's jitter.
//
// It holds the retry policy of package acquire to figures that others have
// published: attempts that are counted from one too early or too late, a cap that
// does not cap, or a jitter over the wrong half of the range change them. (The
// study counts n from 1, so its first backoff is 10 ms: Base is 10 ms here.)
// Decorrelated jitter, which the package does not have, is made by hand.
//
// What is safe to say: jitter more than halves the calls, and exponential
// backoff without jitter is by far the slowest. Which jitter makes the fewest
// calls depends on the number of clients.
func contention(g *group) {
	const calls, times = 0.03, 0.05
	run := func(clients int, s strategy) []race {
		return replicate(g, size(60), func(i int) (race, error) { return contend(g.Context(), clients, s, g.seed(i)) })
	}
	callsOf := func(r race) float64 { return float64(r.calls) }
	timeOf := func(r race) float64 { return float64(r.took) / 1e6 }
	const clients = 100
	mean := map[string]float64{}
	for _, c := range []struct {
		name        string
		strategy    strategy
		calls, time float64
	}{
		{"no backoff", at(acquire.Backoff{}), 2425, 2030},
		{"exponential", at(doubling(acquire.NoJitter)), 1858, 63_600},
		{"decorrelated jitter", decorrelated, 1003, 4621},
		{"equal jitter", at(doubling(acquire.EqualJitter)), 811, 6629},
		{"full jitter", at(doubling(acquire.FullJitter)), 796, 4944},
	} {
		runs := run(clients, c.strategy)
		mean[c.name] = estimateOf(runs, callsOf).mean
		mean[c.name+" time"] = estimateOf(runs, timeOf).mean
		g.expect(c.name+": calls", c.calls, estimateOf(runs, callsOf), calls)
		g.expect(c.name+": time in ms", c.time, estimateOf(runs, timeOf), times)
	}
	for _, jitter := range []string{"decorrelated jitter", "equal jitter", "full jitter"} {
		r := mean["no backoff"] / mean[jitter]
		g.holds(jitter+": calls saved", "more than half", fmt.Sprintf("%.0f %%", 100-100/r), r > 2)
		slower := mean["exponential time"] / mean[jitter+" time"]
		g.holds(jitter+": times faster than without jitter", "more than 9", fmt.Sprintf("%.1f", slower), slower > 9)
	}

	for _, c := range []struct {
		clients      int
		fewest, full float64
		strategy     strategy
		name         string
	}{
		{10, 37.9, 38.9, decorrelated, "decorrelated"},
		{190, 1759.7, 1770.0, at(doubling(acquire.EqualJitter)), "equal"},
	} {
		what := fmt.Sprintf("%d clients, ", c.clients)
		fewest, full := estimateOf(run(c.clients, c.strategy), callsOf), estimateOf(run(c.clients, at(doubling(acquire.FullJitter))), callsOf)
		g.expect(what+c.name+" jitter: calls", c.fewest, fewest, calls)
		g.expect(what+"full jitter: calls", c.full, full, calls)
		g.holds(what+c.name+" jitter: fewer calls than full", "fewer", fmt.Sprintf("%.1f fewer", full.mean-fewest.mean), fewest.mean < full.mean)
	}

	late := doubling(acquire.FullJitter)
	late.Base /= 2
	g.reject("attempts counted from 0: calls", 796, estimateOf(run(clients, at(late)), callsOf), calls)
	uncapped := doubling(acquire.NoJitter)
	uncapped.Cap = time.Hour
	g.reject("no cap: time in ms", 63_600, estimateOf(run(clients, at(uncapped)), timeOf), times)
}

func doubling(j acquire.Jitter) acquire.Backoff {
	return acquire.Backoff{Base: 10 * time.Millisecond, Factor: 2, Cap: 2 * time.Second, Jitter: j}
}

// strategy makes a client's rule: how long to wait after its n-th failure.
type strategy func(*draws.Stream) func(n int) time.Duration

var errConflict = errors.New("the version has changed")

// at is the retry policy with this backoff.
func at(b acquire.Backoff) strategy {
	policy := acquire.Retry{MaxAttempts: acquire.Unlimited, Backoff: b, RetryUnknown: true}
	return func(s *draws.Stream) func(int) time.Duration {
		return func(n int) time.Duration {
			pause, _ := policy.Next(n, errConflict, 0, s)
			return pause
		}
	}
}

// decorrelated jitter is uniform between the base and three times the pause
// before.
func decorrelated(s *draws.Stream) func(int) time.Duration {
	const base, most = 5 * time.Millisecond, 2 * time.Second
	pause := base
	return func(int) time.Duration {
		pause = min(most, base+time.Duration(s.Float64()*float64(3*pause-base)))
		return pause
	}
}

// race is what it took until every client had won.
type race struct {
	calls int // writes tried
	took  time.Duration
}

func contend(ctx context.Context, clients int, rule strategy, seed uint64) (race, error) {
	var r race
	version := 0
	v := clock.NewVirtual(clock.VirtualOptions{})
	client := func(luck draws.Stream) func(context.Context) {
		pause := rule(&luck)
		travel := func(ctx context.Context) error {
			return v.Sleep(ctx, time.Duration(math.Abs(10+2*luck.Normal())*1e6))
		}
		return func(ctx context.Context) {
			for n := 1; ; n++ {
				travel(ctx)
				read := version
				travel(ctx)
				travel(ctx)
				won := version == read
				if won {
					version++
				}
				r.calls++
				if travel(ctx) != nil || won {
					return
				}
				v.Sleep(ctx, pause(n))
			}
		}
	}
	err := v.Run(ctx, func(ctx context.Context) {
		for i := range clients {
			v.Go(ctx, "client", client(draws.Of(seed, "client").With(uint64(i)).Stream()))
		}
	})
	r.took = v.Elapsed()
	if err == nil && version != clients {
		err = fmt.Errorf("%d of %d clients have won", version, clients)
	}
	return r, err
}
