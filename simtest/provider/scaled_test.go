package provider_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// compareClocks makes the same run on the virtual clock and in scaled real
// time. The two share no scheduling code, so agreement says that the virtual
// clock keeps time like a real one.
//
// Every sleep of a real clock ends late, by more on a busy machine, and the
// speed-up multiplies it: if a fast clock is not exact enough a slower one is
// tried. No lateness can make a wrong run right.
func compareClocks(t *testing.T, w provider.World, seed uint64, differ func(virtual, scaled experiment.Run) error) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	s, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}
	virtual, err := s.Run(t.Context(), "wait", seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, speedup := range []float64{16, 8, 4, 4} {
		clk, err := clock.NewScaled(speedup)
		if err != nil {
			t.Fatal(err)
		}
		scaled, err := s.RunOn(t.Context(), clk, "wait", seed)
		if err != nil {
			t.Fatal(err)
		}
		if err = differ(virtual, scaled); err == nil {
			return
		}
		t.Logf("sped up %v times: %v", speedup, err)
	}
	t.Error("no speed-up gives the run of the virtual clock")
}

// apart returns an error if a metric of the two runs differs by more than a
// part of the virtual one.
func apart(metric string, virtual, scaled experiment.Run, tolerance float64) error {
	v, s := virtual.Values[metric], scaled.Values[metric]
	if math.Abs(v-s) <= tolerance*math.Abs(v) {
		return nil
	}
	return fmt.Errorf("%s is %v on the virtual clock and %v in scaled time", metric, v, s)
}

func TestScaledTimeGivesTheSameRun(t *testing.T) {
	w := baseWorld()
	w.Draws = provider.PythonDraws
	w.Workload.Jobs, w.Workload.Concurrency, w.Workload.Horizon = 120, 6, 90*time.Second
	compareClocks(t, w, 3, func(virtual, scaled experiment.Run) error {
		for metric, tolerance := range map[string]float64{"jobs_done": 0, "makespan_s": 0.03, "utilization": 0.03} {
			if err := apart(metric, virtual, scaled, tolerance); err != nil {
				return err
			}
		}
		return nil
	})
}

// More workers than the provider takes at the trough: refusals on both clocks,
// about as often. Not exactly, for which request is refused is a matter of
// milliseconds.
func TestScaledTimeRefusesAsOften(t *testing.T) {
	w := baseWorld()
	w.Workload.Jobs, w.Workload.Concurrency, w.Workload.Horizon = 100, 12, 60*time.Second
	compareClocks(t, w, 5, func(virtual, scaled experiment.Run) error {
		for _, r := range []experiment.Run{virtual, scaled} {
			if r.Values["refusal_rate"] < 0.05 {
				return fmt.Errorf("refusal rate %v: the world is not saturated", r.Values["refusal_rate"])
			}
		}
		if err := apart("refusal_rate", virtual, scaled, 0.25); err != nil {
			return err
		}
		return apart("makespan_s", virtual, scaled, 0.10)
	})
}
