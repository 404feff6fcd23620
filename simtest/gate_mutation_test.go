package simtest_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// algorithm is one that is made of its Acquire.
type algorithm func(ctx context.Context, r acquire.Request) (*pool.Lease, error)

func (a algorithm) Acquire(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
	return a(ctx, r)
}

// parsed is an algorithm of the library.
func parsed(spec string) acquire.Algorithm {
	a, err := acquire.Parse(spec)
	if err != nil {
		panic(err)
	}
	return a
}

func wait(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
	return r.Pool.Acquire(ctx, r.Query)
}

func try(ctx context.Context, r acquire.Request, then algorithm) (*pool.Lease, error) {
	if lease, err := r.Pool.TryAcquire(ctx, r.Query); err == nil {
		return lease, nil
	}
	return then(ctx, r)
}

// mutants are the seven algorithms, each as if somebody had changed a line of
// it. ranking says whether that moves the ranking of the base scenario.
var mutants = []struct {
	contestant, change string
	ranking            bool
	mutant             acquire.Algorithm
}{
	{"immediate", "waits where it should give up", true, algorithm(wait)},
	{"wait", "gives up after a second", true, parsed("wait(timeout=1s)")},
	{"backoff", "has twice the base", false, parsed("backoff(base=400ms)")},
	{"sticky", "forgets what it had", false, algorithm(wait)},
	{"quota_aware", "turns to the endpoint with the least quota left", false, algorithm(func(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
		ranked := r
		ranked.Query.Rank = func(v pool.View) pool.Score {
			declared, _ := v.Quota("tokens")
			return pool.Score{-(declared - v.Used("tokens")) / declared}
		}
		return try(ctx, ranked, func(ctx context.Context, _ acquire.Request) (*pool.Lease, error) { return wait(ctx, r) })
	})},
	{"failover", "has no last resort", true, parsed("failover(fallback=immediate)")},
	{"least_busy", "prefers the busiest", true, algorithm(func(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
		ranked := r
		ranked.Query.Rank = func(v pool.View) pool.Score { return pool.Score{float64(v.Active()) / float64(v.Capacity())} }
		return try(ctx, ranked, func(ctx context.Context, _ acquire.Request) (*pool.Lease, error) { return wait(ctx, r) })
	})},
}

// register makes an algorithm known under a name, with parameters of no kind.
func register(t *testing.T, name string, a acquire.Algorithm) {
	t.Helper()
	err := acquire.Register(acquire.Definition{Name: name, Rule: "for tests", New: func(acquire.Args) (acquire.Algorithm, error) { return a, nil }})
	if err != nil {
		t.Fatal(err)
	}
}

// everybody is the base scenario with all seven algorithms; half of it is
// enough here.
func everybody(t *testing.T, change func(*provider.World)) *provider.Scenario {
	t.Helper()
	base, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	w := base.(*provider.Scenario).World()
	w.Contestants, w.Unsuited = nil, nil
	for _, m := range mutants {
		w.Contestants = append(w.Contestants, m.contestant)
	}
	w.Workload.Horizon = 5 * time.Minute
	change(&w)
	s, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// substituted is a scenario in which one contestant runs the code of another.
type substituted struct {
	*provider.Scenario
	contestant, code string
}

func (s substituted) Run(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
	if contestant != s.contestant {
		return s.Scenario.Run(ctx, contestant, seed)
	}
	run, err := s.Scenario.Run(ctx, s.code, seed)
	run.Contestant = contestant
	return run, err
}

// swept is the outcome of a scenario on ten seeds.
func swept(t *testing.T, s experiment.Scenario) *simtest.Outcome {
	t.Helper()
	o := experiment.Options{}
	for i := range uint64(10) {
		o.Seeds = append(o.Seeds, 20260917+i)
	}
	result, err := experiment.Sweep(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := experiment.Rank(result, experiment.Calibrated)
	if err != nil {
		t.Fatal(err)
	}
	return &simtest.Outcome{Scenario: s, Result: result, Ranking: ranking}
}

// commit writes the baseline of an outcome into a file.
func commit(t *testing.T, o *simtest.Outcome) (file string) {
	t.Helper()
	r, err := reports.New(o.Result, reports.Provenance{Rule: o.Ranking.Rule})
	if err != nil {
		t.Fatal(err)
	}
	b, err := reports.NewBaseline(r)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "bursty_provider.txt")
	if _, err := b.Update(file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestGateBlamesTheAlgorithmThatWasChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 600 runs")
	}
	s := everybody(t, func(*provider.World) {})
	file := commit(t, swept(t, s))
	for _, m := range mutants {
		t.Run(m.contestant+" "+m.change, func(t *testing.T) {
			code := "mutant_of_" + m.contestant
			register(t, code, m.mutant)
			o := swept(t, substituted{s, m.contestant, code})

			exactly := simtest.MatchRankingExactly(file)
			if ok, err := exactly.Match(o); ok || err != nil {
				t.Fatalf("the gate lets it pass (%v)", err)
			}
			others := slices.DeleteFunc(s.Contestants(), func(c string) bool { return c == m.contestant })
			text := exactly.FailureMessage(o)
			says(t, text, "Attribution:\n  contestant "+m.contestant+": its runs changed, on 10 of 10 seeds\n",
				"  unchanged: the runs of "+strings.Join(others, ", ")+" on every seed; the assumptions; the rule; the draws; the seeds\n",
				"To reproduce one run of "+m.contestant+", on seed 2026",
				"go tool ginkgo ./simtest -- -simtest.scenarios=bursty_provider -simtest.algorithms="+m.contestant+" -simtest.first-seed=2026")
			if n := strings.Count(text, "its runs changed") + strings.Count(text, "whose runs changed"); n != 1 {
				t.Errorf("%d are blamed:\n%s", n, text)
			}
			ok, err := simtest.MatchRanking(file).Match(o)
			if err != nil || ok == m.ranking {
				t.Errorf("at level ranking it passes: %v, want %v (%v)\n%s", ok, !m.ranking, err, text)
			}
		})
	}

	t.Run("an algorithm that is written otherwise and does the same", func(t *testing.T) {
		register(t, "wait_rewritten", algorithm(func(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
			return try(ctx, r, wait)
		}))
		if ok, err := simtest.MatchRankingExactly(file).Match(swept(t, substituted{s, "wait", "wait_rewritten"})); !ok || err != nil {
			t.Errorf("the gate does not let it pass (%v)", err)
		}
	})

	t.Run("an assumption of the scenario", func(t *testing.T) {
		exactly := simtest.MatchRankingExactly(file)
		o := swept(t, everybody(t, func(w *provider.World) { w.Cycle.Trough = 0.4; w.Endpoints[2].Capacity = 5 }))
		if ok, err := exactly.Match(o); ok || err != nil {
			t.Fatalf("the gate lets it pass (%v)", err)
		}
		says(t, exactly.FailureMessage(o), "Attribution:\n  the scenario: 2 assumptions changed\n    cycle.trough: 0.35 -> 0.4\n    endpoint.metered.capacity: 4 -> 5\n",
			"    the runs of all contestants changed with it: ", "unchanged: the rule; the draws; the seeds")
	})
}
