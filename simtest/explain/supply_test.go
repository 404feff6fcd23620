package explain_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/explain"
	"github.com/ranktest/ranktest/simtest/provider"
)

// base returns the base scenario, changed.
func base(t *testing.T, change func(w *provider.World)) (*provider.Scenario, provider.World) {
	t.Helper()
	s, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	w := s.(*provider.Scenario).World()
	change(&w)
	changed, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}
	return changed, w
}

func same(*provider.World) {}

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

// What is said of capacity is what a run's timeline shows.
func TestCapacityIsThatOfTheWorld(t *testing.T) {
	s, w := base(t, func(w *provider.World) {
		w.Endpoints[2].Pinned = true
		w.Cycle.Phase = 7 * time.Second
	})
	timeline, err := s.Timeline(t.Context(), "immediate", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	// That run is short: its limits are those of the world until its end.
	w.Workload.Horizon = timeline.End
	for i := range w.Endpoints {
		limit := timeline.Lanes[i+1].Limit
		low, high, sum := math.Inf(1), 0.0, 0.0
		for _, n := range limit {
			low, high, sum = min(low, n), max(high, n), sum+n
		}
		supply := explain.NewSupply(&w, &w.Endpoints[i])
		gotLow, gotHigh, mean := supply.Levels()
		if float64(gotLow) != low || float64(gotHigh) != high || !near(mean, sum/float64(len(limit)), 0.02) {
			t.Errorf("%s takes %d to %d, %g on average; the timeline says %g to %g, %g",
				w.Endpoints[i].ID, gotLow, gotHigh, mean, low, high, sum/float64(len(limit)))
		}
	}
}

// What is said of storms is what the weather of many seeds shows.
func TestStormsAreThoseOfTheWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many runs")
	}
	for _, storm := range []provider.Storm{
		{Rate: 0.08, ErrorRate: 0.6, Duration: 30 * time.Second},
		{Rate: 0.3, ErrorRate: 0.6, Duration: 14 * time.Second},
		{Rate: 0.3, ErrorRate: 0.6, Duration: 5 * time.Second},
	} {
		s, _ := base(t, func(w *provider.World) {
			for i := range w.Endpoints {
				w.Endpoints[i].Storm = storm
			}
		})
		stormy, looks := 0, 0
		for seed := range uint64(40) {
			weather, err := s.Weather(t.Context(), seed, time.Second)
			if err != nil {
				t.Fatal(err)
			}
			for at, what := range weather {
				// The first windows have no storm from before the start.
				instant, err := time.ParseDuration(at[strings.LastIndex(at, " ")+1:])
				if err != nil || instant < 30*time.Second {
					continue
				}
				looks++
				if strings.Contains(what, "storm true") {
					stormy++
				}
			}
		}
		want, got := explain.StormShare(storm), float64(stormy)/float64(looks)
		if math.Abs(got-want) > 0.015 {
			t.Errorf("%+v: stormy for %.4f of the time, want %.4f", storm, got, want)
		}
	}
}

// Latency and failures are what the requests of many runs show, and no run
// serves more than what is said to be within reach.
func TestRequestsAreAsTheExplanationSays(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many runs")
	}
	for _, law := range []provider.Law{provider.LogNormal, provider.Exponential, provider.Deterministic} {
		s, w := base(t, func(w *provider.World) {
			w.Health = pool.Health{MaxRetryAfter: time.Hour} // go on whatever happens, in storms too
			for i := range w.Endpoints {
				e := &w.Endpoints[i]
				if e.Law = law; law != provider.LogNormal {
					e.Sigma = 0
				}
			}
		})
		var supplies []explain.Supply
		for i := range w.Endpoints {
			supplies = append(supplies, explain.NewSupply(&w, &w.Endpoints[i]))
		}
		reach := explain.Reach(&w, supplies, w.Workload.Concurrency)
		type tally struct{ n, failed, seconds float64 }
		tallies := make([]tally, len(w.Endpoints))
		for seed := range uint64(25) {
			run, err := s.Observe(t.Context(), "wait", seed, func(e *provider.Event) {
				if e.Kind != provider.RequestSent || e.Outcome.Refused() {
					return
				}
				c := &tallies[e.Endpoint]
				c.n++
				c.seconds += e.For.Seconds()
				if e.Outcome.Failed() {
					c.failed++
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			served := float64(run.Iterations) * (1 - run.Values["refusal_rate"]) / run.Values["makespan_s"]
			if served > 1.03*reach {
				t.Errorf("%s, seed %d: %.2f requests/s, but only %.2f are said to be within reach", law, seed, served, reach)
			}
		}
		for i, c := range tallies {
			if c.n < 2000 {
				t.Fatalf("%s: only %g requests", w.Endpoints[i].ID, c.n)
			}
			if got, want := c.seconds/c.n, supplies[i].Latency(); !near(got, want, 0.05) {
				t.Errorf("%s %s: mean latency %.4f s, want %.4f", law, w.Endpoints[i].ID, got, want)
			}
			if got, want := c.failed/c.n, supplies[i].Failing(); !near(got, want, 0.2) {
				t.Errorf("%s %s: %.4f of requests fail, want %.4f", law, w.Endpoints[i].ID, got, want)
			}
		}
	}
}

// By hand: an endpoint of one place whose requests take a second each, with a
// horizon of 100 s.
func TestWhatBinds(t *testing.T) {
	one := func(change func(e *provider.Endpoint)) explain.Supply {
		_, w := base(t, func(w *provider.World) {
			w.Endpoints = []provider.Endpoint{{ID: "one", Capacity: 1, Weight: 1, Law: provider.Deterministic, Median: time.Second}}
			w.Cycle = provider.Cycle{Peak: 1}
			w.Workload.Horizon = 100 * time.Second
			change(&w.Endpoints[0])
		})
		return explain.NewSupply(&w, &w.Endpoints[0])
	}
	for _, c := range []struct {
		name   string
		change func(e *provider.Endpoint)
		rate   float64
		binds  string
	}{
		{"nothing else", func(e *provider.Endpoint) {}, 1, "its capacity"},
		{"two at once, which slow each other down", func(e *provider.Endpoint) { e.Capacity, e.Slowdown = 2, 0.25 }, 2 / 1.25, "its capacity"},
		{"more places than leases", func(e *provider.Endpoint) { e.Weight = 3 }, 1, "its capacity"},
		{"a bucket: 20 and 30 more in 60 s", func(e *provider.Endpoint) {
			e.Bucket = &provider.Bucket{PerWindow: 30, Window: time.Minute, Burst: 2. / 3, Tightening: 1, Floor: 1}
		}, 0.2 + 0.5, "its token bucket"},
		{"a plan: 40 in each of two windows", func(e *provider.Endpoint) {
			e.Limits = []provider.Limit{{Kind: provider.FixedWindow, Amount: 40, Window: time.Minute}}
		}, 0.8, "its quota"},
		{"a daily plan, all of which can be used", func(e *provider.Endpoint) {
			e.Limits = []provider.Limit{{Kind: provider.FixedWindow, Amount: 90, Window: 24 * time.Hour}}
		}, 0.9, "its quota"},
		{"a token bucket of 5 and 6 in 60 s", func(e *provider.Endpoint) {
			e.Limits = []provider.Limit{{Kind: provider.TokenBucket, Amount: 6, Burst: 5, Window: time.Minute}}
		}, 0.05 + 0.1, "its quota"},
		{"down for a quarter of the time", func(e *provider.Endpoint) {
			e.Outages = []provider.Outage{{From: 50 * time.Second, Until: 75 * time.Second, ErrorRate: 1}}
		}, 0.75, "its capacity"},
	} {
		rate, binds := one(c.change).Rate()
		if !near(rate, c.rate, 1e-9) || binds != c.binds {
			t.Errorf("%s: %g/s, limited by %s; want %g/s, %s", c.name, rate, binds, c.rate, c.binds)
		}
	}
}

func TestLeasesFollowTheChanges(t *testing.T) {
	_, w := base(t, func(w *provider.World) {
		w.Changes = []provider.Change{
			{At: 10 * time.Second, Endpoint: "metered", Kind: provider.Publish},
			{At: 20 * time.Second, Endpoint: "fast-flaky", Kind: provider.Revoke},
			{At: 30 * time.Second, Endpoint: "metered", Kind: provider.Resize, Capacity: 9},
		}
	})
	var got []string
	for _, at := range []time.Duration{0, 10 * time.Second, 25 * time.Second, time.Minute} {
		got = append(got, fmt.Sprint(at, explain.Leases(&w, &w.Endpoints[0], at), explain.Leases(&w, &w.Endpoints[2], at)))
	}
	if text := strings.Join(got, "; "); text != "0s 6 0; 10s 6 4; 25s 0 4; 1m0s 0 9" {
		t.Errorf("got %s", text)
	}
}

// The mean rate of arrivals is what a run's arrivals come to.
func TestArrivalsAreThoseOfTheWorld(t *testing.T) {
	horizon := 10 * time.Minute
	for name, a := range map[string]provider.Arrivals{
		"every":   {Every: 500 * time.Millisecond},
		"poisson": {Rate: 3},
		"phases":  {Phases: []provider.Phase{{Rate: 1, Mean: 4 * time.Second}, {Rate: 9, Mean: time.Second}}},
		"profile": {Profile: []provider.RatePoint{{At: time.Minute, Rate: 1}, {At: 3 * time.Minute, Rate: 8}, {At: 4 * time.Minute, Rate: 2}}},
		"steep":   {Profile: []provider.RatePoint{{At: 0, Rate: 0}, {At: time.Hour, Rate: 36}}},
		"trace":   {Trace: &provider.Trace{Name: "by hand", Arrivals: []provider.Arrival{{At: time.Second, Size: 3}, {At: 2 * time.Second}, {At: time.Hour, Size: 5}}}},
	} {
		s, _ := base(t, func(w *provider.World) {
			w.Workload.Jobs, w.Workload.Concurrency, w.Workload.Horizon = 100_000, 0, horizon
			w.Workload.Arrivals = &a
			if a.Trace != nil {
				w.Workload.Jobs = len(a.Trace.Arrivals)
			}
		})
		jobs := 0.0
		const seeds = 4
		for seed := range uint64(seeds) {
			rolls, err := s.Rolls(t.Context(), "immediate", seed)
			if err != nil {
				t.Fatal(err)
			}
			for what := range rolls {
				if strings.HasPrefix(what, "job#") {
					jobs++
				}
			}
		}
		want := jobs / seeds / horizon.Seconds()
		if got := explain.ArrivalRate(&a, horizon.Seconds()); !near(got, want, 0.05) {
			t.Errorf("%s: %g jobs/s on average, but %g come", name, got, want)
		}
	}
	if size := explain.MeanSize(&provider.Arrivals{Trace: &provider.Trace{Arrivals: []provider.Arrival{{Size: 3}, {}, {Size: 5}}}}); size != 3 {
		t.Errorf("mean size %g, want (3+1+5)/3", size)
	}
}
