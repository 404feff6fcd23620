package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/cmd/ranktest/internal/cli"
	"github.com/ranktest/ranktest/simtest/placement"
)

// A trace of a run is JSON with a digest, which is that of the same run of run.
func TestTraceRunIsTheSameRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.json")
	o := ranktest(t, "trace-run", "bursty_provider", "sticky", "20260917", "--jobs", "20", "--output", file)
	o.want(t, cli.Done, "wrote "+file, "ui.perfetto.dev")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	piped := ranktest(t, "trace-run", "bursty_provider", "sticky", "20260917", "--jobs", "20")
	piped.want(t, cli.Done)
	if piped.stdout != string(data) {
		t.Error("the file and the standard output differ")
	}
	var trace struct {
		OtherData   map[string]string
		TraceEvents []map[string]any
	}
	if err := json.Unmarshal(data, &trace); err != nil {
		t.Fatal(err)
	}
	runs := ranktest(t, "run", "bursty_provider", "--algorithms", "sticky", "--seeds", "1", "--jobs", "20", "--json", "-").json(t).Scenarios[0].Runs
	if len(trace.TraceEvents) < 100 || trace.OtherData["digest"] != runs[0].Digest {
		t.Errorf("%d events, digest %s; run says %s", len(trace.TraceEvents), trace.OtherData["digest"], runs[0].Digest)
	}
}

// The example of the reference's documentation, whose digest is published.
func TestTraceIsThatOfTheReference(t *testing.T) {
	const digest = "sha256:aae33ca90b24e3af55e201760e0e84a9fc8d08c58ee607c25ceb34b62e88509d"
	file := filepath.Join(t.TempDir(), "trace.json")
	o := ranktest(t, "trace", "--seed", "42", "--workers", "1000", "--ticks", "500", "--arrivals", "8", "--output", file)
	o.want(t, cli.Done, "wrote "+file)
	o.wantOutput(t, digest, "workers: 1000, with 1838 units", "tasks: 5504, in 500 ticks; outages: 100")
	trace, err := placement.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := trace.Digest(); got != digest {
		t.Errorf("digest %s", got)
	}
}

// Every parameter of the generator has a flag, which changes the trace.
func TestEveryParameterOfTheGeneratorCounts(t *testing.T) {
	plain := ranktest(t, "trace", "--ticks", "30")
	plain.want(t, cli.Done, "trace of seed 42: sha256:")
	for _, args := range [][]string{
		{"--seed", "-100000000000000000000"}, {"--workers", "7"}, {"--ticks", "31"}, {"--arrivals", "3"}, {"--burst-probability", "0.5"},
		{"--burst-multiplier", "2"}, {"--max-work", "3"}, {"--churn", "0.5"}, {"--outage-min", "9"}, {"--outage-max", "9"},
	} {
		o := ranktest(t, append([]string{"trace", "--ticks", "30"}, args...)...)
		o.want(t, cli.Done)
		if o.stdout == plain.stdout {
			t.Errorf("%v changes nothing", args)
		}
	}
}

func TestPlacePrintsATable(t *testing.T) {
	o := ranktest(t, "place", "--workers", "12", "--ticks", "20", "--policies", "power-two,global-least-loaded", "--policy-seed", "-5", "--restart=false")
	o.want(t, cli.Done)
	golden(t, "place.txt", o.stdout)
}

// Generated, from a file, from a pipe, and again: the same result.
func TestReplayingATraceGivesTheSame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	generated := ranktest(t, "place", "--seed", "7", "--workers", "20", "--ticks", "40", "--save-trace", file)
	generated.want(t, cli.Done, "wrote "+file)
	if !strings.Contains(generated.stdout, "digest of the run") {
		t.Errorf("no digest in\n%s", generated.stdout)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]outcome{
		"from a file":     ranktest(t, "place", file),
		"from a pipe":     ranktestOn(t, t.Context(), string(data), "place", "-"),
		"from trace":      ranktestOn(t, t.Context(), ranktest(t, "trace", "--seed", "7", "--workers", "20", "--ticks", "40").stdout, "place", "-"),
		"generated again": ranktest(t, "place", "--seed", "7", "--workers", "20", "--ticks", "40"),
	} {
		if o.stdout != generated.stdout {
			t.Errorf("%s: got\n%s\nwant\n%s", name, o.stdout, generated.stdout)
		}
	}
	for _, args := range [][]string{{"--availability-lag", "9"}, {"--load-lag", "9"}, {"--drain", "3"}, {"--policy-seed", "2"}, {"--restart=false"}} {
		if o := ranktest(t, append([]string{"place", file}, args...)...); o.stdout == generated.stdout {
			t.Errorf("%v changes nothing", args)
		}
	}
}

// The JSON is the reference's: keys and form are held by package placement.
func TestPlaceWritesTheReferencesResult(t *testing.T) {
	o := ranktest(t, "place", "--workers", "12", "--ticks", "20", "--json", "-", "--load-lag", "4")
	o.want(t, cli.Done)
	var result struct {
		Policies map[string]struct {
			Metrics map[string]any
		}
		RunConfig map[string]any `json:"run_config"`
		Trace     map[string]any
	}
	if err := json.Unmarshal([]byte(o.stdout), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Policies) != 5 || len(result.Policies["one-random"].Metrics) != 35 || result.RunConfig["load_observation_lag"] != 4.0 || result.Trace["worker_count"] != 12.0 {
		t.Errorf("got %s", o.stdout)
	}
}

// An interrupt stops what cannot be interrupted, too.
func TestInterruptedTraces(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupt signal received"))
	for _, args := range [][]string{
		{"trace", "--workers", "100000", "--ticks", "1000", "--arrivals", "100"},
		{"place", "--workers", "100000", "--ticks", "1000", "--arrivals", "100"},
		{"trace-run", "bursty_provider", "wait", "1"},
	} {
		o := ranktestOn(t, ctx, "", args...)
		o.want(t, cli.Interrupted, "interrupt signal received")
		if o.stdout != "" {
			t.Errorf("%v printed\n%s", args, o.stdout)
		}
	}
}
