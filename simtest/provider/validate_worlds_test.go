package provider_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// What a world can do besides is checked as well: the error names the field,
// the value and what would be right.
func TestImpossibleExtrasAreRefused(t *testing.T) {
	type world = provider.World
	arrivals := func(a provider.Arrivals) func(*world) {
		return func(w *world) { *w = arrivalsOf(*w, a) }
	}
	first := func(change func(*provider.Endpoint)) func(*world) {
		return func(w *world) { change(&w.Endpoints[0]) }
	}
	limit := func(l provider.Limit) func(*world) {
		return first(func(e *provider.Endpoint) { e.Limits = []provider.Limit{l} })
	}
	for name, c := range map[string]struct {
		change func(*world)
		want   []string
	}{
		"two processes":          {arrivals(provider.Arrivals{Rate: 1, Every: s}), []string{"Workload.Arrivals", "2 processes", "exactly one"}},
		"no process":             {arrivals(provider.Arrivals{}), []string{"0 processes", "exactly one"}},
		"a NaN rate":             {arrivals(provider.Arrivals{Rate: math.NaN()}), []string{"Workload.Arrivals.Rate: NaN", "from 0 to"}},
		"a rate of 1e9":          {arrivals(provider.Arrivals{Rate: 1e9}), []string{"Workload.Arrivals.Rate: 1e+09"}},
		"a negative interval":    {arrivals(provider.Arrivals{Every: -s}), []string{"Workload.Arrivals.Every: -1s"}},
		"phases without rate":    {arrivals(provider.Arrivals{Phases: []provider.Phase{{Mean: s}}}), []string{"Phases", "above 0"}},
		"a phase of no length":   {arrivals(provider.Arrivals{Phases: []provider.Phase{{Rate: 1}}}), []string{"Phases[0].Mean: 0s"}},
		"a profile of no points": {arrivals(provider.Arrivals{Profile: []provider.RatePoint{}}), []string{"Profile", "at least one point"}},
		"a profile backwards": {arrivals(provider.Arrivals{Profile: []provider.RatePoint{{At: s, Rate: 1}, {Rate: 2}}}),
			[]string{"Profile[1].At: 0s", "before the point before"}},
		"a trace backwards":       {func(w *world) { *w = opened(*w, 2*s, s) }, []string{"Trace.Arrivals[1]", "not be before 2s"}},
		"a trace that is short":   {func(w *world) { *w = opened(*w, 0); w.Workload.Jobs = 2 }, []string{"Workload.Jobs: 2", "at most 1"}},
		"a trace without name":    {func(w *world) { *w = opened(*w, 0); w.Workload.Arrivals.Trace.Name = "" }, []string{"Trace.Name", "where"}},
		"a drop without bound":    {arrivals(provider.Arrivals{Rate: 1, Drop: true}), []string{"Arrivals.Drop", "Workload.Concurrency"}},
		"thinking in open loop":   {func(w *world) { *w = arrivalsOf(*w, provider.Arrivals{Rate: 1}); w.Workload.Think = s }, []string{"Workload.Think: 1s", "must be 0"}},
		"negative patience":       {func(w *world) { w.Workload.Patience = -s }, []string{"Workload.Patience: -1s"}},
		"a negative call timeout": {func(w *world) { w.Workload.CallTimeout = -1 }, []string{"Workload.CallTimeout: -1ns"}},
		"no keys":                 {func(w *world) { w.Workload.Keys = &provider.Keys{} }, []string{"Workload.Keys.Number: 0", "from 1"}},
		"keys askew":              {func(w *world) { w.Workload.Keys = &provider.Keys{Number: 1, Skew: math.NaN()} }, []string{"Keys.Skew: NaN"}},
		"an unknown law":          {first(func(e *provider.Endpoint) { e.Law = "pareto" }), []string{`Law: "pareto"`, `"exponential"`}},
		"a sigma without use":     {first(func(e *provider.Endpoint) { e.Sigma = 1 }), []string{"Sigma: 1", "deterministic"}},
		"median and mean":         {first(func(e *provider.Endpoint) { e.Mean = s }), []string{"Median: 1s", "one of the two"}},
		"a mean of nothing":       {first(func(e *provider.Endpoint) { e.Median, e.Mean, e.TailRate = 0, s, 1 }), []string{"TailFactor: 0", "above 0"}},
		"an infinite slowdown":    {first(func(e *provider.Endpoint) { e.Slowdown = math.Inf(1) }), []string{"Slowdown: +Inf"}},
		"a cache without keys":    {first(func(e *provider.Endpoint) { e.Cache = &provider.Cache{Entries: 1} }), []string{"Cache", "needs Workload.Keys"}},
		"an empty cache": {func(w *world) {
			w.Workload.Keys, w.Endpoints[0].Cache = &provider.Keys{Number: 1}, &provider.Cache{Factor: 2}
		},
			[]string{"Cache.Entries: 0", "Cache.Factor: 2"}},
		"an outage without end":  {first(func(e *provider.Endpoint) { e.Outages = []provider.Outage{{From: s, ErrorRate: 1}} }), []string{"Outages[0].Until: 0s"}},
		"an outage of no effect": {first(func(e *provider.Endpoint) { e.Outages = []provider.Outage{{Until: s}} }), []string{"Outages[0].ErrorRate: 0", "above 0"}},
		"outages that overlap": {first(func(e *provider.Endpoint) {
			e.Outages = []provider.Outage{{Until: 2 * s, ErrorRate: 1}, {From: s, Until: 3 * s, ErrorRate: 1}}
		}), []string{"Outages[1].From: 1s", "before the end"}},
		"an unknown limit":    {limit(provider.Limit{Kind: "leaky", Amount: 1, Window: s}), []string{`Limits[0].Kind: "leaky"`, "token_bucket"}},
		"a limit of nothing":  {limit(provider.Limit{Kind: provider.FixedWindow, Window: s}), []string{"Limits[0].Amount: 0"}},
		"a window of nothing": {limit(provider.Limit{Kind: provider.FixedWindow, Amount: 1}), []string{"Limits[0].Window: 0s"}},
		"a burst of a window": {limit(provider.Limit{Kind: provider.FixedWindow, Amount: 1, Window: s, Burst: 3}), []string{"Limits[0].Burst: 3", "only a token_bucket"}},
		"a bucket too large": {limit(provider.Limit{Kind: provider.TokenBucket, Amount: 99_999_989, Window: 3650*24*time.Hour - 1}),
			[]string{"Limits[0].Window", "shorter window"}},
		"a nameless vendor":  {func(w *world) { *w = twoVendors(); w.Endpoints[1].Vendor = "" }, []string{"Endpoints[1].Vendor", "must be named"}},
		"a vendor's spaces":  {first(func(e *provider.Endpoint) { e.Vendor = "a b" }), []string{`Vendor: "a b"`, "letters"}},
		"nobody's capacity":  {func(w *world) { w.VendorCapacity = map[string]int{"acme": 1} }, []string{`VendorCapacity["acme"]`, "of no endpoint"}},
		"a capacity of 0":    {func(w *world) { w.VendorCapacity = map[string]int{"plain": 0} }, []string{`VendorCapacity["plain"]: 0`}},
		"a budget beyond 1":  {func(w *world) { w.RetryBudget = &provider.RetryBudget{Ratio: 2, Burst: 1} }, []string{"RetryBudget.Ratio: 2"}},
		"a budget of no use": {func(w *world) { w.RetryBudget = &provider.RetryBudget{} }, []string{"RetryBudget.Burst: 0"}},
		"a change of nobody": {func(w *world) { w.Changes = []provider.Change{{At: s, Endpoint: "x", Kind: provider.Revoke}} }, []string{`Changes[0].Endpoint: "x"`}},
		"a change at 0":      {func(w *world) { w.Changes = []provider.Change{{Endpoint: "only", Kind: provider.Revoke}} }, []string{"Changes[0].At: 0s"}},
		"a revocation twice": {func(w *world) {
			w.Changes = []provider.Change{{At: s, Endpoint: "only", Kind: provider.Revoke}, {At: s, Endpoint: "only", Kind: provider.Revoke}}
		}, []string{`Changes[1].Kind: "revoke"`, "not there"}},
		"a size of nothing": {func(w *world) { w.Changes = []provider.Change{{At: s, Endpoint: "only", Kind: provider.Resize}} }, []string{"Changes[0].Capacity: 0"}},
		"changes backwards": {func(w *world) {
			w.Changes = []provider.Change{{At: 2 * s, Endpoint: "only", Kind: provider.Revoke}, {At: s, Endpoint: "only", Kind: provider.Publish}}
		}, []string{"Changes[1].At: 1s", "before the change before"}},
		"an unknown change": {func(w *world) { w.Changes = []provider.Change{{At: s, Endpoint: "only", Kind: "paint"}} }, []string{`Changes[0].Kind: "paint"`, "resize"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := plainWorld()
			c.change(&w)
			_, err := provider.New(w)
			if err == nil {
				t.Fatal("it was accepted")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error is %q, want it to contain %q", err, want)
				}
			}
		})
	}
}

// A caller's later changes reach neither the scenario nor its copies.
func TestAScenarioKeepsItsOwnWorld(t *testing.T) {
	w := plainWorld()
	for _, name := range []string{"phases", "cache", "limit", "outage", "change", "retry budget", "vendor cap"} {
		worldsOfEveryKind[name](&w)
	}
	sc, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}
	before := sc.Fingerprint()
	for _, copied := range []provider.World{w, sc.World()} {
		copied.Endpoints[0].Limits[0].Amount, copied.Endpoints[0].Outages[0].Until, copied.Endpoints[0].Cache.Entries = 9, 999*s, 9
		copied.Workload.Arrivals.Rate, copied.Workload.Arrivals.Phases[0].Rate, copied.Workload.Keys.Number = 9, 9, 9
		copied.Changes[0].At, copied.RetryBudget.Burst, copied.VendorCapacity["plain"] = 9*s, 9, 9
	}
	if after := sc.Fingerprint(); after != before {
		t.Error("the scenario's assumptions have changed")
	}
}

// The flags of a suite size an open loop, too: jobs, and how many at once.
func TestAnOpenLoopCanBeAdjusted(t *testing.T) {
	sc, err := provider.New(opened(plainWorld(), 0, 0, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	smaller, err := sc.Adjust(experiment.Adjustment{Jobs: 3, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	if l := smaller.(*provider.Scenario).World().Workload; l.Jobs != 3 || l.Concurrency != 1 {
		t.Errorf("%d jobs, %d at once, want 3 and 1", l.Jobs, l.Concurrency)
	}
	if _, err := sc.Adjust(experiment.Adjustment{Jobs: 5}); err == nil || !strings.Contains(err.Error(), "the length of the trace") {
		t.Errorf("more jobs than the trace has: %v", err)
	}
}
