package provider_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// plainWorld is a world without any chance: one endpoint that takes one
// request at a time and needs a second for it; ten jobs of one call, no
// retries, and an hour.
func plainWorld() provider.World {
	return provider.World{
		Name: "plain", Summary: "nothing happens by chance",
		Endpoints:   []provider.Endpoint{{ID: "only", Capacity: 1, Weight: 1, Law: provider.Deterministic, Median: time.Second}},
		Cycle:       provider.Cycle{Peak: 1},
		Workload:    provider.Workload{Jobs: 10, StepsPerJob: 1, CallsPerStep: 1, Concurrency: 1, Horizon: time.Hour},
		Retry:       acquire.Retry{MaxAttempts: 1},
		Health:      pool.DefaultHealth(),
		Contestants: []string{"wait"},
	}
}

// opened makes it an open loop with these arrivals.
func opened(w provider.World, at ...time.Duration) provider.World {
	trace := &provider.Trace{Name: "by hand"}
	for _, t := range at {
		trace.Arrivals = append(trace.Arrivals, provider.Arrival{At: t})
	}
	w.Workload.Arrivals = &provider.Arrivals{Trace: trace}
	w.Workload.Jobs, w.Workload.Concurrency = len(at), 0
	return w
}

// watch makes a run and returns it with what happened, a line for each event
// of the kinds.
func watch(t *testing.T, w provider.World, contestant string, kinds ...provider.EventKind) (experiment.Run, []string) {
	t.Helper()
	s, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	r, err := s.Observe(t.Context(), contestant, 1, func(e *provider.Event) {
		for _, k := range kinds {
			if e.Kind != k {
				continue
			}
			line := fmt.Sprintf("%v job %d %v", e.At, e.Job, e.Kind)
			switch e.Kind {
			case provider.RequestSent:
				line = fmt.Sprintf("%v job %d to %s: %v", e.At, e.Job, w.Endpoints[e.Endpoint].ID, e.Outcome)
			case provider.JobDone, provider.JobFailed, provider.CallAbandoned:
				line += fmt.Sprintf(" after %v", e.For)
			}
			lines = append(lines, line)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, lines
}

// expectLines compares what happened with a timeline worked out by hand.
func expectLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("event %d: %s, want %s", i, g, w)
		}
	}
}

// expectValues compares metrics.
func expectValues(t *testing.T, r experiment.Run, want map[string]float64) {
	t.Helper()
	for metric, v := range want {
		if got := r.Values[metric]; got < v-1e-12 || got > v+1e-12 {
			t.Errorf("%s is %v, want %v", metric, got, v)
		}
	}
}
