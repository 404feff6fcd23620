package reports_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// valued is a sweep of one contestant with these values, one per seed from 1.
func valued(t *testing.T, metrics []experiment.Metric, values ...map[string]float64) *reports.Result {
	t.Helper()
	d := experiment.Description{Name: "few", Summary: "by hand", Fingerprint: "f", Contestants: []string{"a"}, Metrics: metrics}
	sweep := &experiment.Result{Scenario: d, Contestants: d.Contestants}
	for i, v := range values {
		seed := uint64(i + 1)
		sweep.Seeds = append(sweep.Seeds, seed)
		if v != nil {
			sweep.Runs = append(sweep.Runs, experiment.Run{Contestant: "a", Seed: seed, Values: v})
		}
	}
	return result(t, sweep, reports.Provenance{})
}

func TestTypicalSeed(t *testing.T) {
	work := experiment.Metric{Name: "work", Unit: "jobs", Bench: "work", Better: experiment.Higher, Headline: true}
	delay := experiment.Metric{Name: "delay", Unit: "ms", Bench: "delay-ns", Better: experiment.Lower}
	wall := experiment.Metric{Name: "wall", Unit: "s", Volatile: true}
	type values = map[string]float64
	for name, c := range map[string]struct {
		result *reports.Result
		want   uint64
	}{
		"the value nearest to the mean": {
			valued(t, []experiment.Metric{work}, values{"work": 1}, values{"work": 9}, values{"work": 6}), 3}, // the mean is 5.33
		"the first of equals": {
			valued(t, []experiment.Metric{work}, values{"work": 4}, values{"work": 6}), 1},
		"only headlines count, if there are any": {
			valued(t, []experiment.Metric{work, delay}, values{"work": 1, "delay": 5}, values{"work": 5, "delay": 999}, values{"work": 9, "delay": 5}), 2},
		"all count, if there are none": {
			valued(t, []experiment.Metric{delay}, values{"delay": 9}, values{"delay": 1}, values{"delay": 5}), 3},
		"real time never counts": {
			valued(t, []experiment.Metric{delay, wall}, values{"delay": 5, "wall": 99}, values{"delay": 1, "wall": 2}, values{"delay": 9, "wall": 2}), 1},
		"a seed without a run is not typical": {
			valued(t, []experiment.Metric{work}, nil, values{"work": 1}, values{"work": 9}), 2},
	} {
		if got, ok := reports.TypicalSeed(c.result); !ok || got != c.want {
			t.Errorf("%s: seed %d, %v, want %d", name, got, ok, c.want)
		}
	}
	if _, ok := reports.TypicalSeed(valued(t, []experiment.Metric{work}, nil, nil)); ok {
		t.Error("a sweep without runs has a typical seed")
	}
}

// filmed is a scenario whose contestants run for so long.
type filmed struct {
	experiment.Scenario
	last  map[string]time.Duration
	asked []time.Duration
	fail  error
}

func (f *filmed) Timeline(_ context.Context, contestant string, seed uint64, step time.Duration) (*experiment.Timeline, error) {
	f.asked = append(f.asked, step)
	line := &experiment.Timeline{Contestant: contestant, Seed: seed, Step: step, End: f.last[contestant]}
	if step == 0 {
		line.Step = experiment.NiceStep(line.End)
	}
	return line, f.fail
}

func TestTimelinesHaveTheBinsOfTheLongest(t *testing.T) {
	sweep := pond(3, 0)
	r := result(t, sweep, reports.Provenance{})
	world := &filmed{last: map[string]time.Duration{"idle": time.Second, "crawl": time.Hour, "back(lane=1|2)": time.Hour, "dolphin": time.Minute}}
	detail, err := reports.DetailOf(t.Context(), world, r)
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := reports.TypicalSeed(r)
	for i, line := range detail.Timelines {
		if line.Contestant != sweep.Contestants[i] || line.Seed != seed || line.Step != 10*time.Second {
			t.Errorf("%+v, want %s on seed %d in bins of 10 s", line, sweep.Contestants[i], seed)
		}
	}
	if len(detail.Timelines) != 4 || len(world.asked) != 6 { // two are made again
		t.Errorf("%d timelines, asked for %v", len(detail.Timelines), world.asked)
	}
	world.fail = errors.New("the film is torn")
	if _, err := reports.DetailOf(t.Context(), world, r); !errors.Is(err, world.fail) {
		t.Errorf("error %v, want %v", err, world.fail)
	}
	if d, err := reports.DetailOf(t.Context(), world.Scenario, r); err != nil || d.Timelines != nil {
		t.Errorf("a scenario without timelines has %v, %v", d, err)
	}
}
