package oracle_test

import (
	"fmt"
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

// O4. The algorithm wait with a timeout T is M/M/c with deterministic patience
// (D. Y. Barrer, Queuing with impatient customers and ordered service, 1957).
// While the wait that a newcomer would face is below T it behaves as in M/M/c;
// beyond it nobody joins. With pi(j) = a^j/j! for the states without a queue,
//
//	P(timeout) = (lambda pi(c-1)/c) e^((lambda-c) T) / K
//	K = sum over j < c of pi(j)
//	    + lambda pi(c-1) (e^((lambda-c)T) - 1)/(lambda-c) + (lambda pi(c-1)/c) e^((lambda-c)T)
//
// for a mean service of 1. It holds acquisition timeouts to the virtual clock:
// the number of those that time out, and the instant at which they do, which is
// T after they asked, to the nanosecond. The wrong variant takes the timeout for
// one of the whole job, service included.
func patience(g *group) {
	const replications, tolerance = 10, 0.02
	jobs := size(20_000)
	missed := func(runs []sample) estimate {
		return estimateOf(runs, func(s sample) float64 { return s.Values["jobs_failed"] / float64(jobs) })
	}
	for _, c := range []struct {
		servers     int
		rate        float64
		timeout     time.Duration
		probability float64
	}{
		{12, 11.4, time.Second / 4, 0.102861},
		{12, 12, time.Second / 4, 0.124439},
		{12, 14.4, time.Second / 4, 0.217056},
		{12, 14.4, time.Second, 0.173318},
		{1, 0.9, time.Second, 0.304908},
	} {
		what := fmt.Sprintf("c=%d, %v/s, timeout %v: ", c.servers, c.rate, c.timeout)
		g.tabulated(what, barrer(c.servers, c.rate, c.timeout.Seconds()), c.probability, 1e-6)
		w := queue(c.servers, c.rate, jobs)
		runs := observe(g, w, fmt.Sprintf("wait(timeout=%v)", c.timeout), replications, func(i int) func(*provider.Event) {
			return func(e *provider.Event) {
				if e.Kind == provider.JobFailed && e.For != c.timeout {
					g.Errorf("%sseed %d: job %d times out after %v", what, g.seed(i), e.Job, e.For)
				}
			}
		})
		g.expect(what+"part that times out", c.probability, missed(runs), tolerance)
	}

	whole := queue(12, 14.4, jobs)
	whole.Workload.Patience = time.Second
	g.reject("a timeout of the whole job", 0.173318, missed(simulate(g, whole, "wait", replications)), tolerance)
}

func barrer(servers int, rate, timeout float64) float64 {
	c := float64(servers)
	pi, sum := 1.0, 0.0 // of the state j, and of those before it
	for j := range servers {
		if j > 0 {
			pi *= rate / float64(j)
		}
		sum += pi
	}
	joining := timeout // the integral of e^((rate-c)v) over the waits v that join
	if rate != c {
		joining = math.Expm1((rate-c)*timeout) / (rate - c)
	}
	lost := rate * pi * math.Exp((rate-c)*timeout) / c
	return lost / (sum + rate*pi*joining + lost)
}
