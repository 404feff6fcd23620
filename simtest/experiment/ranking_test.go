package experiment_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

var (
	speed = experiment.Metric{Name: "speed", Unit: "m/s", Bench: "m/s", Better: experiment.Higher}
	cost  = experiment.Metric{Name: "cost", Unit: "eur", Bench: "eur", Better: experiment.Lower}
	frogs = []string{"frog", "newt", "toad"}
	nan   = math.NaN()
)

// Differences between the first two, and their margins, by hand:
//
//	10, 9, 12   mean 10.33, se 0.88:  t(2, 0.975) se = 3.79,  2 se = 1.76
//	10, 5, 15   mean 10,    se 2.89:  t(2, 0.975) se = 12.42, 2 se = 5.77
//	10, 0, 20   mean 10,    se 5.77:  t(2, 0.975) se = 24.84, 2 se = 11.55
//	1, 1, 1     mean 1,     se 0:     1 % of the best mean of 121 = 1.21
//	1.3, 1.3, 1.3            1 % of 121.3
func TestRulesSeparate(t *testing.T) {
	for _, c := range []struct {
		name                  string
		frog, newt            []float64
		calibrated, reference string
	}{
		{"a clear lead", []float64{110, 120, 130}, []float64{100, 111, 118}, "frog", "frog"},
		{"a lead that only two standard errors believe", []float64{110, 120, 130}, []float64{100, 115, 115}, "frog newt", "frog"},
		{"a lead that may be chance", []float64{110, 120, 130}, []float64{100, 120, 110}, "frog newt", "frog newt"},
		{"a constant lead below one per cent", []float64{111, 121, 131}, []float64{110, 120, 130}, "frog newt", "frog newt"},
		{"a constant lead above one per cent", []float64{111.3, 121.3, 131.3}, []float64{110, 120, 130}, "frog", "frog"},
		{"equals", []float64{5, 6, 7}, []float64{5, 6, 7}, "frog newt", "frog newt"},
		{"one seed: only one per cent counts", []float64{100}, []float64{98.5}, "frog", "frog"},
		{"one seed: within one per cent", []float64{100}, []float64{99.5}, "frog newt", "frog newt"},
		{"negative values", []float64{-1, -2, -3}, []float64{-101, -102, -103.5}, "frog", "frog"},
		{"best mean zero: by the reference everything within 0.01", []float64{0, 0, 0}, []float64{-0.005, -0.005, -0.005}, "frog", "frog newt"},
	} {
		for _, mirrored := range []bool{false, true} {
			m, sign := speed, 1.0
			if mirrored { // the same with signs and direction turned around
				m, sign = cost, -1
			}
			scaled := func(v []float64) []float64 {
				v = slices.Clone(v)
				for i := range v {
					v[i] *= sign
				}
				return v
			}
			r := table(m, frogs[:2], map[string][]float64{"frog": scaled(c.frog), "newt": scaled(c.newt)})
			for rule, want := range map[experiment.Rule]string{experiment.Calibrated: c.calibrated, experiment.Reference: c.reference} {
				if got := strings.Join(rank(t, r, rule).Row(m.Name).Winners, " "); got != want {
					t.Errorf("%s (mirrored %v), %s: winners %q, want %q", c.name, mirrored, rule, got, want)
				}
			}
		}
	}
}

// A noisy leader is separated from nobody; the steady second still beats the
// steady third, which by the calibrated rule loses the row for that. By the
// reference rule only the gap to the leader counts.
func TestWhoeverIsBeatenCannotClaimTheRow(t *testing.T) {
	r := table(speed, frogs, map[string][]float64{
		"toad": {100, 101, 100, 101},
		"newt": {105, 106, 105.5, 106},
		"frog": {140, 80, 160, 60},
	})
	if got := rank(t, r, experiment.Calibrated).Row("speed"); !slices.Equal(got.Winners, []string{"frog", "newt"}) {
		t.Errorf("calibrated: %v", got.Winners)
	} else if lost := got.BeatenBy("toad"); len(lost) != 1 || lost[0].A != "newt" || lost[0].Better != 4 {
		t.Errorf("toad is beaten by %+v, want newt alone", lost)
	}
	if got := rank(t, r, experiment.Reference).Row("speed").Winners; !slices.Equal(got, []string{"frog", "newt", "toad"}) {
		t.Errorf("reference: %v", got)
	}
}

func TestPairsExplainTheRow(t *testing.T) {
	r := table(speed, frogs[:2], map[string][]float64{"frog": {110, 120, 130}, "newt": {100, 111, 118}})
	row := rank(t, r, experiment.Calibrated).Row("speed")
	p, ok := row.Pair("newt", "frog")
	if !ok || p.N != 3 || p.Better != 0 || p.Worse != 3 || p.Floor != 1.2 || p.Best != 120 {
		t.Fatalf("%+v", p)
	}
	if want := -31.0 / 3; math.Abs(p.Mean-want) > 1e-12 {
		t.Errorf("mean difference %v, want %v", p.Mean, want)
	}
	if want := 4.302653 * math.Sqrt(7.0/9); math.Abs(p.HalfWidth-want) > 1e-9 { // variance of 10, 9, 12: 7/3
		t.Errorf("half width %v, want %v", p.HalfWidth, want)
	}
	if p.Beats() || !p.Reverse().Beats() {
		t.Error("frog must beat newt")
	}
	if _, ok := row.Pair("frog", "toad"); ok {
		t.Error("there is a comparison with somebody who was not there")
	}
}

func TestCompletionGate(t *testing.T) {
	gated := cost
	gated.Gated = true
	// Whoever does almost nothing has the best value of the gated row.
	r := table(gated, []string{"lazy", "frog", "newt", "slack"}, map[string][]float64{
		"lazy": {0.1, 0.1}, "frog": {10, 11}, "newt": {30, 31}, "slack": {0.2, 0.2},
	})
	addMetric(r, done, map[string]float64{"lazy": 1, "frog": 1000, "newt": 900, "slack": 875})
	for _, rule := range []experiment.Rule{experiment.Calibrated, experiment.Reference} {
		k := rank(t, r, rule)
		row := k.Row("cost")
		if !slices.Equal(row.Winners, []string{"frog"}) {
			t.Errorf("%s: winners %v, want frog alone", rule, row.Winners)
		}
		want := []experiment.Exclusion{{Contestant: "slack", Ratio: 0.875}, {Contestant: "lazy", Ratio: 0.001}}
		if !slices.Equal(row.Excluded, want) {
			t.Errorf("%s: excluded %v, want %v", rule, row.Excluded, want)
		}
		if excluded := k.Row("done").Excluded; excluded != nil {
			t.Errorf("%s: the completion row itself excludes %v", rule, excluded)
		}
	}
}

func TestGateLeavesOne(t *testing.T) {
	gated := cost
	gated.Gated = true
	r := table(gated, frogs[:2], map[string][]float64{"frog": {10, 11}, "newt": {1, 1}})
	addMetric(r, done, map[string]float64{"frog": 100, "newt": 1})
	row := rank(t, r, experiment.Calibrated).Row("cost")
	if row.Verdict != experiment.TooFew || len(row.Winners) > 0 || row.OnlyEligible() != "frog" {
		t.Errorf("verdict %v, winners %v, only %q", row.Verdict, row.Winners, row.OnlyEligible())
	}
}

func TestNobodyCompletesAnything(t *testing.T) {
	gated := cost
	gated.Gated = true
	r := table(gated, frogs[:2], map[string][]float64{"frog": {10, 11}, "newt": {1, 1}})
	addMetric(r, done, map[string]float64{"frog": 0, "newt": 0})
	k := rank(t, r, experiment.Calibrated)
	if row := k.Row("cost"); row.Excluded != nil || !slices.Equal(row.Winners, []string{"newt"}) {
		t.Errorf("excluded %v, winners %v: without any completion nobody is excluded", row.Excluded, row.Winners)
	}
	if row := k.Row("done"); row.Verdict != experiment.AllZero || row.Winners != nil {
		t.Errorf("done: %v, winners %v", row.Verdict, row.Winners)
	}
}

func TestUnsuitedAndReferencesAreNotCompared(t *testing.T) {
	gated := cost
	gated.Gated = true
	r := table(gated, []string{"god", "fish", "frog", "newt"}, map[string][]float64{
		"god": {1, 1}, "fish": {2, 2}, "frog": {10, 10}, "newt": {20, 20},
	})
	addMetric(r, done, map[string]float64{"god": 1e6, "fish": 1e6, "frog": 95, "newt": 100})
	r.Scenario.Contestants = []string{"god", "frog", "newt"}
	r.Scenario.References = map[string]string{"god": "sees everything"}
	r.Scenario.Unsuited = map[string]string{"fish": "cannot leave the water"}
	k := rank(t, r, experiment.Calibrated)
	if row := k.Row("cost"); !slices.Equal(row.Winners, []string{"frog"}) || row.Excluded != nil || len(row.Eligible) != 2 {
		t.Errorf("winners %v, excluded %v, eligible %v", row.Winners, row.Excluded, row.Eligible)
	}
	if got := k.Row("cost").Explain("god"); got != "god was not compared" {
		t.Errorf("%q", got)
	}
}

func TestRowsThatCrownNobody(t *testing.T) {
	neutral, volatile := speed, speed
	neutral.Better = experiment.Neutral
	volatile.Volatile = true
	two := map[string][]float64{"frog": {1, 2}, "newt": {3, 4}}
	for name, c := range map[string]struct {
		r    *experiment.Result
		want experiment.Verdict
	}{
		"a neutral metric":  {table(neutral, frogs[:2], two), experiment.NeutralRow},
		"a volatile metric": {table(volatile, frogs[:2], two), experiment.VolatileRow},
		"one contestant":    {table(speed, frogs[:1], two), experiment.TooFew},
		"zeros":             {table(speed, frogs[:2], map[string][]float64{"frog": {0, 0}, "newt": {0, 0}}), experiment.AllZero},
		"no values":         {table(speed, frogs[:2], map[string][]float64{"frog": {nan}, "newt": {nan}}), experiment.TooFew},
		"no seed in common": {table(speed, frogs[:2], map[string][]float64{"frog": {1, nan}, "newt": {nan, 1}}), experiment.NothingInCommon},
	} {
		row := rank(t, c.r, experiment.Calibrated).Rows[0]
		if row.Verdict != c.want || row.Winners != nil || row.OnlyEligible() != "" {
			t.Errorf("%s: verdict %v, winners %v, only %q", name, row.Verdict, row.Winners, row.OnlyEligible())
		}
	}
}

func TestAbsentValues(t *testing.T) {
	// On seeds 1 to 3 newt is better; on seed 4, where toad has no value,
	// frog would win by far. fish has none at all.
	r := table(speed, []string{"frog", "newt", "toad", "fish"}, map[string][]float64{
		"frog": {10, 10, 10, 1000}, "newt": {20, 20, 20, 20}, "toad": {1, 1, 1, nan}, "fish": {nan, nan, nan, nan},
	})
	k := rank(t, r, experiment.Calibrated)
	row := k.Row("speed")
	if !slices.Equal(row.Winners, []string{"newt"}) || !slices.Equal(row.Seeds, []uint64{1, 2, 3}) {
		t.Errorf("winners %v on seeds %v", row.Winners, row.Seeds)
	}
	if !slices.Equal(row.NoValue, []string{"fish"}) || row.Explain("fish") != "fish has no value in any run" {
		t.Errorf("no value: %v, %q", row.NoValue, row.Explain("fish"))
	}
	if row.Eligible[0].Mean != 10 {
		t.Errorf("frog's mean in the row is %v, want that of the seeds that count", row.Eligible[0].Mean)
	}
	var texts []string
	for _, w := range k.Warnings {
		texts = append(texts, w.String())
	}
	want := "speed: compared on the 3 of 4 seeds on which all that are eligible have a value (toad has 3); run more seeds, or leave out the contestants that lack values"
	if !slices.Contains(texts, want) {
		t.Errorf("warnings %q lack %q", texts, want)
	}
	if row := rank(t, table(speed, frogs[:2], map[string][]float64{"frog": {1, 2}, "newt": {nan, nan}}), experiment.Calibrated).Rows[0]; row.OnlyEligible() != "frog" {
		t.Errorf("only %q was eligible, want frog", row.OnlyEligible())
	}
}

func TestWarnings(t *testing.T) {
	values := func(n int) map[string][]float64 {
		m := map[string][]float64{}
		for i := range n {
			m["frog"], m["newt"] = append(m["frog"], float64(i)), append(m["newt"], float64(i*i))
		}
		return m
	}
	for n, want := range map[int]string{
		1: "1 seed: nothing tells a difference from chance, and only the 1 % guard applies; run 5 seeds more, 6 or more in all",
		3: "3 seeds: too few to separate any but gross differences; run 3 seeds more, 6 or more in all",
		5: "5 seeds: too few to separate any but gross differences; run 1 seed more, 6 or more in all",
		6: "",
	} {
		got := fmt.Sprint(rank(t, table(speed, frogs[:2], values(n)), experiment.Calibrated).Warnings)
		if got != "["+want+"]" {
			t.Errorf("%d seeds: %s, want %s", n, got, want)
		}
	}

	r := table(speed, frogs[:2], values(6))
	r.Runs[1].Stall = &experiment.Stall{}
	r.Runs = slices.Delete(r.Runs, 7, 9)
	k := rank(t, r, experiment.Reference)
	want := []string{
		"frog came to a standstill on 1 of 6 seeds (2); these runs count as they are, with the work done until then; see the stalls for the state of every resource",
		"newt has no result on 2 of 6 seeds (2, 3); rows compare on the seeds that all contestants have; see the errors of the sweep",
	}
	for i, w := range k.Warnings {
		if len(k.Warnings) != len(want) || w.String() != want[i] {
			t.Errorf("warning %q", w)
		}
	}
	if got := k.Rows[0].Seeds; !slices.Equal(got, []uint64{1, 4, 5, 6}) {
		t.Errorf("seeds in common: %v", got)
	}
}

func TestExplain(t *testing.T) {
	gated := cost
	gated.Gated = true
	r := table(gated, []string{"frog", "newt", "toad", "lazy"}, map[string][]float64{
		"frog": {10, 11, 12, 13}, "newt": {10, 11.2, 11.9, 13}, "toad": {20, 22, 23, 25}, "lazy": {1, 1, 1, 1},
	})
	addMetric(r, done, map[string]float64{"frog": 100, "newt": 100, "toad": 100, "lazy": 0.5})
	k := rank(t, r, experiment.Calibrated)
	for contestant, want := range map[string]string{
		"frog": "frog shares the row with newt",
		"newt": "newt shares the row with frog",
		"toad": "frog beats toad by 11 eur (95.65 % of the best mean), interval 9.017 to 12.98, better on 4 of 4 seeds\n" +
			"newt beats toad by 10.97 eur (95.43 % of the best mean), interval 8.969 to 12.98, better on 4 of 4 seeds",
		"lazy":    "lazy is excluded by the completion gate: it completed 0.5 % of the best mean, and 90 % is needed",
		"unknown": "unknown was not compared",
	} {
		if got := k.Row("cost").Explain(contestant); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	p, _ := k.Row("cost").Pair("newt", "frog")
	if got, want := p.Words("eur"), "frog is not separated from newt: ahead by 0.025 eur (0.2174 % of the best mean), interval -0.2806 to 0.3306, better on 1 of 4 seeds"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestNumbersForPeople(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", 12: "12", 0.075034: "0.07503", 1.6084: "1.608", 12.5: "12.5",
		999.96: "1000", 100.04: "100", 1404.7: "1405", 12184.3: "12184", -0.25: "-0.25", 1e-7: "1e-07", 3e20: "3e+20",
	} {
		if got := experiment.FormatNumber(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}

func TestRankRefusesWhatIsNotSound(t *testing.T) {
	sound := func() *experiment.Result {
		return table(speed, frogs[:2], map[string][]float64{"frog": {1, 2}, "newt": {3, 4}})
	}
	for name, c := range map[string]struct {
		damage func(*experiment.Result)
		says   string
	}{
		"an infinite value":      {func(r *experiment.Result) { r.Runs[0].Values["speed"] = math.Inf(-1) }, `contestant "frog", seed 1: metric "speed": value -Inf`},
		"a value out of range":   {func(r *experiment.Result) { r.Runs[0].Values["speed"] = 1e300 }, "at most 1e+150"},
		"an unknown metric":      {func(r *experiment.Result) { r.Runs[0].Values["depth"] = 1 }, `metric "depth"`},
		"a run nobody asked for": {func(r *experiment.Result) { r.Runs[3].Seed = 9 }, `contestant "newt" on seed 9`},
		"a run twice":            {func(r *experiment.Result) { r.Runs[1] = r.Runs[0] }, "must come once"},
		"runs out of order":      {func(r *experiment.Result) { r.Runs[0], r.Runs[1] = r.Runs[1], r.Runs[0] }, "in the order of contestants and seeds"},
		"no seeds":               {func(r *experiment.Result) { r.Seeds = nil }, "no seeds"},
		"a bad scenario name":    {func(r *experiment.Result) { r.Scenario.Name = "" }, "[a-z0-9_]+"},
		"a stall before time":    {func(r *experiment.Result) { r.Runs[0].Stall = &experiment.Stall{At: -1} }, "stalled at -1ns"},
	} {
		t.Run(name, func(t *testing.T) {
			r := sound()
			c.damage(r)
			_, err := experiment.Rank(r, experiment.Calibrated)
			wantError(t, err, c.says)
		})
	}
	_, err := experiment.Rank(sound(), "majority")
	wantError(t, err, `rule "majority"`, "calibrated or reference")
}

// Laws that hold for whatever was measured.
func TestRankingLaws(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 1000 {
		contestants := []string{"a", "b", "c", "d", "e"}[:2+r.IntN(4)]
		n := 1 + r.IntN(12)
		values := map[string][]float64{}
		for i, c := range contestants {
			for range n {
				v := 10 + float64(i)*r.Float64() + r.NormFloat64()
				if r.IntN(15) == 0 {
					v = nan
				}
				values[c] = append(values[c], v)
			}
		}
		m := speed
		if r.IntN(2) == 0 {
			m = cost
		}
		for _, rule := range []experiment.Rule{experiment.Calibrated, experiment.Reference} {
			row := rank(t, table(m, contestants, values), rule).Rows[0]
			if row.Verdict != experiment.Decided {
				continue
			}
			fail := func(law string) {
				t.Fatalf("generator seed %d, trial %d, %s, values %v: %s", seed, trial, rule, values, law)
			}
			// The best mean always claims the row, and heads it.
			for _, s := range row.Eligible {
				lead, _ := row.Pair(row.Winners[0], s.Contestant)
				if s.Contestant != row.Winners[0] && lead.Mean < -1e-12 {
					fail(s.Contestant + " has a better mean than the first of the winners")
				}
				// Losing has a reason, winning has none against it.
				if won, beaten := row.Won(s.Contestant), row.BeatenBy(s.Contestant); won == (len(beaten) > 0) {
					fail(fmt.Sprintf("%s: won %v, beaten by %v", s.Contestant, won, beaten))
				}
			}
			// The order of contestants changes nothing but ties of means.
			turned := slices.Clone(contestants)
			slices.Reverse(turned)
			again := rank(t, table(m, turned, values), rule).Rows[0]
			if a, b := slices.Sorted(slices.Values(row.Winners)), slices.Sorted(slices.Values(again.Winners)); !slices.Equal(a, b) {
				fail(fmt.Sprintf("winners %v, with the contestants turned around %v", a, b))
			}
			// Nor does the unit.
			scaled := map[string][]float64{}
			for c, vs := range values {
				for _, v := range vs {
					scaled[c] = append(scaled[c], v*1024)
				}
			}
			if got := rank(t, table(m, contestants, scaled), rule).Rows[0].Winners; !slices.Equal(got, row.Winners) {
				fail(fmt.Sprintf("winners %v, in another unit %v", row.Winners, got))
			}
		}
	}
}

// p99 of 100 values is the first that is worth the name.
func TestSmallSamplesEarnAWarning(t *testing.T) {
	for _, c := range []struct {
		quantile float64
		size     int64
		warned   bool
	}{
		{0.99, 99, true}, {0.99, 100, false}, {0.95, 19, true}, {0.95, 20, false}, {0.5, 1, true}, {0.5, 2, false}, {0, 0, false},
	} {
		r := &experiment.Result{
			Scenario: experiment.Description{
				Name: "s", Fingerprint: "f", Contestants: []string{"a", "b"},
				Metrics: []experiment.Metric{{Name: "latency", Unit: "ms", Bench: "latency-ns", Better: experiment.Lower, Quantile: c.quantile}},
			},
			Contestants: []string{"a", "b"},
			Seeds:       []uint64{1, 2, 3, 4, 5, 6},
		}
		for _, contestant := range r.Contestants {
			for _, seed := range r.Seeds {
				r.Runs = append(r.Runs, experiment.Run{
					Contestant: contestant, Seed: seed, Digest: "d",
					Values: map[string]float64{"latency": 1}, Samples: map[string]int64{"latency": c.size},
				})
			}
		}
		ranking, err := experiment.Rank(r, experiment.Calibrated)
		if err != nil {
			t.Fatal(err)
		}
		warned := slices.ContainsFunc(ranking.Warnings, func(w experiment.Warning) bool { return strings.Contains(w.What, "fewer than") })
		if warned != c.warned {
			t.Errorf("the %v-quantile of %d values: warnings %v, want one: %v", c.quantile, c.size, ranking.Warnings, c.warned)
		}
	}
}

// The gate compares means with a fixed level. A contestant just below it, whose
// runs scatter, may be there by chance, and the ranking says so.
func TestAnExclusionThatCouldBeChanceEarnsAWarning(t *testing.T) {
	for _, c := range []struct {
		scatter float64
		warned  bool
	}{{20, true}, {1, false}} {
		r := &experiment.Result{
			Scenario: experiment.Description{
				Name: "s", Fingerprint: "f", Contestants: []string{"a", "b"},
				Metrics: []experiment.Metric{
					{Name: "done", Unit: "jobs", Bench: "done", Better: experiment.Higher, Completion: true},
					{Name: "latency", Unit: "ms", Bench: "latency-ns", Better: experiment.Lower, Gated: true},
				},
			},
			Contestants: []string{"a", "b"},
			Seeds:       []uint64{1, 2, 3, 4, 5, 6},
		}
		for _, contestant := range r.Contestants {
			for i, seed := range r.Seeds {
				done := 100.0
				if contestant == "b" {
					done = 87 + c.scatter*float64(i%2*2-1)
				}
				r.Runs = append(r.Runs, experiment.Run{Contestant: contestant, Seed: seed, Digest: "d", Values: map[string]float64{"done": done, "latency": 1}})
			}
		}
		ranking, err := experiment.Rank(r, experiment.Calibrated)
		if err != nil {
			t.Fatal(err)
		}
		if _, out := ranking.Row("latency").ExcludedRatio("b"); !out {
			t.Fatal("b is not excluded")
		}
		warned := slices.ContainsFunc(ranking.Warnings, func(w experiment.Warning) bool { return strings.Contains(w.What, "could be chance") })
		if warned != c.warned {
			t.Errorf("scatter %v: warnings %v, want one: %v", c.scatter, ranking.Warnings, c.warned)
		}
	}
}
