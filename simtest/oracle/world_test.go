package oracle_test

import (
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// queue is the world of the textbooks: so many jobs of one call arrive in a
// Poisson stream at one endpoint, which serves some at a time for an
// exponential time with a mean of one second each. Nothing ever fails, and
// nobody gives up.
func queue(servers int, rate float64, jobs int) provider.World {
	return provider.World{
		Name: "queue", Summary: "a queue of the textbooks",
		Endpoints: []provider.Endpoint{{ID: "server", Capacity: servers, Weight: 1, Law: provider.Exponential, Mean: time.Second}},
		Cycle:     provider.Cycle{Peak: 1},
		Workload: provider.Workload{
			Jobs: jobs, StepsPerJob: 1, CallsPerStep: 1,
			Arrivals: &provider.Arrivals{Rate: rate},
			Horizon:  time.Hour + time.Duration(1.5*float64(jobs)/rate)*time.Second,
		},
		Retry:       acquire.Retry{MaxAttempts: 1},
		Health:      pool.Health{MaxRetryAfter: time.Hour}, // makes nothing of what is reported
		Contestants: []string{"wait"},
	}
}

// sample is one replication.
type sample struct {
	experiment.Run
	waits []time.Duration // of every lease, in the order in which they were granted
}

// simulate makes n runs of a world on different seeds. Each is audited.
func simulate(g *group, w provider.World, contestant string, n int) []sample {
	g.Helper()
	return observe(g, w, contestant, n, func(int) func(*provider.Event) { return func(*provider.Event) {} })
}

// observe is simulate with somebody who looks at the events: what watch returns
// for each of the runs, from 0 to n-1.
func observe(g *group, w provider.World, contestant string, n int, watch func(i int) func(*provider.Event)) []sample {
	g.Helper()
	s, err := provider.New(w)
	if err != nil {
		g.Fatal(err)
	}
	return replicate(g, n, func(i int) (sample, error) {
		var r sample
		a, look := newAudit(w), watch(i)
		run, err := s.Observe(g.Context(), contestant, g.seed(i), func(e *provider.Event) {
			a.event(e)
			if e.Kind == provider.LeaseGranted {
				r.waits = append(r.waits, e.For)
			}
			look(e)
		})
		if err != nil {
			return r, err
		}
		r.Run = run
		if err := a.end(run); err != nil {
			return r, err
		}
		g.audited.Add(1)
		return r, nil
	})
}

// metric reads a metric of the engine, in a unit of so many of it.
func metric(name string, unit float64) func(sample) float64 {
	return func(s sample) float64 { return s.Values[name] / unit }
}

// response is the engine's mean time from a job's arrival to its completion, in
// seconds: the restricted mean of a run in which every job is completed in time.
func response(s sample) float64 { return s.Values["restricted_mean_completion_s"] }

// waiting is the mean time that a job waits for its lease, from the metrics of
// the engine alone: what is left of the response after the mean service, which
// the utilization of so many servers tells.
func waiting(servers int) func(sample) float64 {
	return func(s sample) float64 {
		busy := s.Values["utilization"] * float64(servers) * s.Values["makespan_s"]
		return response(s) - busy/s.Values["jobs_done"]
	}
}

// moment is the mean over all leases of the wait, in seconds, to a power.
func moment(power int) func(sample) float64 {
	return func(s sample) float64 {
		sum := 0.0
		for _, w := range s.waits {
			x := 1.0
			for range power {
				x *= w.Seconds()
			}
			sum += x
		}
		return sum / float64(len(s.waits))
	}
}

// delayed is the part of the leases that had to be waited for.
func delayed(s sample) float64 {
	n := 0
	for _, w := range s.waits {
		if w > 0 {
			n++
		}
	}
	return float64(n) / float64(len(s.waits))
}
