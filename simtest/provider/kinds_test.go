package provider_test

import (
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/simtest/fairness"
	"github.com/ranktest/ranktest/simtest/provider"
)

// worldsOfEveryKind has one change of the plain world for each thing that a
// world can do.
var worldsOfEveryKind = map[string]func(*provider.World){
	"every":   func(w *provider.World) { *w = arrivalsOf(*w, provider.Arrivals{Every: s / 2}) },
	"poisson": func(w *provider.World) { *w = arrivalsOf(*w, provider.Arrivals{Rate: 2}) },
	"phases": func(w *provider.World) {
		*w = arrivalsOf(*w, provider.Arrivals{Phases: []provider.Phase{{Rate: 5, Mean: 9 * s}, {Rate: 1, Mean: s}}})
	},
	"profile": func(w *provider.World) {
		*w = arrivalsOf(*w, provider.Arrivals{Profile: []provider.RatePoint{{Rate: 1}, {At: 60 * s, Rate: 3}}})
	},
	"trace": func(w *provider.World) { *w = opened(*w, manyInstants()...) },
	"other trace": func(w *provider.World) {
		*w = opened(*w, manyInstants()...)
		w.Workload.Arrivals.Trace.Arrivals[3].Size = 2
	},
	"bounded line": func(w *provider.World) { *w = arrivalsOf(*w, provider.Arrivals{Rate: 1}); w.Workload.Concurrency = 3 },
	"bounded drop": func(w *provider.World) {
		*w = arrivalsOf(*w, provider.Arrivals{Rate: 1, Drop: true})
		w.Workload.Concurrency = 3
	},
	"patience": func(w *provider.World) { *w = arrivalsOf(*w, provider.Arrivals{Rate: 1}); w.Workload.Patience = 3 * s },
	"think":    func(w *provider.World) { w.Workload.Think = s },
	"call timeout": func(w *provider.World) {
		w.Endpoints[0].Sigma, w.Endpoints[0].Law, w.Workload.CallTimeout = 1, provider.LogNormal, 2*s
	},
	"exponential": func(w *provider.World) { w.Endpoints[0].Law = provider.Exponential },
	"mean":        func(w *provider.World) { w.Endpoints[0].Median, w.Endpoints[0].Mean = 0, 2*s },
	"vendor":      func(w *provider.World) { w.Endpoints[0].Vendor = "acme" },
	"vendor cap":  func(w *provider.World) { w.VendorCapacity, w.Workload.Jobs = map[string]int{"plain": 2}, 200 },
	"pinned":      func(w *provider.World) { w.Endpoints[0].Pinned = true },
	"slowdown":    func(w *provider.World) { w.Endpoints[0].Slowdown = 0.1 },
	"outage": func(w *provider.World) {
		w.Endpoints[0].Outages = []provider.Outage{{From: 9 * s, Until: 20 * s, ErrorRate: 0.7, After: s}}
	},
	"limit": func(w *provider.World) {
		w.Endpoints[0].Limits = []provider.Limit{{Kind: provider.SlidingWindow, Amount: 5, Window: 9 * s}}
	},
	"keys": func(w *provider.World) { w.Workload.Keys = &provider.Keys{Number: 5, Skew: 1} },
	"cache": func(w *provider.World) {
		w.Workload.Keys, w.Endpoints[0].Cache = &provider.Keys{Number: 5, Skew: 1}, &provider.Cache{Entries: 2, Factor: 0.5, Cost: 0.5}
	},
	"change": func(w *provider.World) {
		w.Changes = []provider.Change{{At: 5 * s, Endpoint: "only", Kind: provider.Resize, Capacity: 4}}
	},
	"retry budget": func(w *provider.World) { w.RetryBudget = &provider.RetryBudget{Ratio: 0.1, Burst: 5} },
}

func arrivalsOf(w provider.World, a provider.Arrivals) provider.World {
	w.Workload.Arrivals, w.Workload.Concurrency = &a, 0
	return w
}

func manyInstants() []time.Duration {
	var at []time.Duration
	for i := range 40 {
		at = append(at, time.Duration(i/4)*s)
	}
	return at
}

// The fairness rules hold whatever a world does.
func TestFairnessInWorldsOfEveryKind(t *testing.T) {
	for name, change := range worldsOfEveryKind {
		t.Run(name, func(t *testing.T) {
			w := plainWorld()
			w.Workload.Jobs, w.Workload.Concurrency, w.Retry.MaxAttempts = 40, 4, 3
			w.Endpoints[0].Capacity, w.Endpoints[0].ErrorRate = 3, 0.05
			change(&w)
			w.Contestants = []string{"wait", "backoff"}
			sc, err := provider.New(w)
			if err != nil {
				t.Fatal(err)
			}
			check := func(err error) {
				if err != nil {
					t.Error(err)
				}
			}
			check(fairness.SharedDraws(t.Context(), sc, w.Contestants, 1))
			check(fairness.Weather(t.Context(), sc, 1))
			for _, c := range w.Contestants {
				check(fairness.NoLeak(t.Context(), sc, c, 1))
				check(fairness.ClientDraws(t.Context(), sc, c, 1))
				check(fairness.Reproducible(t.Context(), sc, c, 1))
				check(fairness.NothingHeld(t.Context(), sc, c, 1))
			}
		})
	}
}

// In real time, too, jobs come and go, are given up, and leave nothing behind.
// This finds data races (with -race), not numbers.
func TestWorldsOfEveryKindInScaledTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	for name, change := range worldsOfEveryKind {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := plainWorld()
			w.Workload.Jobs, w.Workload.Concurrency, w.Retry.MaxAttempts = 20, 4, 3
			w.Endpoints[0].Capacity = 3
			change(&w)
			sc, err := provider.New(w)
			if err != nil {
				t.Fatal(err)
			}
			clk, err := clock.NewScaled(50)
			if err != nil {
				t.Fatal(err)
			}
			r, err := sc.RunOn(t.Context(), clk, "wait", 1)
			if err != nil {
				t.Fatal(err)
			}
			if r.Values["jobs_done"]+r.Values["jobs_failed"] == 0 || r.Values["leases_active_at_end"] != 0 {
				t.Errorf("%v jobs done, %v failed, %v leases held", r.Values["jobs_done"], r.Values["jobs_failed"], r.Values["leases_active_at_end"])
			}
		})
	}
}
