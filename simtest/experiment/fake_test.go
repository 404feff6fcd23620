package experiment_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// world is a scenario made of fields.
type world struct {
	name        string
	contestants []string
	unsuited    map[string]string
	references  map[string]string
	metrics     []experiment.Metric
	run         func(ctx context.Context, contestant string, seed uint64) (experiment.Run, error)
}

func (w world) Name() string                  { return w.name }
func (w world) Summary() string               { return "a world for tests" }
func (w world) Contestants() []string         { return w.contestants }
func (w world) Unsuited() map[string]string   { return w.unsuited }
func (w world) References() map[string]string { return w.references }
func (w world) Metrics() []experiment.Metric  { return w.metrics }
func (w world) Fingerprint() string           { return "f00d" }

func (w world) Run(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
	return w.run(ctx, contestant, seed)
}

var (
	done  = experiment.Metric{Name: "done", Unit: "jobs", Bench: "jobs-done", Better: experiment.Higher, Completion: true}
	slow  = experiment.Metric{Name: "latency_ms", Unit: "ms", Bench: "latency-ns", BenchScale: 1e6, Better: experiment.Lower, Gated: true}
	size  = experiment.Metric{Name: "size", Unit: "ratio", Bench: "size-ratio"}
	clock = experiment.Metric{Name: "wall_s", Unit: "s", Better: experiment.Lower, Volatile: true}
)

// newWorld returns a sound scenario whose runs depend on contestant and seed.
func newWorld() world {
	return world{
		name:        "quiet_pond",
		contestants: []string{"frog", "newt", "toad"},
		metrics:     []experiment.Metric{done, slow, size},
		run: func(_ context.Context, contestant string, seed uint64) (experiment.Run, error) {
			r := rand.New(rand.NewPCG(seed, uint64(contestant[0])))
			return experiment.Run{Values: map[string]float64{
				"done": 100 + r.Float64(), "latency_ms": 20 + r.Float64(), "size": r.Float64(),
			}, Iterations: 7}, nil
		},
	}
}

// table makes a result from one metric's values per contestant, seed by seed;
// NaN means absent. Contestants are listed in order.
func table(m experiment.Metric, contestants []string, values map[string][]float64) *experiment.Result {
	r := &experiment.Result{
		Scenario:    experiment.Description{Name: "given", Fingerprint: "f00d", Metrics: []experiment.Metric{m}, Contestants: contestants},
		Contestants: contestants,
	}
	for i := range values[contestants[0]] {
		r.Seeds = append(r.Seeds, uint64(i+1))
	}
	for _, c := range contestants {
		for i, v := range values[c] {
			run := experiment.Run{Contestant: c, Seed: uint64(i + 1), Values: map[string]float64{}}
			if !math.IsNaN(v) {
				run.Values[m.Name] = v
			}
			r.Runs = append(r.Runs, run)
		}
	}
	return r
}

// addMetric gives a result one more metric with a value per contestant, the
// same on every seed.
func addMetric(r *experiment.Result, m experiment.Metric, values map[string]float64) {
	r.Scenario.Metrics = append(r.Scenario.Metrics, m)
	for i := range r.Runs {
		r.Runs[i].Values[m.Name] = values[r.Runs[i].Contestant]
	}
}

func rank(t *testing.T, r *experiment.Result, rule experiment.Rule) *experiment.Ranking {
	t.Helper()
	ranking, err := experiment.Rank(r, rule)
	if err != nil {
		t.Fatal(err)
	}
	return ranking
}

// wantError checks that err says each of the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

var errBroken = errors.New("the pond is dry")
