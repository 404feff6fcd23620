package provider_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

func TestImpossibleWorldsAreRefusedWithFieldValueAndRemedy(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		change func(*provider.World)
		want   []string
	}{
		{"no endpoints", func(w *provider.World) { w.Endpoints = nil }, []string{"Endpoints: 0", "at least one"}},
		{"capacity 0", func(w *provider.World) { w.Endpoints[1].Capacity = 0 }, []string{"Endpoints[1].Capacity: 0", "from 1"}},
		{"an id twice", func(w *provider.World) { w.Endpoints[2].ID = "fast-flaky" }, []string{`Endpoints[2].ID: "fast-flaky"`, "used twice"}},
		{"an id with a space", func(w *provider.World) { w.Endpoints[0].ID = "a b" }, []string{`Endpoints[0].ID: "a b"`, "letters"}},
		{"a negative latency", func(w *provider.World) { w.Endpoints[0].Median = -time.Second }, []string{"Endpoints[0].Median: -1s", "from 1ns"}},
		{"a NaN weight", func(w *provider.World) { w.Endpoints[0].Weight = nan }, []string{"Endpoints[0].Weight: NaN", "finite number above 0"}},
		{"a weight beyond reason", func(w *provider.World) { w.Endpoints[0].Weight = 1e15 }, []string{"Endpoints[0].Weight: 1e+15", "at most 200000 requests at once"}},
		{"an infinite sigma", func(w *provider.World) { w.Endpoints[0].Sigma = inf }, []string{"Endpoints[0].Sigma: +Inf", "from 0 to 10"}},
		{"a probability above 1", func(w *provider.World) { w.Endpoints[0].ErrorRate = 1.5 }, []string{"Endpoints[0].ErrorRate: 1.5", "from 0 to 1"}},
		{"a NaN probability", func(w *provider.World) { w.Endpoints[0].Storm.Rate = nan }, []string{"Endpoints[0].Storm.Rate: NaN", "from 0 to 1"}},
		{"an empty window", func(w *provider.World) { w.Endpoints[0].Bucket.Window = 0 }, []string{"Endpoints[0].Bucket.Window: 0s"}},
		{"a negative quota", func(w *provider.World) { w.Endpoints[0].Quota["tokens"] = -1 }, []string{`Endpoints[0].Quota["tokens"]: -1`, "at least 0"}},
		{"no jobs", func(w *provider.World) { w.Workload.Jobs = 0 }, []string{"Workload.Jobs: 0", "from 1"}},
		{"no workers", func(w *provider.World) { w.Workload.Concurrency = -3 }, []string{"Workload.Concurrency: -3", "from 1"}},
		{"no horizon", func(w *provider.World) { w.Workload.Horizon = 0 }, []string{"Workload.Horizon: 0s"}},
		{"a trough above the peak", func(w *provider.World) { w.Cycle.Trough = 2 }, []string{"Cycle.Trough: 2", "to the peak, 1"}},
		{"no attempts", func(w *provider.World) { w.Retry.MaxAttempts = 0 }, []string{"Retry.MaxAttempts: 0", "at least 1"}},
		{"an unknown algorithm", func(w *provider.World) { w.Contestants[0] = "imediate" }, []string{"Contestants[0]", "imediate", "immediate"}},
		{"a contestant twice", func(w *provider.World) { w.Contestants[0] = "wait" }, []string{`Contestants[1]: "wait"`, "twice"}},
		{"unknown draws", func(w *provider.World) { w.Draws = "dice" }, []string{`Draws: "dice"`, `"python"`}},
		{"a name with spaces", func(w *provider.World) { w.Name = "my world" }, []string{`Name: "my world"`, "a-z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := baseWorld()
			c.change(&w)
			_, err := provider.New(w)
			if err == nil {
				t.Fatal("it was accepted")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error is %q, want it to contain %q", err, want)
				}
			}
		})
	}
}

func TestAllThatIsWrongIsSaidAtOnce(t *testing.T) {
	w := baseWorld()
	w.Workload.Jobs, w.Endpoints[0].Capacity = 0, 0
	_, err := provider.New(w)
	if err == nil || !strings.Contains(err.Error(), "Workload.Jobs") || !strings.Contains(err.Error(), "Endpoints[0].Capacity") {
		t.Errorf("error is %v, want both fields in it", err)
	}
}

func TestUnknownContestantIsRefusedBeforeTheRun(t *testing.T) {
	s, err := provider.New(baseWorld())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), "stick", 1); err == nil || !strings.Contains(err.Error(), "sticky") {
		t.Errorf("error is %v, want a list of the choices", err)
	}
}

func TestASpentBudgetSaysHowFarTheRunGot(t *testing.T) {
	s, err := provider.New(baseWorld())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(experiment.ErrBudget)
	_, err = s.Run(ctx, "wait", 1)
	if !errors.Is(err, experiment.ErrBudget) || !strings.Contains(err.Error(), "of 3000 jobs") {
		t.Errorf("error is %v, want the budget and how many jobs were claimed", err)
	}
}

// Whatever the numbers are: New refuses the world, or the run ends, with a
// result that adds up or with an error that is no panic.
func FuzzWorld(f *testing.F) {
	f.Add(uint64(1), []byte{})
	f.Add(uint64(2), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 0x7f})
	f.Add(uint64(3), binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN())))
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		w := fuzzedWorld(data)
		s, err := provider.New(w)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, err = s.Run(ctx, w.Contestants[int(seed%uint64(len(w.Contestants)))], seed)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%+v: %v", w, err)
		}
	})
}

// fuzzedWorld overwrites the numbers of a small base world, one after the
// other, with those of the data.
func fuzzedWorld(data []byte) provider.World {
	w := baseWorld()
	w.Workload.Jobs = 20
	number := func(p *float64) {
		if len(data) >= 8 {
			*p, data = math.Float64frombits(binary.LittleEndian.Uint64(data)), data[8:]
		}
	}
	duration := func(p *time.Duration) {
		if len(data) >= 8 {
			*p, data = time.Duration(binary.LittleEndian.Uint64(data)), data[8:]
		}
	}
	count := func(p *int) {
		if len(data) >= 2 {
			*p, data = int(int16(binary.LittleEndian.Uint16(data))), data[2:]
		}
	}
	for i := range w.Endpoints {
		e := &w.Endpoints[i]
		count(&e.Capacity)
		for _, p := range []*float64{&e.Weight, &e.Sigma, &e.TailRate, &e.TailFactor, &e.ErrorRate, &e.Storm.Rate, &e.Storm.ErrorRate,
			&e.Bucket.PerWindow, &e.Bucket.Burst, &e.Bucket.Tightening, &e.Bucket.Floor, &e.Bucket.Recovery} {
			number(p)
		}
		for _, p := range []*time.Duration{&e.Median, &e.Storm.Duration, &e.Bucket.Window, &e.Bucket.RetryAfter} {
			duration(p)
		}
	}
	number(&w.Cycle.Peak)
	number(&w.Cycle.Trough)
	duration(&w.Cycle.Period)
	duration(&w.Cycle.Phase)
	duration(&w.Workload.Horizon)
	count(&w.Workload.Concurrency)
	count(&w.Workload.CallsPerStep)
	count(&w.Workload.StepsPerJob)
	return w
}
