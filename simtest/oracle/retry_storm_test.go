package oracle_test

import (
	"fmt"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/provider"
)

// O15. Metastable failure by retries (M. Brooker, Metastability and Distributed
// Systems, 2021; N. Bronson et al., Metastable Failures in Distributed Systems,
// HotOS 2021). A service with n requests in flight takes 1 s + 0.01 s * n, and goes
// on with those that nobody waits for any more. Clients give up after 3 s, of
// which the network takes 0.2 s, so that a request is in vain if it takes more
// than 2.8 s, that is from n = 180 on; they make k attempts.
//
// With r requests a second, Little's law n = r (1 + 0.01 n) makes n = 180 of
//
//	r = 180/2.8 = 64.3
//
// If all are in vain, r = k lambda: so the service, once overloaded by a spike,
// stays in this state for ever iff k lambda > 64.3, even though it could serve
// 64 jobs a second if nobody retried. A retry budget of 10 % makes r = 1.1
// lambda, and so moves the threshold of lambda to 58.4. Jitter spreads the
// retries and changes nothing, except that some luck gets the service out of a
// state that is hardly stable. Above the threshold, Little's law also tells how
// slow the collapsed service is: 0.99/(1 - 0.01 r) seconds, since a request does
// not slow itself down.
//
// The thresholds are found by bisection in a world without chance, with evenly
// spaced arrivals (the network's part of the timeout is taken off it, since the
// world has no network). It takes everything that a collapse is made of:
// timeouts of calls, service that goes on after them, slowing down with load,
// retries, and budgets.
func retryStorm(g *group) {
	const critical = 180 / 2.8
	for _, k := range []int{2, 3, 5} {
		g.expect(fmt.Sprintf("%d attempts: threshold of the arrival rate", k), critical/float64(k), threshold(g, critical/float64(k), storm{attempts: k}), 0.02)
	}
	budget := &provider.RetryBudget{Ratio: 0.1, Burst: 10}
	g.expect("3 attempts, budget of 10 %: threshold", critical/1.1, threshold(g, critical/1.1, storm{attempts: 3, budget: budget}), 0.02)
	jitter := acquire.Backoff{Base: time.Second, Factor: 2, Cap: 8 * time.Second, Jitter: acquire.FullJitter}
	g.expect("3 attempts, full jitter: threshold", critical/3, threshold(g, critical/3, storm{attempts: 3, backoff: jitter}), 0.05)
	collapsed := storm{rate: 25, attempts: 3}
	g.expect(fmt.Sprintf("%v: latency of the collapsed service", collapsed), 0.99/(1-0.01*3*25), collapsed.latency(g), 0.01)

	seeds := size(4)
	for _, c := range []struct {
		storm
		recover bool
	}{
		{storm{rate: 20, attempts: 3}, true},
		{storm{rate: 30, attempts: 3}, false},
		{storm{rate: 20, attempts: 3, backoff: jitter}, true},
		{storm{rate: 30, attempts: 3, backoff: jitter}, false},
		{storm{rate: 30, attempts: 3, budget: budget}, true},
		{storm{rate: 50, attempts: 3, budget: budget}, true},
	} {
		n := 0
		for _, served := range servedInTheEnd(g, c.storm.world(), seeds) {
			if served > 0.99 {
				n++
			} else if served > 0.01 {
				g.Errorf("%v: neither recovered nor collapsed: %v of the jobs are served", c.storm, served)
			}
		}
		want := 0
		if c.recover {
			want = seeds
		}
		g.holds(fmt.Sprintf("Poisson, %v: recoveries", c.storm), fmt.Sprintf("%d of %d", want, seeds), fmt.Sprintf("%d of %d", n, seeds), n == want)
	}

	g.reject("k retries after the first attempt: threshold", critical/3, threshold(g, critical/3, storm{attempts: 4}), 0.02)
	g.reject("requests end with their callers' patience: threshold", critical/3, threshold(g, critical/3, storm{attempts: 3, patient: true}), 0.02)
}

// storm is a world in which a spike of 300 jobs a second for 5 s comes at 50 s.
type storm struct {
	rate     float64 // jobs per second otherwise
	attempts int
	backoff  acquire.Backoff
	budget   *provider.RetryBudget
	patient  bool // callers wait as long as it takes
}

func (s storm) String() string {
	text := fmt.Sprintf("%v/s, %d attempts", s.rate, s.attempts)
	if s.backoff.Base > 0 {
		text += ", full jitter"
	}
	if s.budget != nil {
		text += ", budget"
	}
	return text
}

const (
	spike, calm = 50 * time.Second, 55 * time.Second
	settled     = 300 * time.Second
	over        = 330 * time.Second
	spikeRate   = 300
)

func (s storm) world() provider.World {
	w := queue(1_000_000, 1, 1)
	w.Endpoints[0].Law, w.Endpoints[0].Mean, w.Endpoints[0].Slowdown = provider.Deterministic, time.Second, 0.01
	w.Workload.Jobs, w.Workload.Horizon = 1_000_000, over
	w.Workload.Arrivals = &provider.Arrivals{Profile: []provider.RatePoint{
		{At: spike, Rate: s.rate}, {At: spike, Rate: spikeRate}, {At: calm, Rate: spikeRate}, {At: calm, Rate: s.rate},
	}}
	if !s.patient {
		w.Workload.CallTimeout = 2800 * time.Millisecond
	}
	w.Retry = acquire.Retry{MaxAttempts: s.attempts, Backoff: s.backoff}
	w.RetryBudget = s.budget
	return w
}

// even has the arrivals come at even distances.
func (s storm) even() provider.World {
	w := s.world()
	t := &provider.Trace{Name: "even"}
	for at := time.Duration(0); at < over; {
		t.Arrivals = append(t.Arrivals, provider.Arrival{At: at})
		rate := s.rate
		if at >= spike && at < calm {
			rate = spikeRate
		}
		at += seconds(1 / rate)
	}
	w.Workload.Arrivals = &provider.Arrivals{Trace: t}
	w.Workload.Jobs = len(t.Arrivals)
	return w
}

// servedInTheEnd returns the part of the jobs of the last 30 s that are served, run by run.
func servedInTheEnd(g *group, w provider.World, seeds int) []float64 {
	g.Helper()
	done, all := make([]float64, seeds), make([]float64, seeds)
	observe(g, w, "immediate", seeds, func(i int) func(*provider.Event) {
		return func(e *provider.Event) {
			if e.At-e.For < settled {
				return
			}
			switch e.Kind {
			case provider.JobDone:
				done[i]++
				all[i]++
			case provider.JobFailed:
				all[i]++
			}
		}
	})
	for i := range done {
		done[i] /= all[i]
	}
	return done
}

// latency is the mean latency in the last 30 s, with even arrivals.
func (s storm) latency(g *group) estimate {
	g.Helper()
	var sum time.Duration
	n := 0
	observe(g, s.even(), "immediate", 1, func(int) func(*provider.Event) {
		return func(e *provider.Event) {
			if e.Kind == provider.RequestSent && e.At >= settled && e.At < over {
				sum += e.For
				n++
			}
		}
	})
	return estimate{mean: sum.Seconds() / float64(n)}
}

// threshold finds the arrival rate from which on the service does not recover,
// to 1 %, within 40 % of where it should be.
func threshold(g *group, should float64, s storm) estimate {
	g.Helper()
	low, high := 0.6*should, 1.4*should
	for high > 1.01*low {
		s.rate = (low + high) / 2
		if servedInTheEnd(g, s.even(), 1)[0] > 0.5 {
			low = s.rate
		} else {
			high = s.rate
		}
	}
	return estimate{mean: (low + high) / 2}
}
