package placement_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
)

// read returns a file of testdata, unpacked.
func read(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readJSON decodes one, numbers kept as they are written where the target
// wants that (json.Number).
func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(read(t, name), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// config is a generator with its seed as the reference writes it.
type config struct {
	Workers          int         `json:"worker_count"`
	Ticks            int         `json:"ticks"`
	Arrivals         int         `json:"base_arrivals_per_tick"`
	BurstProbability float64     `json:"burst_probability"`
	BurstMultiplier  int         `json:"burst_multiplier"`
	MaxWork          int         `json:"max_work_units"`
	Churn            float64     `json:"churn_fraction"`
	OutageMin        int         `json:"outage_min_ticks"`
	OutageMax        int         `json:"outage_max_ticks"`
	Seed             json.Number `json:"seed"`
}

func (c config) trace(t testing.TB) *placement.Trace {
	t.Helper()
	trace, err := placement.Generator{
		Workers: c.Workers, Ticks: c.Ticks, Arrivals: c.Arrivals, BurstProbability: c.BurstProbability,
		BurstMultiplier: c.BurstMultiplier, MaxWork: c.MaxWork, Churn: c.Churn, OutageMin: c.OutageMin, OutageMax: c.OutageMax,
	}.Trace(integer(t, c.Seed))
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func integer(t testing.TB, text json.Number) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(string(text), 10)
	if !ok {
		t.Fatalf("%q is no integer", text)
	}
	return n
}

// runConfig is the settings of a run as the reference writes them.
type runConfig struct {
	AvailabilityLag int         `json:"availability_observation_lag"`
	LoadLag         int         `json:"load_observation_lag"`
	Drain           int         `json:"drain_ticks"`
	PolicySeed      json.Number `json:"policy_seed"`
	Restart         bool        `json:"restart_work_on_churn"`
}

func (c runConfig) settings(t testing.TB) placement.Settings {
	t.Helper()
	return placement.Settings{
		AvailabilityLag: c.AvailabilityLag, LoadLag: c.LoadLag, Drain: c.Drain,
		PolicySeed: integer(t, c.PolicySeed), RestartOnChurn: c.Restart,
	}
}

// referenceRun is what the reference says about one run.
type referenceRun struct {
	Policy   string
	Config   runConfig           `json:"run_config"`
	Metrics  map[string]*float64 // nil: null
	NextWord *uint32             `json:"rng_next_u32"`
}

const jain = "jain_worker_utilization_fairness"

// compare reports how a result differs from the reference's: integers and
// percentiles bit for bit, Jain's index to 1e-12, null as absent.
func (r referenceRun) compare(got *placement.Result) (differences []string) {
	values := got.Values()
	for name, want := range r.Metrics {
		v, ok := values[name]
		delete(values, name)
		switch {
		case want == nil && ok:
			differences = append(differences, fmt.Sprintf("%s is %v, want no value", name, v))
		case want != nil && !ok:
			differences = append(differences, fmt.Sprintf("%s has no value, want %v", name, *want))
		case want == nil || v == *want:
		case name == jain && math.Abs(v-*want) <= 1e-12:
		default:
			differences = append(differences, fmt.Sprintf("%s is %v, want %v", name, v, *want))
		}
	}
	for name := range values {
		differences = append(differences, name+" is unknown to the reference")
	}
	return differences
}

// check makes the run and compares it, the random stream after it included.
func (r referenceRun) check(t *testing.T, trace *placement.Trace) {
	t.Helper()
	if len(r.Metrics) != 35 {
		t.Fatalf("%d metrics, want 35", len(r.Metrics))
	}
	got, word, err := placement.NextWord(trace, r.Policy, r.Config.settings(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.compare(got) {
		t.Errorf("%s, %+v: %s", r.Policy, r.Config, d)
	}
	if r.NextWord != nil && word != *r.NextWord {
		t.Errorf("%s, %+v: the random stream goes on with %d, want %d", r.Policy, r.Config, word, *r.NextWord)
	}
}
