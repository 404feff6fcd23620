package provider

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/fairness"
)

// What a world of this package shows of itself, so that it can be checked that
// its comparisons are fair.
var (
	_ fairness.Roller       = (*Scenario)(nil)
	_ fairness.Forecaster   = (*Scenario)(nil)
	_ fairness.Handler      = (*Scenario)(nil)
	_ fairness.ClientRoller = (*Scenario)(nil)
	_ fairness.Accountant   = (*Scenario)(nil)
)

// Rolls makes a run and returns the rolls of every request that was admitted,
// by endpoint and ordinal, and of every job that arrived, by number.
func (s *Scenario) Rolls(ctx context.Context, contestant string, seed uint64) (map[string]string, error) {
	met := map[string]string{}
	_, err := s.run(ctx, contestant, seed, hooks{
		rolls: func(endpoint string, ordinal uint64, r rolls) {
			met[fmt.Sprintf("%s#%d", endpoint, ordinal)] = fmt.Sprintf("%x", r)
		},
		job: func(j job) {
			met[fmt.Sprintf("job#%d", j.number)] = fmt.Sprintf("arrives at %v, size %x, key %d", j.origin, j.size, j.key)
		},
	})
	return met, err
}

// Weather sends requests to every endpoint at a steady pace, whatever becomes
// of them, and returns storms and capacity by endpoint and instant.
func (s *Scenario) Weather(ctx context.Context, seed uint64, pace time.Duration) (map[string]string, error) {
	if pace <= 0 {
		return nil, fmt.Errorf("provider: world %q: pace %v: must be above 0", s.world.Name, pace)
	}
	service := newService(&s.world, s.drawsOf(seed), s.derive().enforced)
	horizon := min(s.world.Workload.Horizon, 10*time.Minute)
	seen := map[string]string{}
	v := clock.NewVirtual(clock.VirtualOptions{})
	request := func(endpoint int) func(context.Context) {
		return func(ctx context.Context) {
			a := service.admit(endpoint, v.Elapsed(), &job{})
			if !a.outcome.Refused() && v.Sleep(ctx, a.latency) != nil {
				return
			}
			service.finish(&a)
		}
	}
	traffic := func(ctx context.Context) {
		for v.Elapsed() < horizon {
			for i := range service.endpoints {
				v.Go(ctx, "request", request(i))
			}
			if v.Sleep(ctx, pace) != nil {
				return
			}
		}
	}
	look := func(ctx context.Context) {
		for v.Elapsed() < horizon {
			now := v.Elapsed()
			for i := range service.endpoints {
				e := &service.endpoints[i]
				seen[fmt.Sprintf("%s at %v", e.ID, now)] = fmt.Sprintf("capacity %d, storm %v, outage %v", e.enforced.now(now), e.weather.stormy(now), e.outages.at(now))
			}
			if v.Sleep(ctx, 2500*time.Millisecond) != nil {
				return
			}
		}
	}
	err := v.Run(ctx, func(ctx context.Context) {
		v.Go(ctx, "traffic", traffic)
		v.Go(ctx, "look", look)
	})
	return seen, err
}

// Handed makes a run and shows the request of the first acquisition, at the
// moment in which the algorithm has it.
func (s *Scenario) Handed(ctx context.Context, contestant string, seed uint64, look func(handed any)) error {
	var once sync.Once
	_, err := s.run(ctx, contestant, seed, hooks{handed: func(r acquire.Request) {
		once.Do(func() { look(r) })
	}})
	return err
}

// ClientRolls makes a run with this many workers and returns the first number
// of every stream that the client came to.
func (s *Scenario) ClientRolls(ctx context.Context, contestant string, seed uint64, workers int) (map[string]string, error) {
	w := s.World()
	w.Workload.Concurrency = workers
	other, err := New(w)
	if err != nil {
		return nil, err
	}
	drawn := map[string]string{}
	_, err = other.run(ctx, contestant, seed, hooks{drawn: func(identity string, number float64) {
		drawn[identity] = fmt.Sprintf("%x", number)
	}})
	return drawn, err
}

// Laws says what the metrics of a run add up to.
func (s *Scenario) Laws() []fairness.Law {
	return []fairness.Law{
		{Left: []string{"jobs_done", "jobs_failed", "jobs_unstarted"}, Constant: float64(s.world.Workload.Jobs)},
		{Left: []string{"leases_active_at_end"}},
	}
}

// hooks look into a run. All may be nil.
type hooks struct {
	event  func(*Event)
	rolls  func(endpoint string, ordinal uint64, r rolls)
	job    func(job) // that arrives in an open loop
	handed func(acquire.Request)
	drawn  func(identity string, number float64)
	pool   func(*pool.Pool) // called with each pool, before the run
}

// watch returns the algorithm with its requests shown to the hook.
func (h hooks) watch(a acquire.Algorithm) acquire.Algorithm {
	if h.handed == nil {
		return a
	}
	return watched{a, h.handed}
}

type watched struct {
	acquire.Algorithm
	look func(acquire.Request)
}

func (w watched) Acquire(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
	w.look(r)
	return w.Algorithm.Acquire(ctx, r)
}
