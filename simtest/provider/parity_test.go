package provider_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// measured is a file of results of the reference.
type measured struct {
	Jobs        int     `json:"jobs"`
	Concurrency int     `json:"concurrency"`
	Horizon     float64 `json:"horizon_s"`
	Runs        []measuredRun
}

type measuredRun struct {
	Algorithm string
	Seed      uint64
	Metrics   map[string]float64
	Classes   map[string]int64 `json:"error_classes"`
	Admitted  map[string]int64 `json:"endpoint_admitted"`

	Stalled  bool
	AllDead  float64 `json:"all_dead_at_s"`
	Done     int64   `json:"jobs_done"`
	Claimed  int64   `json:"jobs_claimed"`
	Attempts int64
	Requests int64
}

func readReference(t testing.TB, name string, into any) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".gz"))
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

// referenceWorld is the base scenario with the reference's draws, at the size
// of a file of results.
func referenceWorld(t testing.TB, m measured) *provider.Scenario {
	t.Helper()
	w := baseWorld()
	w.Draws = provider.PythonDraws
	w.Workload.Jobs, w.Workload.Concurrency = m.Jobs, m.Concurrency
	w.Workload.Horizon = time.Duration(m.Horizon * 1e9)
	s, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every metric of every measured run: counts exactly, rates and times to 1e-9
// relative or a microsecond, whichever is wider.
func TestEveryMeasuredRunIsReproduced(t *testing.T) {
	for _, file := range []string{"bursty_provider.seeds3.json", "bursty_provider.seeds20.json", "small_world.json", "fast_check.json"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			var m measured
			readReference(t, file, &m)
			s := referenceWorld(t, m)
			for _, want := range m.Runs {
				got, err := s.Run(t.Context(), want.Algorithm, want.Seed)
				if err != nil {
					t.Fatalf("%s, seed %d: %v", want.Algorithm, want.Seed, err)
				}
				compareRun(t, want, got)
			}
		})
	}
}

func compareRun(t *testing.T, want measuredRun, got experiment.Run) {
	t.Helper()
	label := fmt.Sprintf("%s, seed %d", want.Algorithm, want.Seed)
	if !maps.Equal(got.Counts["error_classes"], want.Classes) {
		t.Errorf("%s: errors by class are %v, want %v", label, got.Counts["error_classes"], want.Classes)
	}
	if !maps.Equal(got.Counts["endpoint_admitted"], want.Admitted) {
		t.Errorf("%s: admitted %v, want %v", label, got.Counts["endpoint_admitted"], want.Admitted)
	}
	if want.Stalled != (got.Stall != nil) {
		t.Errorf("%s: stall %+v, want stalled = %v", label, got.Stall, want.Stalled)
		return
	}
	if want.Stalled {
		compareStall(t, label, want, got)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(want.Metrics)) {
		if v, ok := got.Values[name]; !ok || !near(name, v, want.Metrics[name]) {
			t.Errorf("%s: %s is %v, want %v", label, name, v, want.Metrics[name])
		}
	}
}

// A stalled run has no metrics in the reference, but counts. It counts parked
// jobs neither as failed nor as anything; and it notices the stall a while
// after the instant at which nothing can be leased any more, so that workers
// whose pause ends in between have begun an attempt that we do not count.
func compareStall(t *testing.T, label string, want measuredRun, got experiment.Run) {
	t.Helper()
	all := got.Values["jobs_done"] + got.Values["jobs_failed"] + got.Values["jobs_unstarted"]
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"jobs done", got.Values["jobs_done"], float64(want.Done)},
		{"jobs claimed", all - got.Values["jobs_unstarted"], float64(want.Claimed)},
		{"jobs failed", got.Values["jobs_failed"], float64(want.Claimed - want.Done)},
		{"requests", got.Values["requests"], float64(want.Requests)},
	} {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("%s: %s: %v, want %v", label, c.what, c.got, c.want)
		}
	}
	attempts := math.Round(got.Values["attempts_per_completed_job"] * float64(want.Done))
	if late := float64(want.Attempts) - attempts; late < 0 || late > 2 {
		t.Errorf("%s: %v attempts, want %v or up to 2 fewer", label, attempts, want.Attempts)
	}
	for what, at := range map[string]float64{"stalled": got.Stall.At.Seconds(), "makespan": got.Values["makespan_s"]} {
		if math.Abs(at-want.AllDead) > 1e-6 {
			t.Errorf("%s: %s at %v s, want %v", label, what, at, want.AllDead)
		}
	}
}

// near compares a value with a measured one, by what kind of number it is.
func near(metric string, got, want float64) bool {
	switch unit := unitOf(metric); unit {
	case "jobs", "requests", "leases":
		return got == want
	case "s":
		return math.Abs(got-want) <= max(1e-9*math.Abs(want), 1e-6)
	case "ms":
		return math.Abs(got-want) <= max(1e-9*math.Abs(want), 1e-3)
	default:
		return math.Abs(got-want) <= 1e-9*math.Abs(want)
	}
}

func unitOf(metric string) string {
	s, _ := provider.New(baseWorld())
	for _, m := range s.Metrics() {
		if m.Name == metric {
			return m.Unit
		}
	}
	return ""
}

// requestLog is a file with every request of a run, in order.
type requestLog struct {
	measured
	Seed       uint64
	Algorithms map[string]struct{ Requests [][]any }
}

func TestEveryRequestIsTheReferences(t *testing.T) {
	for _, file := range []string{"events_small.json", "events_full_20260917.json"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			var log requestLog
			readReference(t, file, &log)
			s := referenceWorld(t, log.measured)
			for _, algorithm := range slices.Sorted(maps.Keys(log.Algorithms)) {
				compareRequests(t, s, algorithm, log.Seed, log.Algorithms[algorithm].Requests)
			}
		})
	}
}

func compareRequests(t *testing.T, s *provider.Scenario, algorithm string, seed uint64, want [][]any) {
	t.Helper()
	endpoints := s.World().Endpoints
	i := 0
	_, err := s.Observe(t.Context(), algorithm, seed, func(e *provider.Event) {
		if e.Kind != provider.RequestSent {
			return
		}
		if i < len(want) {
			w := want[i]
			latency, _ := w[4].(float64)
			same := endpoints[e.Endpoint].ID == w[1] && float64(e.Ordinal) == w[2] && e.Outcome.String() == w[3] &&
				math.Abs(e.At.Seconds()-w[0].(float64)) <= 1e-6 && math.Abs(e.For.Seconds()-latency) <= 1e-6
			if !same {
				t.Fatalf("%s: request %d is %v %s %d %s %v, want %v", algorithm, i, e.At.Seconds(), endpoints[e.Endpoint].ID, e.Ordinal, e.Outcome, e.For.Seconds(), w)
			}
		}
		i++
	})
	if err != nil {
		t.Fatal(err)
	}
	if i != len(want) {
		t.Errorf("%s: %d requests, want %d", algorithm, i, len(want))
	}
}

// ranked is what the reference made of a set of runs.
type ranked struct {
	Algorithms []string
	Seeds      []uint64
	Winners    map[string][]string
	Excluded   map[string][]struct {
		Algorithm string
		Ratio     float64 `json:"completion_ratio"`
	} `json:"excluded_by_completion"`
	NotCompared map[string]string `json:"not_compared"`
}

func TestTheReferencesWinnersAreReproduced(t *testing.T) {
	var files map[string]ranked
	readReference(t, "winners.json", &files)
	s := referenceWorld(t, measured{Jobs: 3000, Concurrency: 12, Horizon: 600})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		want := files[name]
		t.Run(name, func(t *testing.T) {
			result, err := experiment.Sweep(context.Background(), s, experiment.Options{Contestants: want.Algorithms, Seeds: want.Seeds})
			if err != nil {
				t.Fatal(err)
			}
			ranking, err := experiment.Rank(result, experiment.Reference)
			if err != nil {
				t.Fatal(err)
			}
			compareRanking(t, want, ranking)
		})
	}
}

func compareRanking(t *testing.T, want ranked, got *experiment.Ranking) {
	t.Helper()
	for _, metric := range slices.Sorted(maps.Keys(want.Winners)) {
		row := got.Row(metric)
		if !slices.Equal(row.Winners, want.Winners[metric]) {
			t.Errorf("%s: winners are %v, want %v", metric, row.Winners, want.Winners[metric])
		}
		excluded := want.Excluded[metric]
		if len(row.Excluded) != len(excluded) {
			t.Errorf("%s: excluded are %v, want %v", metric, row.Excluded, excluded)
			continue
		}
		for i, e := range excluded {
			if row.Excluded[i].Contestant != e.Algorithm || math.Abs(row.Excluded[i].Ratio-e.Ratio) > 1e-6 {
				t.Errorf("%s: excluded are %v, want %v", metric, row.Excluded, excluded)
			}
		}
		sole := ""
		if row.Metric.Gated && row.Verdict == experiment.TooFew && len(row.Eligible) == 1 {
			sole = row.Eligible[0].Contestant
		}
		if sole != want.NotCompared[metric] {
			t.Errorf("%s: only %q was eligible, want %q", metric, sole, want.NotCompared[metric])
		}
	}
}
