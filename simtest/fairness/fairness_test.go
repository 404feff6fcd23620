package fairness_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/fairness"
	"github.com/ranktest/ranktest/simtest/provider"
)

// Every rule holds in the base scenario, and for each there is a world that is
// unfair in just that way, which the rule must find. A check that cannot fail
// would be worth nothing.

const seed = 20260917

func fair(t *testing.T) *provider.Scenario {
	t.Helper()
	s, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	return s.(*provider.Scenario)
}

// found fails the test unless a rule found what it should, and says so.
func found(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Error("nothing was found")
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("found %q, want it to name %q", err, w)
		}
	}
}

func holds(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// rollsByCall rolls in the order of calls: who asks matters.
type rollsByCall struct{ *provider.Scenario }

func (s rollsByCall) Rolls(ctx context.Context, contestant string, seed uint64) (map[string]string, error) {
	rolls, err := s.Scenario.Rolls(ctx, contestant, seed)
	rolls["metered#3"] += contestant
	return rolls, err
}

func TestSharedDraws(t *testing.T) {
	s := fair(t)
	contestants := []string{"wait", "backoff", "sticky"}
	holds(t, fairness.SharedDraws(t.Context(), s, contestants, seed))
	found(t, fairness.SharedDraws(t.Context(), rollsByCall{s}, contestants, seed), "metered#3", "wait", "backoff")
}

// rollsTooFew shares nothing, so that nothing can differ.
type rollsTooFew struct{ *provider.Scenario }

func (rollsTooFew) Rolls(context.Context, string, uint64) (map[string]string, error) {
	return map[string]string{"one": "1"}, nil
}

func TestAVacuousComparisonFails(t *testing.T) {
	found(t, fairness.SharedDraws(t.Context(), rollsTooFew{fair(t)}, []string{"wait", "sticky"}, seed), "1 identities", "at least 20")
}

// traced hands out the traces that it is told.
type traced map[string]string

func (w traced) Exogenous(_ context.Context, contestant string, _ uint64) (string, error) {
	return w[contestant], nil
}

func TestOneTrace(t *testing.T) {
	holds(t, fairness.OneTrace(t.Context(), traced{"a": "x", "b": "x"}, []string{"a", "b"}, seed))
	found(t, fairness.OneTrace(t.Context(), traced{"a": "x", "b": "y"}, []string{"a", "b"}, seed), "a ran on x, and b on y")
}

// weatherByTraffic has storms that traffic causes.
type weatherByTraffic struct{ *provider.Scenario }

func (s weatherByTraffic) Weather(ctx context.Context, seed uint64, pace time.Duration) (map[string]string, error) {
	seen, err := s.Scenario.Weather(ctx, seed, pace)
	seen["metered at 1m0s"] = fmt.Sprintf("storm %v", pace < time.Second)
	return seen, err
}

func TestWeather(t *testing.T) {
	s := fair(t)
	holds(t, fairness.Weather(t.Context(), s, seed))
	found(t, fairness.Weather(t.Context(), weatherByTraffic{s}, seed), "metered at 1m0s", "storm true")
}

// leaky hands contestants something through which the world can be reached.
type leaky struct {
	*provider.Scenario
	hand func(acquire.Request) any
}

func (s leaky) Handed(ctx context.Context, contestant string, seed uint64, look func(any)) error {
	return s.Scenario.Handed(ctx, contestant, seed, func(handed any) { look(s.hand(handed.(acquire.Request))) })
}

func TestNoLeak(t *testing.T) {
	s := fair(t)
	for _, contestant := range s.Contestants() {
		holds(t, fairness.NoLeak(t.Context(), s, contestant, seed))
	}
	for name, c := range map[string]struct {
		hand func(acquire.Request) any
		path string
	}{
		"an exported field": {func(r acquire.Request) any {
			return struct {
				acquire.Request
				World provider.World
			}{r, s.World()}
		}, "request.World is a provider.World"},
		"an unexported field behind an interface": {func(r acquire.Request) any {
			r.Rand = struct {
				acquire.Rand
				world any
			}{r.Rand, s}
			return r
		}, "request.Rand.world is a *provider.Scenario"},
		"a map in a slice": {func(r acquire.Request) any {
			r.Rand = struct {
				acquire.Rand
				world []map[string]any
			}{r.Rand, []map[string]any{{"scenario": s}}}
			return r
		}, "request.Rand.world[0][scenario] is a *provider.Scenario"},
		"a method value": {func(r acquire.Request) any {
			r.Query.Filter = func(pool.View) bool { return s.Name() != "" }
			return r
		}, "request.Query.Filter is the function"},
	} {
		t.Run(name, func(t *testing.T) {
			found(t, fairness.NoLeak(t.Context(), leaky{s, c.hand}, "wait", seed), c.path, "must not reach the world")
		})
	}
}

// drawsByWorker keys the client's randomness by who does the work.
type drawsByWorker struct{ *provider.Scenario }

func (s drawsByWorker) ClientRolls(ctx context.Context, contestant string, seed uint64, workers int) (map[string]string, error) {
	rolls, err := s.Scenario.ClientRolls(ctx, contestant, seed, workers)
	rolls["retry job 0 step 0 attempt 1"] = fmt.Sprint("worker ", workers-1)
	return rolls, err
}

func TestClientDraws(t *testing.T) {
	s := fair(t)
	holds(t, fairness.ClientDraws(t.Context(), s, "backoff", seed))
	found(t, fairness.ClientDraws(t.Context(), drawsByWorker{s}, "backoff", seed), "retry job 0 step 0 attempt 1", "worker 11", "worker 6")
}

func TestCompletionGate(t *testing.T) {
	result, err := experiment.Sweep(t.Context(), fair(t), experiment.Options{Seeds: []uint64{1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	gated := func(r *experiment.Result) (*experiment.Ranking, error) {
		return experiment.Rank(r, experiment.Calibrated)
	}
	holds(t, fairness.CompletionGate(result, gated))
	// A ranking that forgets the gate crowns whoever did nothing.
	ungated := func(r *experiment.Result) (*experiment.Ranking, error) {
		free := *r
		free.Scenario.Metrics = append([]experiment.Metric(nil), r.Scenario.Metrics...)
		for i := range free.Scenario.Metrics {
			free.Scenario.Metrics[i].Gated = false
		}
		return experiment.Rank(&free, experiment.Calibrated)
	}
	found(t, fairness.CompletionGate(result, ungated), "throughput_rps", "immediate", "was crowned")
}

// gambler waits a random while that no seed decides.
type gambler struct{}

func (gambler) Acquire(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
	if err := r.Pool.Clock().Sleep(ctx, time.Duration(rand.Int64N(1000))); err != nil {
		return nil, err
	}
	return r.Pool.Acquire(ctx, r.Query)
}

func TestReproducible(t *testing.T) {
	s := fair(t)
	for _, contestant := range s.Contestants() {
		holds(t, fairness.Reproducible(t.Context(), s, contestant, seed))
	}
	err := acquire.Register(acquire.Definition{Name: "gambler", Rule: "uses global randomness", New: func(acquire.Args) (acquire.Algorithm, error) { return gambler{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	found(t, fairness.Reproducible(t.Context(), s, "gambler", seed), "gambler", "global randomness")
}

// forgetful leaves a goroutine behind in each run.
type forgetful struct {
	*provider.Scenario
	stop chan struct{}
}

func (s forgetful) Run(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
	go func() { <-s.stop }()
	return s.Scenario.Run(ctx, contestant, seed)
}

func TestNothingHeld(t *testing.T) {
	s := fair(t)
	holds(t, fairness.NothingHeld(t.Context(), s, "wait", seed))
	stop := make(chan struct{})
	defer close(stop)
	found(t, fairness.NothingHeld(t.Context(), forgetful{s, stop}, "wait", seed), "a goroutine is left of the run", "forgetful")
}

func TestWorkAddsUp(t *testing.T) {
	s := fair(t)
	result, err := experiment.Sweep(t.Context(), s, experiment.Options{Seeds: []uint64{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, fairness.WorkAddsUp(s, result))
	result.Runs[3].Values["jobs_failed"]++
	found(t, fairness.WorkAddsUp(s, result), result.Runs[3].Contestant, "jobs_failed")
	result.Runs[3].Values["jobs_failed"]--
	result.Runs[4].Values["leases_active_at_end"] = 1
	found(t, fairness.WorkAddsUp(s, result), "leases_active_at_end")
	result.Runs = nil
	found(t, fairness.WorkAddsUp(s, result), "no run")
}

// aimless is a world that cannot show what it hands over.
type aimless struct{ experiment.Scenario }

func TestAWorldThatShowsNothingIsNoProof(t *testing.T) {
	found(t, fairness.NoLeak(t.Context(), aimless{fair(t)}, "wait", seed), "does not show")
	silent := silent{fair(t)}
	found(t, fairness.NoLeak(t.Context(), silent, "wait", seed), "never asked")
}

type silent struct{ *provider.Scenario }

func (silent) Handed(context.Context, string, uint64, func(any)) error { return nil }
