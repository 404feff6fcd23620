package experiment_test

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// The reference's published runs go in as they are, and its published
// winners, exclusions and aggregates must come out by the reference rule.

type referenceRuns struct {
	Runs []struct {
		Algorithm string
		Seed      uint64
		Metrics   map[string]float64
	}
}

type referenceVerdicts struct {
	Algorithms []string
	Seeds      []uint64
	Winners    map[string][]string
	Excluded   map[string][]struct {
		Algorithm       string
		CompletionRatio float64 `json:"completion_ratio"`
	} `json:"excluded_by_completion"`
	NotCompared map[string]string `json:"not_compared"`
	Unsuited    map[string]string
	Aggregates  map[string]map[string]struct{ Mean, Min, Max, Stdev float64 }
}

// load reads a file of the reference data, which the provider's tests keep.
func load(t *testing.T, name string, into any) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "provider", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// providerMetrics declares the reference's metrics, as far as ranking needs.
func providerMetrics() []experiment.Metric {
	var all []experiment.Metric
	add := func(better experiment.Direction, gated bool, names ...string) {
		for _, n := range names {
			all = append(all, experiment.Metric{Name: n, Unit: "any", Bench: n, Better: better, Gated: gated, Completion: n == "jobs_done"})
		}
	}
	add(experiment.Higher, false, "jobs_done")
	add(experiment.Higher, true, "throughput_rps", "utilization")
	add(experiment.Lower, true, "attempts_per_completed_job", "attempt_inflation", "failed_attempt_rate", "retry_rate",
		"refusal_rate", "error_rate", "successful_job_latency_p50_ms", "successful_job_latency_p95_ms",
		"successful_job_latency_p99_ms", "acquire_wait_p50_ms", "acquire_wait_p99_ms")
	add(experiment.Lower, false, "leases_active_at_end")
	add(experiment.Neutral, false, "jobs_failed", "jobs_unstarted", "makespan_s", "requests", "request_latency_p50_ms", "endpoint_spread")
	return append(all, experiment.Metric{Name: "wall_s", Unit: "s", Volatile: true})
}

// given makes a result of those runs that belong to algorithms and seeds.
func given(t *testing.T, runs referenceRuns, algorithms []string, seeds []uint64, unsuited map[string]string) *experiment.Result {
	t.Helper()
	r := &experiment.Result{
		Scenario: experiment.Description{
			Name: "bursty_provider", Fingerprint: "given", Metrics: providerMetrics(), Unsuited: unsuited,
			Contestants: slices.DeleteFunc(slices.Clone(algorithms), func(a string) bool { return unsuited[a] != "" }),
		},
		Contestants: algorithms, Seeds: seeds,
	}
	for _, a := range algorithms {
		for _, s := range seeds {
			for _, run := range runs.Runs {
				if run.Algorithm == a && run.Seed == s {
					r.Runs = append(r.Runs, experiment.Run{Contestant: a, Seed: s, Values: run.Metrics})
				}
			}
		}
	}
	if !r.Complete() {
		t.Fatalf("the data has %d runs of %v on %v", len(r.Runs), algorithms, seeds)
	}
	return r
}

func TestReferenceVerdicts(t *testing.T) {
	var runs referenceRuns
	load(t, "bursty_provider.seeds3.json.gz", &runs)
	var verdicts map[string]referenceVerdicts
	load(t, "winners.json.gz", &verdicts)
	for _, name := range []string{"default_5", "all_7"} {
		t.Run(name, func(t *testing.T) {
			want := verdicts[name]
			checkVerdicts(t, given(t, runs, want.Algorithms, want.Seeds, want.Unsuited), want)
		})
	}
	t.Run("fast_check", func(t *testing.T) {
		var runs referenceRuns
		load(t, "fast_check.json.gz", &runs)
		var want referenceVerdicts
		load(t, "fast_check.json.gz", &want)
		checkVerdicts(t, given(t, runs, []string{"wait", "immediate"}, []uint64{20260917}, nil), want)
	})
}

func checkVerdicts(t *testing.T, r *experiment.Result, want referenceVerdicts) {
	k := rank(t, r, experiment.Reference)
	if len(want.Winners) < 20 || len(want.Excluded) != 13 {
		t.Fatalf("the data has %d rows of winners and %d of exclusions", len(want.Winners), len(want.Excluded))
	}
	for _, name := range slices.Sorted(maps.Keys(want.Winners)) {
		row := k.Row(name)
		if row == nil {
			t.Errorf("%s: no row", name)
			continue
		}
		if !slices.Equal(row.Winners, want.Winners[name]) {
			t.Errorf("%s: winners %v, want %v", name, row.Winners, want.Winners[name])
		}
		if row.OnlyEligible() != want.NotCompared[name] {
			t.Errorf("%s: only %q was eligible, want %q", name, row.OnlyEligible(), want.NotCompared[name])
		}
		if len(row.Excluded) != len(want.Excluded[name]) {
			t.Errorf("%s: excluded %v, want %v", name, row.Excluded, want.Excluded[name])
			continue
		}
		for i, x := range want.Excluded[name] {
			if got := row.Excluded[i]; got.Contestant != x.Algorithm || math.Abs(got.Ratio-x.CompletionRatio) > 1e-15 {
				t.Errorf("%s: excluded %v, want %v", name, got, x)
			}
		}
	}
	for contestant, metrics := range want.Aggregates {
		for metric, a := range metrics {
			got, _ := r.Aggregate(contestant, metric)
			if got.Mean != a.Mean || got.Min != a.Min || got.Max != a.Max || math.Abs(got.Stdev-a.Stdev) > 4e-16*a.Stdev {
				t.Errorf("%s of %s: %+v, want %+v", metric, contestant, got, a)
			}
		}
	}
}
