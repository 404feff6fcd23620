package placement_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/fairness"
	"github.com/ranktest/ranktest/simtest/placement"
)

func worlds() []placement.World {
	return []placement.World{
		placement.Documented(),
		placement.Fresh(10), placement.Moderate(10), placement.Stale(10), placement.Stale(1000),
		placement.RareCapability(500), placement.RareCapability(1), placement.OneAble(),
		placement.AvailabilityLag(0), placement.AvailabilityLag(10), placement.LoadLag(10),
		placement.OfferedLoad(0.25), placement.OfferedLoad(1.25), placement.Independent(), placement.Regional(),
	}
}

// Every world keeps what the core asks of a scenario.
func TestScenariosKeepTheContract(t *testing.T) {
	fingerprints := map[string]string{}
	for _, w := range worlds() {
		s := scenario(t, w)
		d, err := experiment.Describe(s)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Mechanism() == "" || strings.Contains(s.Mechanism(), "\n") {
			t.Errorf("%s: the mechanism is %q, want one line", w.Name, s.Mechanism())
		}
		if !slices.Equal(d.Contestants, placement.Policies()) || d.Compared(placement.Oracle) {
			t.Errorf("%s: contestants %v, references %v", w.Name, d.Contestants, d.References)
		}
		if other, taken := fingerprints[d.Fingerprint]; taken {
			t.Errorf("%s and %s have the same fingerprint", w.Name, other)
		}
		fingerprints[d.Fingerprint] = w.Name
		for _, policy := range d.Contestants {
			run, err := s.Run(context.Background(), policy, s.FirstSeed())
			if err != nil {
				t.Errorf("%s, %s: %v", w.Name, policy, err)
				continue
			}
			if err := d.CheckRun(run); err != nil {
				t.Errorf("%s, %s: %v", w.Name, policy, err)
			}
			if err := fairness.WorkAddsUp(s, &experiment.Result{Runs: []experiment.Run{run}}); err != nil {
				t.Errorf("%s: %v", w.Name, err)
			}
			if run.Iterations == 0 || run.Digest == "" {
				t.Errorf("%s, %s: %d iterations, digest %q", w.Name, policy, run.Iterations, run.Digest)
			}
		}
	}
}

// There are 35 metrics, each declared once with a unit and a meaning; one is
// the completion row.
func TestMetricsAreDeclaredOnce(t *testing.T) {
	metrics := placement.Metrics()
	names, units, completion := map[string]bool{}, map[string]bool{}, []string{}
	for _, m := range metrics {
		if m.Unit == "" || m.Bench == "" || m.Meaning == "" {
			t.Errorf("%s lacks a unit or a meaning", m.Name)
		}
		if strings.Contains(m.Bench, "%") != (m.BenchScale == 100) {
			t.Errorf("%s: unit %s with scale %v", m.Name, m.Bench, m.BenchScale)
		}
		names[m.Name], units[m.Bench] = true, true
		if m.Completion {
			completion = append(completion, m.Name)
		}
	}
	if len(metrics) != 35 || len(names) != 35 || len(units) != 35 || !slices.Equal(completion, []string{"completion_rate"}) {
		t.Errorf("%d metrics, %d names, %d units, completion %v", len(metrics), len(names), len(units), completion)
	}
}

// A metric without a value is absent, and everything else is there.
func TestNullIsAbsent(t *testing.T) {
	s := scenario(t, placement.RareCapability(500))
	run, err := s.Run(context.Background(), "power-two", 41)
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, m := range placement.Metrics() {
		if _, ok := run.Values[m.Name]; !ok {
			missing = append(missing, m.Name)
		}
	}
	if want := []string{"mean_churn_recovery_ticks", "p95_churn_recovery_ticks"}; !slices.Equal(missing, want) {
		t.Errorf("no value for %v, want %v: there is no churn", missing, want)
	}
}

// Each percentile tells how large the sample is that it is of, so that a
// ranking can warn of those that are too small.
func TestPercentilesTellTheirSamples(t *testing.T) {
	s := scenario(t, placement.Documented())
	run, err := s.Run(context.Background(), "power-two", 42)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{
		"p95_wait_ticks":           int64(run.Values["tasks_completed"]),
		"p95_response_ticks":       int64(run.Values["tasks_completed"]),
		"p95_tick_max_queue_depth": int64(run.Values["simulated_ticks"]),
		"p95_churn_recovery_ticks": int64(run.Values["recovered_churn_events"]),
	}
	if !maps.Equal(run.Samples, want) {
		t.Errorf("samples %v, want %v", run.Samples, want)
	}
	for _, m := range s.Metrics() {
		if _, sampled := want[m.Name]; sampled != (m.Quantile == 0.95) {
			t.Errorf("%s: quantile %v", m.Name, m.Quantile)
		}
	}
}

// Traces are what they are: of an adjustment only the reference's draws are
// accepted, which they have anyway.
func TestAdjust(t *testing.T) {
	s := scenario(t, placement.Fresh(10))
	for _, draws := range []string{"", "default", "python"} {
		same, err := s.Adjust(experiment.Adjustment{Draws: draws})
		if err != nil || same.Fingerprint() != s.Fingerprint() || same.Name() != s.Name() {
			t.Errorf("draws %q: error %v", draws, err)
		}
	}
	for a, want := range map[experiment.Adjustment]string{
		{Jobs: 30}:             `scenario "placement_fresh_10": field "Jobs": 30: must be left out`,
		{Concurrency: 4}:       `field "Concurrency": 4: must be left out`,
		{Horizon: time.Minute}: `field "Horizon": 1m0s: must be left out`,
		{Draws: "dice"}:        `field "Draws": dice: must be default or python`,
	} {
		if _, err := s.Adjust(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %s", a, err, want)
		}
	}
}

// All contestants of a seed are given one trace, and another seed is another
// trace.
func TestOneTraceForAllContestants(t *testing.T) {
	for _, w := range []placement.World{placement.Stale(10), placement.Regional()} {
		s := scenario(t, w)
		seen := map[string]uint64{}
		for _, seed := range []uint64{41, 42, 1<<64 - 1} {
			trace, err := s.Trace(seed)
			if err != nil {
				t.Fatal(err)
			}
			want := trace.Digest()
			for _, policy := range placement.Policies() {
				got, err := s.Exogenous(context.Background(), policy, seed)
				if err != nil {
					t.Fatal(err)
				}
				if got != want {
					t.Errorf("%s, seed %d: %s ran on %s, want %s", w.Name, seed, policy, got, want)
				}
			}
			if other, taken := seen[want]; taken {
				t.Errorf("%s: seeds %d and %d give one trace", w.Name, seed, other)
			}
			seen[want] = seed
		}
	}
}

// A sweep is the same whatever runs beside it, and the oracle is in it without
// being ranked.
func TestSweepIsReproducible(t *testing.T) {
	s := scenario(t, placement.Moderate(10))
	sweep := func(parallel int) map[string]string {
		result, err := experiment.Sweep(context.Background(), s, experiment.Options{Seeds: []uint64{1, 2, 3}, Parallel: parallel})
		if err != nil {
			t.Fatal(err)
		}
		digests := map[string]string{}
		for _, run := range result.Runs {
			digests[fmt.Sprint(run.Contestant, run.Seed)] = run.Digest
		}
		return digests
	}
	one, four := sweep(1), sweep(4)
	if !reflect.DeepEqual(one, four) {
		t.Errorf("digests differ:\n%v\n%v", one, four)
	}
	if distinct := len(slices.Compact(slices.Sorted(maps.Values(one)))); len(one) != 15 || distinct != 15 {
		t.Errorf("%d runs with %d different digests, want 15", len(one), distinct)
	}
}

// Whoever changes the world or the seed that New was given changes nothing.
func TestScenariosAreImmutable(t *testing.T) {
	w := placement.Fresh(10)
	s := scenario(t, w)
	before := s.Fingerprint()
	w.Settings.PolicySeed.SetInt64(5)
	s.Settings(3).PolicySeed.SetInt64(9)
	s.Contestants()[0] = "changed"
	s.Metrics()[0].Name = "changed"
	digest := func() string {
		run, err := s.Run(context.Background(), "power-two", 41)
		if err != nil {
			t.Fatal(err)
		}
		return run.Digest
	}
	ran := digest()
	trace, err := s.Trace(41)
	if err != nil {
		t.Fatal(err)
	}
	trace.Tasks[0].Work += 5
	if digest() != ran {
		t.Error("changing a trace that it made has changed a run")
	}
	if s.Fingerprint() != before || s.Settings(3).PolicySeed.Cmp(big.NewInt(1340)) != 0 {
		t.Error("the scenario has changed")
	}
	if s.Contestants()[0] == "changed" || s.Metrics()[0].Name == "changed" {
		t.Error("its lists have changed")
	}
}

func TestUnknownContestant(t *testing.T) {
	_, err := scenario(t, placement.Fresh(10)).Run(context.Background(), "wait", 1)
	if err == nil || !strings.Contains(err.Error(), `policy "wait": unknown: must be one of one-random`) {
		t.Errorf("error %v, want one that lists the policies", err)
	}
}

// Without a directory, the only able worker is avoided while it is busy: the
// more choices, the fewer tasks are completed. With one, all are.
func TestOneAbleWorkerPunishesChoice(t *testing.T) {
	s := scenario(t, placement.OneAble())
	completion := map[string]float64{}
	for seed := range uint64(10) {
		for _, policy := range placement.Policies() {
			run, err := s.Run(context.Background(), policy, s.FirstSeed()+seed)
			if err != nil {
				t.Fatal(err)
			}
			completion[policy] += run.Values["completion_rate"] / 10
		}
	}
	t.Log(completion)
	one, two, three := completion["one-random"], completion["power-two"], completion["power-three"]
	if !(one > two+0.05 && two > three+0.05) {
		t.Errorf("completion with 1, 2 and 3 choices is %.3f, %.3f, %.3f, want it to fall", one, two, three)
	}
	if able, oracle := completion["capability-power-two"], completion[placement.Oracle]; able < 0.999 || oracle < 0.999 {
		t.Errorf("completion with a directory is %.3f, of the oracle %.3f, want all", able, oracle)
	}
}
