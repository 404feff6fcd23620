package provider_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

func timeline(t *testing.T, w provider.World, contestant string, step time.Duration) (*experiment.Timeline, experiment.Run) {
	t.Helper()
	s, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}
	line, err := s.Timeline(t.Context(), contestant, 1, step)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Run(t.Context(), contestant, 1)
	if err != nil {
		t.Fatal(err)
	}
	return line, run
}

func wantSeries(t *testing.T, lane experiment.Lane, name string, want ...float64) {
	t.Helper()
	for _, s := range slices.Concat(lane.Levels, lane.Counts, []experiment.Series{{Name: "limit", Values: lane.Limit}}) {
		if s.Name == name {
			if !slices.Equal(s.Values, want) {
				t.Errorf("%s of %s: %v, want %v", name, lane.Name, s.Values, want)
			}
			return
		}
	}
	t.Errorf("%s has no %s", lane.Name, name)
}

// The run of TestTraceByHand in bins of a quarter of a second.
func TestTimelineByHand(t *testing.T) {
	line, _ := timeline(t, crowdedWorld(), "wait", 250*time.Millisecond)
	if line.End != time.Second || len(line.Lanes) != 2 {
		t.Fatalf("%+v", line)
	}
	workers, only := line.Lanes[0], line.Lanes[1]
	wantSeries(t, workers, "limit", 2, 2, 2, 2)
	wantSeries(t, workers, "in flight", 1, 1, 1, 1)
	wantSeries(t, workers, "pausing before a retry", 1, 1, 0, 0)
	wantSeries(t, workers, "waiting for a lease", 0, 0, 0, 0)
	wantSeries(t, workers, "jobs given up", 0, 0, 1, 0)
	wantSeries(t, only, "limit", 1, 1, 1, 1)
	wantSeries(t, only, "in flight", 1, 1, 1, 1)
	wantSeries(t, only, "refused", 1, 1, 1, 0)
	wantSeries(t, only, "failed", 0, 0, 0, 0)
	if want := []experiment.Span{{Name: "storm", To: time.Second}}; !slices.Equal(only.Weather, want) {
		t.Errorf("weather %v, want %v", only.Weather, want)
	}
	if len(only.States) != 3 {
		t.Errorf("states %v, want three cooldowns", only.States)
	}
	// Cooldowns shorter than a bin cannot be seen.
	line, _ = timeline(t, crowdedWorld(), "wait", 500*time.Millisecond)
	if len(line.Lanes[1].States) != 0 {
		t.Errorf("states %v, want none", line.Lanes[1].States)
	}
}

// One worker's call takes a second each time, the other one waits for its
// turn; the eighth failure is the endpoint's death, and then both wait in vain.
func TestTimelineOfAStandstill(t *testing.T) {
	line, run := timeline(t, doomedWorld(), "wait", 0)
	if run.Stall == nil || line.End != run.Stall.At {
		t.Fatalf("ends at %v, stands still: %+v", line.End, run.Stall)
	}
	sum := func(s experiment.Series) (total float64) {
		for i, v := range s.Values {
			begin := time.Duration(i) * line.Step
			total += v * float64(min(line.Step, line.End-begin)) / 1e9
		}
		return total
	}
	busy := sum(line.Lanes[0].Levels[0]) + sum(line.Lanes[0].Levels[1]) + sum(line.Lanes[0].Levels[2])
	if want := 2 * line.End.Seconds(); math.Abs(busy-want) > 1e-6*want {
		t.Errorf("two workers were busy for %v s in all, want %v s", busy, want)
	}
	if got := sum(line.Lanes[1].Levels[0]); math.Abs(got-8) > 1e-6 {
		t.Errorf("the endpoint was busy for %v s, want 8 s", got)
	}
}

// What the timeline shows adds up to what the run counted, whatever a world
// does: time in flight to latencies, refusals and jobs to their numbers.
func TestTimelinesAddUp(t *testing.T) {
	kinds := map[string]provider.World{}
	for name, change := range worldsOfEveryKind {
		w := plainWorld()
		w.Endpoints[0].Capacity, w.Endpoints[0].ErrorRate = 2, 0.1
		w.Retry = acquire.DefaultRetry()
		w.Workload.Concurrency = 3
		change(&w)
		kinds[name] = w
	}
	base, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	kinds["base"] = base.(*provider.Scenario).World()
	for _, name := range sortedNames(kinds) {
		t.Run(name, func(t *testing.T) {
			line, run := timeline(t, kinds[name], "wait", 0)
			s, err := provider.New(kinds[name])
			if err != nil {
				t.Fatal(err)
			}
			var latency float64
			if _, err := s.Observe(t.Context(), "wait", 1, func(e *provider.Event) {
				if e.Kind == provider.RequestSent {
					latency += (min(e.At+e.For, line.End) - min(e.At, line.End)).Seconds()
				}
			}); err != nil {
				t.Fatal(err)
			}
			inFlight, refused, dropped, failed := 0.0, 0.0, 0.0, 0.0
			for i, lane := range line.Lanes {
				for b := range line.Bins() {
					width := min(line.Step, line.End-time.Duration(b)*line.Step).Seconds()
					if i > 0 {
						inFlight += lane.Levels[0].Values[b] * width
						refused += lane.Counts[0].Values[b]
						continue
					}
					failed += lane.Counts[0].Values[b]
					if len(lane.Counts) > 1 {
						dropped += lane.Counts[1].Values[b]
					}
				}
			}
			for what, pair := range map[string][2]float64{
				"time in flight": {inFlight, latency},
				"refusals":       {refused, run.Values["refusal_rate"] * run.Values["requests"]},
				"jobs failed":    {failed + dropped, run.Values["jobs_failed"]},
			} {
				if math.Abs(pair[0]-pair[1]) > 1e-6*max(1, pair[1]) {
					t.Errorf("%s: %v in the timeline, %v in the run", what, pair[0], pair[1])
				}
			}
		})
	}
}

// Everybody has the same weather and the same capacity in the bins that both
// have.
func TestTimelinesShareTheirWorld(t *testing.T) {
	base, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	var first *experiment.Timeline
	storms := 0
	for _, contestant := range []string{"sticky", "backoff", "quota_aware"} {
		line, err := base.(experiment.Timeliner).Timeline(t.Context(), contestant, 20260926, 2*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = line
		}
		for i, lane := range line.Lanes {
			n := min(len(lane.Limit), len(first.Lanes[i].Limit)) - 1
			if !slices.Equal(lane.Limit[:n], first.Lanes[i].Limit[:n]) {
				t.Errorf("%s, %s: another capacity", contestant, lane.Name)
			}
			storms += len(lane.Weather)
			for k, span := range lane.Weather {
				if span.To < min(line.End, first.End) && first.Lanes[i].Weather[k] != span {
					t.Errorf("%s, %s: %v, want %v", contestant, lane.Name, span, first.Lanes[i].Weather[k])
				}
			}
		}
	}
	if storms < 9 {
		t.Errorf("%d storms: too few to compare", storms)
	}
}

func TestTimelinesOfTooManyBinsAreRefused(t *testing.T) {
	s, err := provider.New(plainWorld())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []time.Duration{-1, 1} {
		if _, err := s.Timeline(t.Context(), "wait", 1, step); err == nil {
			t.Errorf("step %v is accepted", step)
		}
	}
	if _, err := s.Timeline(t.Context(), "nobody", 1, 0); err == nil {
		t.Error("nobody has a timeline")
	}
}

// What an operator does to the pool is a state, too.
func TestTimelineShowsChangesOfThePool(t *testing.T) {
	w := plainWorld()
	late := w.Endpoints[0]
	late.ID = "late"
	w.Endpoints = append(w.Endpoints, late)
	w.Changes = []provider.Change{
		{At: 2 * time.Second, Endpoint: "late", Kind: provider.Publish},
		{At: 4 * time.Second, Endpoint: "only", Kind: provider.Revoke},
		{At: 6 * time.Second, Endpoint: "only", Kind: provider.Publish},
	}
	line, _ := timeline(t, w, "wait", time.Second)
	for i, want := range [][]experiment.Span{
		{{Name: "revoked", From: 4 * time.Second, To: 6 * time.Second}},
		{{Name: "not published", To: 2 * time.Second}},
	} {
		if got := line.Lanes[i+1].States; !slices.Equal(got, want) {
			t.Errorf("%s: states %v, want %v", line.Lanes[i+1].Name, got, want)
		}
	}
}
