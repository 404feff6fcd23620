package oracle_test

import (
	"fmt"
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

// O14. The closed loop is the machine repairman (C. Palm 1947; J. W. Cohen,
// 1957): N workers think for an exponential time with the mean Z, then want one of
// c servers for an exponential time with the mean S. With p(n) the probability
// of n workers not thinking,
//
//	p(n+1)/p(n) = (N-n)/min(n+1, c) * S/Z
//
// the throughput is sum p(n) min(n, c)/S and the mean response sum n p(n)
// divided by it.
//
// In every run, whatever the laws, the interactive response time law N = X (R +
// Z) holds but for the ends of the run (E. D. Lazowska et al., Quantitative
// System Performance, 1984, ch. 3): with the throughput that the engine reports,
// and responses and thinking times seen in its events. A worker that idles for
// any other reason breaks it. The wrong variants forget to think, and take
// arrivals that do not wait for anybody for the closed loop.
func repairman(g *group) {
	const replications, tolerance = 8, 0.01
	jobs := size(40_000)
	world := func(workers, servers int, service, think time.Duration) provider.World {
		w := queue(servers, 1, jobs)
		w.Workload.Arrivals, w.Workload.Concurrency, w.Workload.Think = nil, workers, think
		w.Endpoints[0].Mean = service
		return w
	}
	throughput := metric("throughput_rps", 1)
	for _, c := range []struct {
		workers, servers     int
		service, think       time.Duration
		throughput, response float64
	}{
		{12, 6, time.Second / 4, time.Second / 4, 21.8147, 0.30009},
		{20, 4, time.Second, 3 * time.Second, 3.89780, 2.13110},
	} {
		x, r := machineRepairman(c.workers, c.servers, c.service.Seconds(), c.think.Seconds())
		what := fmt.Sprintf("N=%d, c=%d: ", c.workers, c.servers)
		g.tabulated(what+"throughput", x, c.throughput, 1e-4)
		g.tabulated(what+"response", r, c.response, 1e-5)

		paths := make([]interactive, replications)
		w := world(c.workers, c.servers, c.service, c.think)
		runs := observe(g, w, "wait", replications, func(i int) func(*provider.Event) {
			paths[i] = interactive{last: make([]time.Duration, c.workers)}
			return paths[i].event
		})
		g.expect(what+"throughput", x, estimateOf(runs, throughput), tolerance)
		g.expect(what+"mean response", r, estimateOf(paths, interactive.response), tolerance)
		g.expect(what+"mean thinking", c.think.Seconds(), estimateOf(paths, interactive.thinking), tolerance)
		g.expect(what+"utilization", x*c.service.Seconds()/float64(c.servers), estimateOf(runs, metric("utilization", 1)), tolerance)
		worst := 0.0
		for i, p := range paths {
			law := throughput(runs[i]) * (p.response() + p.thinking()) / float64(c.workers)
			worst = max(worst, math.Abs(law-1))
		}
		g.holds(what+"interactive law, worst run", "X (R+Z)/N within 0.2 % of 1", fmt.Sprintf("%.2g %% off", 100*worst), worst < 0.002)
	}

	x, _ := machineRepairman(12, 6, 0.25, 0.25)
	hasty := world(12, 6, time.Second/4, 0)
	g.reject("no thinking: throughput", x, estimateOf(simulate(g, hasty, "wait", replications), throughput), tolerance)
	open := queue(6, x, jobs)
	open.Endpoints[0].Mean = time.Second / 4
	g.reject("an open loop of the same throughput: response", 0.30009, estimateOf(simulate(g, open, "wait", replications), response), tolerance)
}

func machineRepairman(workers, servers int, service, think float64) (throughput, mean float64) {
	p, sum, busy, inside := 1.0, 0.0, 0.0, 0.0
	for n := range workers + 1 {
		sum += p
		busy += p * float64(min(n, servers))
		inside += p * float64(n)
		p *= float64(workers-n) / float64(min(n+1, servers)) * service / think
	}
	throughput = busy / sum / service
	return throughput, inside / sum / throughput
}

// interactive adds up what the workers of a closed loop do.
type interactive struct {
	last                []time.Duration // when each worker ended its last job
	responses, thoughts time.Duration
	jobs                int
}

func (p *interactive) event(e *provider.Event) {
	switch e.Kind {
	case provider.JobClaimed:
		p.thoughts += e.At - p.last[e.Worker] // 0 for a worker's first job
	case provider.JobDone:
		p.last[e.Worker] = e.At
		p.responses += e.For
		p.jobs++
	}
}

func (p interactive) response() float64 { return p.responses.Seconds() / float64(p.jobs) }

func (p interactive) thinking() float64 {
	return p.thoughts.Seconds() / float64(p.jobs-len(p.last))
}
