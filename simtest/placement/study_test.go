package placement_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
)

// scenario makes a scenario, or fails.
func scenario(t testing.TB, w placement.World) *placement.Scenario {
	t.Helper()
	s, err := placement.New(w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// studyTrace makes a scenario's trace of a seed and checks its digest, and that
// the scenario would run with the reference's settings.
func studyTrace(t *testing.T, w placement.World, seed uint64, digest string, c runConfig) *placement.Trace {
	t.Helper()
	s := scenario(t, w)
	trace, err := s.Trace(seed)
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Workers) == 1 {
		makeAble(trace)
	}
	if got := trace.Digest(); got != digest {
		t.Fatalf("%s, seed %d: digest %s, want %s", w.Name, seed, got, digest)
	}
	if got, want := fmt.Sprint(s.Settings(seed)), fmt.Sprint(c.settings(t)); got != want {
		t.Fatalf("%s, seed %d: settings %s, want %s", w.Name, seed, got, want)
	}
	return trace
}

// makeAble gives the only worker all capabilities that the tasks require, as
// that study does.
func makeAble(trace *placement.Trace) {
	able := map[string]bool{}
	for _, c := range trace.Workers[0].Capabilities {
		able[c] = true
	}
	for _, task := range trace.Tasks {
		able[task.Capability] = true
	}
	trace.Workers[0].Capabilities = slices.Sorted(maps.Keys(able))
}

// The scale study: 18 cells of five seeds; of the largest population one seed,
// unless SIMTEST_LONG is set.
func TestScaleStudy(t *testing.T) {
	var file struct {
		Cells []struct {
			Workers int `json:"worker_count"`
			Regime  struct{ Name string }
			Runs    []struct {
				Seed   uint64    `json:"trace_seed"`
				Config runConfig `json:"run_config"`
				Trace  struct {
					Digest string `json:"trace_digest"`
				}
				Policies map[string]json.RawMessage
			} `json:"raw_runs"`
		}
	}
	readJSON(t, "scale.json.gz", &file)
	regimes := map[string]func(int) placement.World{"fresh": placement.Fresh, "moderate": placement.Moderate, "stale": placement.Stale}
	for _, cell := range file.Cells {
		t.Run(fmt.Sprintf("%s/%d", cell.Regime.Name, cell.Workers), func(t *testing.T) {
			if testing.Short() && cell.Workers >= 10_000 {
				t.Skip("takes large traces")
			}
			for i, run := range cell.Runs {
				if cell.Workers >= 100_000 && i > 0 && os.Getenv("SIMTEST_LONG") == "" {
					break
				}
				w := regimes[cell.Regime.Name](cell.Workers)
				trace := studyTrace(t, w, run.Seed, run.Trace.Digest, run.Config)
				for policy, raw := range run.Policies {
					checkStudy(t, trace, policy, run.Config, raw)
				}
			}
		})
	}
}

// The rarity study: 6 numbers of able workers, five seeds.
func TestRarityStudy(t *testing.T) {
	var file struct {
		Cells []struct {
			Able int `json:"capable_worker_count"`
			Runs []struct {
				Seed     uint64    `json:"trace_seed"`
				Config   runConfig `json:"run_config"`
				Digest   string    `json:"projected_trace_digest"`
				Policies map[string]json.RawMessage
			} `json:"raw_runs"`
		}
	}
	readJSON(t, "rarity.json.gz", &file)
	for _, cell := range file.Cells {
		for _, run := range cell.Runs {
			trace := studyTrace(t, placement.RareCapability(cell.Able), run.Seed, run.Digest, run.Config)
			for policy, raw := range run.Policies {
				checkStudy(t, trace, policy, run.Config, raw)
			}
		}
	}
}

// The factor study: 16 levels of one factor at a time, five seeds.
func TestFactorStudy(t *testing.T) {
	var file struct {
		Runs []struct {
			Factor string
			Value  any
			Seed   uint64 `json:"trace_seed"`
			Trace  struct {
				Digest string `json:"trace_digest"`
			}
			Policies map[string]json.RawMessage
		} `json:"raw_runs"`
	}
	readJSON(t, "factor.json.gz", &file)
	worlds := map[string]func(any) placement.World{
		"availability_lag": func(v any) placement.World { return placement.AvailabilityLag(int(v.(float64))) },
		"load_lag":         func(v any) placement.World { return placement.LoadLag(int(v.(float64))) },
		"offered_load":     func(v any) placement.World { return placement.OfferedLoad(v.(float64)) },
		"failure_shape": func(v any) placement.World {
			if v == "regional" {
				return placement.Regional()
			}
			return placement.Independent()
		},
	}
	for _, run := range file.Runs {
		var c struct {
			Config runConfig `json:"run_config"` // the same for all policies
		}
		if err := json.Unmarshal(run.Policies[placement.Oracle], &c); err != nil {
			t.Fatal(err)
		}
		trace := studyTrace(t, worlds[run.Factor](run.Value), run.Seed, run.Trace.Digest, c.Config)
		for policy, raw := range run.Policies {
			checkStudy(t, trace, policy, c.Config, raw)
		}
	}
}

func checkStudy(t *testing.T, trace *placement.Trace, policy string, c runConfig, raw json.RawMessage) {
	t.Helper()
	r := referenceRun{Policy: policy, Config: c}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if r.Metrics == nil { // the oracle of large populations was not run
		return
	}
	r.Policy, r.Config = policy, c
	r.check(t, trace)
}
