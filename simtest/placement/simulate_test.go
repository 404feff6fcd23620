package placement_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
)

func TestBadSettingsNameFieldValueAndRemedy(t *testing.T) {
	trace := lineOfWork(1, 1)
	generator := func(change func(*placement.Generator)) error {
		g := placement.DefaultGenerator()
		change(&g)
		_, err := g.Trace(big.NewInt(1))
		return err
	}
	settings := func(change func(*placement.Settings)) error {
		s := placement.DefaultSettings()
		change(&s)
		_, err := placement.Simulate(context.Background(), trace, "power-two", s)
		return err
	}
	simulate := func(change func(*placement.Trace)) error {
		broken := lineOfWork(1, 1)
		change(broken)
		_, err := placement.Simulate(context.Background(), broken, "power-two", placement.DefaultSettings())
		return err
	}
	source := func(s placement.Source) error {
		_, err := placement.New(placement.World{Source: s, Settings: placement.DefaultSettings()})
		if err == nil {
			_, err = s.Trace(big.NewInt(1))
		}
		return err
	}
	hundred := placement.DefaultGenerator()
	calm := hundred
	calm.BurstProbability = 0
	_, unknown := placement.Simulate(context.Background(), trace, "power-four", placement.DefaultSettings())
	_, noSeed := hundred.Trace(nil)
	_, noSource := placement.New(placement.World{Settings: placement.DefaultSettings()})
	_, badWorld := placement.New(placement.World{Source: hundred, Settings: placement.Settings{Drain: -1}})
	for want, err := range map[string]error{
		`"Workers": 0: must be from 1 to`:                             generator(func(g *placement.Generator) { g.Workers = 0 }),
		`"Workers": 1000000000000: must be from 1 to`:                 generator(func(g *placement.Generator) { g.Workers = 1e12 }),
		`"Ticks": 0: must be at least 1`:                              generator(func(g *placement.Generator) { g.Ticks = 0 }),
		`"Arrivals": -1: must not be negative`:                        generator(func(g *placement.Generator) { g.Arrivals = -1 }),
		`"Arrivals": 4: must be smaller: about 5.6e+12 tasks`:         generator(func(g *placement.Generator) { g.Ticks = 1e12 }),
		`"BurstProbability": 1.5: must be from 0 to 1`:                generator(func(g *placement.Generator) { g.BurstProbability = 1.5 }),
		`"BurstProbability": NaN: must be from 0 to 1`:                generator(func(g *placement.Generator) { g.BurstProbability = math.NaN() }),
		`"BurstMultiplier": 0: must be at least 1`:                    generator(func(g *placement.Generator) { g.BurstMultiplier = 0 }),
		`"BurstMultiplier": 1000000000: must be smaller`:              generator(func(g *placement.Generator) { g.BurstMultiplier, g.BurstProbability = 1e9, 1e-9 }),
		`"MaxWork": 0: must be at least 1`:                            generator(func(g *placement.Generator) { g.MaxWork = 0 }),
		`"Churn": -0.1: must be from 0 to 1`:                          generator(func(g *placement.Generator) { g.Churn = -0.1 }),
		`"OutageMin": 0: must be at least 1`:                          generator(func(g *placement.Generator) { g.OutageMin = 0 }),
		`"OutageMax": 2: must be at least OutageMin, which is 3`:      generator(func(g *placement.Generator) { g.OutageMax = 2 }),
		`"OutageMax": 9223372036854775807: must be smaller`:           generator(func(g *placement.Generator) { g.OutageMax = math.MaxInt }),
		`"AvailabilityLag": -1: must not be negative`:                 settings(func(s *placement.Settings) { s.AvailabilityLag = -1 }),
		`"LoadLag": -2: must not be negative`:                         settings(func(s *placement.Settings) { s.LoadLag = -2 }),
		`"Drain": -3: must not be negative`:                           settings(func(s *placement.Settings) { s.Drain = -3 }),
		`"Drain": 9223372036854775807: must be smaller`:               settings(func(s *placement.Settings) { s.Drain = math.MaxInt }),
		`"PolicySeed": missing: must be an integer`:                   settings(func(s *placement.Settings) { s.PolicySeed = nil }),
		`"workers[0].capacity": 4611686018427387904: must be smaller`: simulate(func(t *placement.Trace) { t.Workers[0].Capacity = 1 << 62 }),
		`"tasks[0].work_units": 0: must be at least 1`:                simulate(func(t *placement.Trace) { t.Tasks[0].Work = 0 }),
		`"tasks[1].work_units": 9223372036854775807: must be smaller`: simulate(func(t *placement.Trace) {
			t.Tasks = append(t.Tasks, placement.Task{ID: "b", Work: math.MaxInt, Capability: "c"})
		}),
		`"outages[0].worker_index": 1: must be from 0 to 0`:                  simulate(func(t *placement.Trace) { t.Outages = []placement.Outage{{Worker: 1, Start: 0, End: 1}} }),
		`"Able": 0: must be from 1 to 100`:                                   source(placement.Rare{Generator: hundred, Capability: "rare"}),
		`"Able": 101: must be from 1 to 100`:                                 source(placement.Rare{Generator: hundred, Capability: "rare", Able: 101}),
		`"Capability": "gpu": must be a name that`:                           source(placement.Rare{Generator: hundred, Capability: "gpu", Able: 1}),
		`"Load": 0: must be positive`:                                        source(placement.Loaded{Generator: calm, Peak: 1}),
		`"Load": NaN: must be positive`:                                      source(placement.Loaded{Generator: calm, Load: math.NaN(), Peak: 1}),
		`"Peak": 0.5: must be finite and at least Load`:                      source(placement.Loaded{Generator: calm, Load: 1, Peak: 0.5}),
		`"BurstProbability": 0.1: must be 0`:                                 source(placement.Loaded{Generator: hundred, Load: 1, Peak: 1}),
		`"Arrivals": 100000001: must be smaller`:                             source(placement.Loaded{Generator: calm, Load: 1e300, Peak: 1e300}),
		`"Workers": 101: must be at most 100`:                                source(placement.Failing{Source: hundred, Workers: 101, Ticks: 1}),
		`"Workers": 90: must be at most 3`:                                   source(placement.Failing{Source: hundred, Workers: 90, Ticks: 1, Regional: true}),
		`"Ticks": 199: must be at most 198`:                                  source(placement.Failing{Source: hundred, Workers: 1, Ticks: 199}),
		`"Source": missing`:                                                  source(placement.Failing{Ticks: 1}),
		`policy "power-four": unknown: must be one of one-random, power-two`: unknown,
		`"seed": missing: must be an integer`:                                noSeed,
		`"Source": missing: must be`:                                         noSource,
		`"Drain": -1`:                                                        badWorld,
	} {
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "placement: ") {
			t.Errorf("error %v, want one with %s", err, want)
		}
	}
}

// lineOfWork is one worker and as many unit tasks as ticks, with gaps.
func lineOfWork(tasks, gap int) *placement.Trace {
	trace := &placement.Trace{
		Seed: big.NewInt(0), Ticks: tasks * gap,
		Workers: []placement.Worker{{ID: "w", Capacity: 1, Capabilities: []string{"c"}}},
	}
	for i := range tasks {
		trace.Tasks = append(trace.Tasks, placement.Task{ID: fmt.Sprint(i), Arrival: i * gap, Work: 1, Capability: "c"})
	}
	return trace
}

// A gap of 10^15 idle ticks is one step, with everything that is counted per
// tick counted.
func TestIdleTicksCostNothing(t *testing.T) {
	const gap = 1_000_000_000_000_000
	trace := lineOfWork(3, gap)
	trace.Outages = []placement.Outage{{Worker: 0, Start: gap / 2, End: gap/2 + 100}}
	steps := 0
	r, err := placement.Observe(context.Background(), trace, "power-two", placement.DefaultSettings(), func(placement.Event) { steps++ })
	if err != nil {
		t.Fatal(err)
	}
	if steps > 50 {
		t.Errorf("%d events for three tasks and an outage", steps)
	}
	v := r.Values()
	for name, want := range map[string]float64{
		"simulated_ticks":           3 * gap,
		"capacity_utilization":      3 / float64(3*gap-100),
		"mean_tick_max_queue_depth": 3 / float64(3*gap),
		"mean_response_ticks":       2,
	} {
		if v[name] != want {
			t.Errorf("%s is %v, want %v", name, v[name], want)
		}
	}
}

// Load ratios are those of the integers, rounded once. (3*2^53+3)/3 is
// 2^53+1, which rounds to 2^53, the ratio of the other worker, so that the
// smaller load decides; a load that is converted to a double first would be
// 3*2^53+4, and the ratio larger.
func TestLoadsAbove53BitsAreNotRoundedTwice(t *testing.T) {
	const big53 = 1 << 53
	trace := &placement.Trace{Seed: big.NewInt(0), Ticks: 1, Workers: []placement.Worker{
		{ID: "a", Capacity: 3, Capabilities: []string{"c"}},
		{ID: "b", Capacity: 4, Capabilities: []string{"c"}},
	}}
	for i, work := range []int{3*big53 + 3, 4 * big53, 1, 1} {
		trace.Tasks = append(trace.Tasks, placement.Task{ID: fmt.Sprint(i), Work: work, Capability: "c"})
	}
	var chosen []int
	_, err := placement.Observe(context.Background(), trace, placement.Oracle, placement.Settings{PolicySeed: big.NewInt(0)}, func(e placement.Event) {
		if e.Kind == placement.Assigned {
			chosen = append(chosen, e.Worker)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(chosen); got != "[0 1 0 1]" {
		t.Errorf("chosen workers %s, want [0 1 0 1]", got)
	}
}

func TestEndOfTheContextSaysHowFarTheRunCame(t *testing.T) {
	cause := errors.New("the budget is spent")
	// A task that nobody can do is routed anew in each of 10^12 ticks.
	trace := lineOfWork(1, 1_000_000_000_000)
	trace.Tasks[0].Capability = "nobody's"
	// Many tasks in few ticks.
	crowd := lineOfWork(1, 1)
	for i := range 50_000 {
		crowd.Tasks = append(crowd.Tasks, placement.Task{ID: fmt.Sprint("x", i), Work: 1, Capability: "c"})
	}
	for _, trace := range []*placement.Trace{trace, crowd} {
		ctx, cancel := context.WithCancelCause(context.Background())
		events := 0
		_, err := placement.Observe(ctx, trace, "one-random", placement.DefaultSettings(), func(placement.Event) {
			if events++; events == 1000 {
				cancel(cause)
			}
		})
		if !errors.Is(err, cause) {
			t.Fatalf("error %v, want the cause", err)
		}
		if !strings.Contains(err.Error(), "stopped at tick ") || !strings.Contains(err.Error(), "routing attempts; fewer ticks, tasks or workers") {
			t.Errorf("error %q does not say how far the run came and what to lower", err)
		}
		if events > 20_000 {
			t.Errorf("%d events after the context ended", events-1000)
		}
	}
}

// The same run gives the same digest; anything that changes what happens, or a
// metric, changes it.
func TestDigestNamesEverything(t *testing.T) {
	trace := randomTrace(rand.New(rand.NewPCG(5, 5)))
	run := func(trace *placement.Trace, s placement.Settings) string {
		r, err := placement.Simulate(context.Background(), trace, "power-two", s)
		if err != nil {
			t.Fatal(err)
		}
		return r.Digest
	}
	s := placement.DefaultSettings()
	digest := run(trace, s)
	if again := run(trace, s); again != digest {
		t.Errorf("two equal runs have the digests %s and %s", digest, again)
	}
	other := s
	other.PolicySeed = big.NewInt(1)
	if run(trace, other) == digest {
		t.Error("another policy seed has the same digest")
	}
	moved := *trace
	moved.Workers = append([]placement.Worker(nil), trace.Workers...)
	for i := range moved.Workers {
		moved.Workers[i].Zone = "elsewhere" // changes a metric and no event
	}
	if run(&moved, s) == digest {
		t.Error("another locality mismatch rate has the same digest")
	}
}
