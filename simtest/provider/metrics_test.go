package provider_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// Every run has a value of every declared metric, and no other.
func TestRunsEmitExactlyWhatIsDeclared(t *testing.T) {
	for name, w := range map[string]provider.World{
		"closed": plainWorld(), "open": opened(plainWorld(), 0, s), "two vendors": twoVendors(), "nothing arrives": opened(plainWorld(), 2*plainWorld().Workload.Horizon),
	} {
		sc, err := provider.New(w)
		if err != nil {
			t.Fatal(err)
		}
		var declared []string
		for _, m := range sc.Metrics() {
			declared = append(declared, m.Name)
		}
		slices.Sort(declared)
		r, err := sc.Run(t.Context(), "wait", 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(r.Values)); !slices.Equal(got, declared) {
			t.Errorf("%s: emitted are %v, declared %v", name, got, declared)
		}
	}
}

// The rows of the base table keep their names and their order; what came
// later follows them.
func TestTheBaseTableIsKept(t *testing.T) {
	base := []string{
		"jobs_done", "jobs_failed", "jobs_unstarted", "makespan_s", "throughput_rps", "requests", "attempts_per_completed_job",
		"attempt_inflation", "failed_attempt_rate", "retry_rate", "refusal_rate", "error_rate", "successful_job_latency_p50_ms",
		"successful_job_latency_p95_ms", "successful_job_latency_p99_ms", "acquire_wait_p50_ms", "acquire_wait_p99_ms",
		"request_latency_p50_ms", "utilization", "endpoint_spread", "leases_active_at_end",
	}
	sc, err := provider.New(plainWorld())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := experiment.Describe(sc); err != nil {
		t.Fatal(err)
	}
	for i, m := range sc.Metrics() {
		if i < len(base) && m.Name != base[i] {
			t.Errorf("row %d is %s, want %s", i, m.Name, base[i])
		}
	}
}

// Restricted mean: what fails at once is as bad as what never ends. Four jobs
// of which the first two are done, at 1 s and 2 s, and two are refused at 0.
func TestFailingFastDoesNotShortenTheRestrictedMean(t *testing.T) {
	w := plainWorld()
	w.Workload.Jobs, w.Workload.Concurrency, w.Workload.Horizon = 4, 3, 10*s
	r, _ := watch(t, w, "immediate")
	expectValues(t, r, map[string]float64{"jobs_done": 1, "restricted_mean_completion_s": (1 + 3*10) / 4.0})
}

// Load and capacity: all load on one of two endpoints that offer 1 and 3.
func TestShareDistanceByHand(t *testing.T) {
	w := plainWorld()
	w.Endpoints = append(w.Endpoints, w.Endpoints[0])
	w.Endpoints[1].ID, w.Endpoints[1].Weight = "big", 3
	w.Workload.Jobs = 1
	r, _ := watch(t, w, "wait")
	expectValues(t, r, map[string]float64{"share_distance": (0.75 + 0.75) / 2, "utilization_enforced": 0.25})
}

// A world that does not use what other worlds do has the fingerprint that it
// always had.
func TestFingerprintOfTheBaseWorldIsKept(t *testing.T) {
	sc, err := provider.New(baseWorld())
	if err != nil {
		t.Fatal(err)
	}
	if got := sc.Fingerprint()[:12]; got != "cb9282b3c969" {
		t.Errorf("the fingerprint begins with %s", got)
	}
}

// Everything that a world assumes is in its fingerprint.
func TestEveryAssumptionHasAFingerprint(t *testing.T) {
	seen := map[string]string{}
	add := func(name string, w provider.World) {
		sc, err := provider.New(w)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if other, ok := seen[sc.Fingerprint()]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[sc.Fingerprint()] = name
	}
	add("the plain world", plainWorld())
	for name, change := range worldsOfEveryKind {
		w := plainWorld()
		change(&w)
		add(name, w)
	}
}

// Every percentile says how many values it is of, so that too few are noticed.
func TestPercentilesComeWithTheirSamples(t *testing.T) {
	s, err := provider.New(baseWorld())
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), "wait", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range s.Metrics() {
		if _, ok := r.Samples[m.Name]; ok != (m.Quantile > 0) {
			t.Errorf("%s is a quantile: %v; it has a sample: %v", m.Name, m.Quantile, ok)
		}
	}
	if n := r.Samples["successful_job_latency_p99_ms"]; float64(n) != r.Values["jobs_done"] {
		t.Errorf("the latency of %v jobs is measured, and %v were done", n, r.Values["jobs_done"])
	}
}
