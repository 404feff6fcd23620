package reports_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// The metrics of the sweeps below, one of each direction.
var (
	caught  = experiment.Metric{Name: "caught", Unit: "flies", Bench: "flies", Better: experiment.Higher}
	latency = experiment.Metric{Name: "latency_ms", Unit: "ms", Bench: "latency-ns", BenchScale: 1e6, Better: experiment.Lower}
	size    = experiment.Metric{Name: "size", Unit: "cm", Bench: "cm"}
)

// swamp is a sweep of values that are given: value(contestant, metric, seed),
// where NaN is none.
func swamp(contestants []string, metrics []experiment.Metric, seeds int, value func(contestant, metric string, seed int) float64) *experiment.Result {
	r := &experiment.Result{
		Scenario:    experiment.Description{Name: "swamp", Fingerprint: "f00d", Contestants: contestants, Metrics: metrics},
		Contestants: contestants,
	}
	for s := range seeds {
		r.Seeds = append(r.Seeds, uint64(s+1))
	}
	for _, c := range contestants {
		for s, seed := range r.Seeds {
			run := experiment.Run{Contestant: c, Seed: seed, Values: map[string]float64{}, Iterations: 1, Digest: "d"}
			for _, m := range metrics {
				if v := value(c, m.Name, s); !math.IsNaN(v) {
					run.Values[m.Name] = v
				}
			}
			r.Runs = append(r.Runs, run)
		}
	}
	return r
}

// frog is a swamp of one contestant and one metric.
func frog(m experiment.Metric, values ...float64) *experiment.Result {
	return swamp([]string{"frog"}, []experiment.Metric{m}, len(values), func(_, _ string, seed int) float64 { return values[seed] })
}

func compare(t *testing.T, before, now *experiment.Result, threshold float64) *reports.Comparison {
	t.Helper()
	c, err := reports.Compare([]*reports.Result{result(t, before, reports.Provenance{})}, []*reports.Result{result(t, now, reports.Provenance{})}, threshold)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// only returns the one change of a comparison that must have one.
func only(t *testing.T, c *reports.Comparison) reports.Change {
	t.Helper()
	if len(c.Scenarios) != 1 || len(c.Scenarios[0].Changes) != 1 {
		t.Fatalf("got %+v", c)
	}
	return c.Scenarios[0].Changes[0]
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// The values differ by a factor of 400 between seeds; each is 1 % worse. The
// files are real ones, and benchstat, which cannot pair, sees nothing.
func TestOnePerCentOnEverySeedIsAChangeForTheWorse(t *testing.T) {
	for _, m := range []experiment.Metric{caught, latency} {
		factor := 0.99
		if m.Better == experiment.Lower {
			factor = 1.01
		}
		before := []float64{3, 17.5, 90, 1200, 41, 8.25, 300, 77, 5, 640}
		after := slices.Clone(before)
		for i := range after {
			after[i] *= factor
		}
		old, new := result(t, frog(m, before...), reports.Provenance{}), result(t, frog(m, after...), reports.Provenance{})
		c, err := reports.Compare(read(t, written(t, reports.WriteBenchstat, old)), read(t, written(t, reports.WriteBenchstat, new)), 0.005)
		if err != nil {
			t.Fatal(err)
		}
		change := only(t, c)
		if change.Verdict != reports.Worse || !c.Worse() || change.Worse != 10 || !near(change.Relative, factor-1) {
			t.Errorf("%s: got %+v", m.Name, change)
		}
		if !near(change.Low, factor-1) || !near(change.High, factor-1) {
			t.Errorf("%s: the interval from %v to %v has a width, but every seed changed alike", m.Name, change.Low, change.High)
		}
		dir := t.TempDir()
		text := benchstat(t, write(t, dir, "old.txt", frog(m, before...), reports.WriteBenchstat), write(t, dir, "new.txt", frog(m, after...), reports.WriteBenchstat))
		if !regexp.MustCompile(`frog.* ~ \(p=`).MatchString(text) {
			t.Errorf("%s: benchstat sees it, too:\n%s", m.Name, text)
		}
	}
}

// Relative changes by hand: a geometric mean, or a mean over the mean before.
func TestVerdicts(t *testing.T) {
	base := []float64{100, 100, 100, 100, 100, 100}
	fifth := math.Pow(1.2*1.21*1.19*1.2*1.2*1.2, 1./6) - 1
	for _, c := range []struct {
		name          string
		metric        experiment.Metric
		before, after []float64
		threshold     float64
		verdict       reports.Verdict
		relative      float64
	}{
		{"equal values", caught, base, base, 0, reports.Same, 0},
		{"a half per cent less, on every seed", caught, base, []float64{99.5, 99.5, 99.5, 99.5, 99.5, 99.5}, 0.01, reports.Small, -0.005},
		{"exactly the threshold", caught, base, []float64{99, 99, 99, 99, 99, 99}, 0.01, reports.Small, -0.01},
		{"a little more than the threshold", caught, base, []float64{98.99, 98.99, 98.99, 98.99, 98.99, 98.99}, 0.01, reports.Worse, -0.0101},
		{"any change, without a threshold", latency, base, []float64{100.001, 100.001, 100.001, 100.001, 100.001, 100.001}, 0, reports.Worse, 1e-5},
		{"more flies", caught, base, []float64{120, 121, 119, 120, 120, 120}, 0.01, reports.Better, fifth},
		{"a longer time", latency, base, []float64{120, 121, 119, 120, 120, 120}, 0.01, reports.Worse, fifth},
		{"another size, which is neither", size, base, []float64{120, 121, 119, 120, 120, 120}, 0.01, reports.Other, fifth},
		{"up and down", caught, base, []float64{150, 60, 140, 70, 130, 80}, 0.01, reports.Unclear, math.Pow(1.5*.6*1.4*.7*1.3*.8, 1./6) - 1},
		{"one seed of six, which may be the one in a hundred", caught, base, []float64{100, 100, 50, 100, 100, 100}, 0.01, reports.Unclear, math.Pow(.5, 1./6) - 1},
		{"hardly any change in the mean, which may be chance", caught, base, []float64{150, 1 / .015, 150, 1 / .015, 150, 1 / .015}, 0.01, reports.Unclear, 0},
		{"zeros, by differences", caught, []float64{0, 10, 20, 0, 10, 20}, []float64{1, 11, 21, 1, 11, 21}, 0.01, reports.Better, 0.1},
		{"out of nothing", latency, []float64{0, 0, 0}, []float64{5, 5, 5}, 0.01, reports.Worse, 1},
		{"into nothing", latency, []float64{5, 5, 5}, []float64{0, 0, 0}, 0.01, reports.Better, -1},
		{"values below zero", caught, []float64{-100, -100, -100}, []float64{-110, -110, -110}, 0.01, reports.Worse, -0.1},
		{"values that cancel out", caught, []float64{-1, 1}, []float64{1, -1}, 0, reports.Unclear, 0},
		{"one pair, which has no interval", caught, []float64{100}, []float64{90}, 0.01, reports.Worse, -0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := only(t, compare(t, frog(c.metric, c.before...), frog(c.metric, c.after...), c.threshold))
			if got.Verdict != c.verdict || !near(got.Relative, c.relative) {
				t.Errorf("got %s, by %v; want %s, by %v (%+v)", got.Verdict, got.Relative, c.verdict, c.relative, got)
			}
			if got.Low > got.Relative || got.High < got.Relative {
				t.Errorf("the interval from %v to %v does not hold %v", got.Low, got.High, got.Relative)
			}
			if got.Better+got.Worse+got.Equal != got.Pairs || got.Pairs != len(c.before) {
				t.Errorf("%d better, %d worse, %d equal of %d", got.Better, got.Worse, got.Equal, got.Pairs)
			}
		})
	}
}

// The interval by hand: ratios e^0.1, e^0.2, e^0.3 have the mean logarithm 0.2
// and a standard error of 0.1/sqrt(3); with one change, t(2, 97.5 %) = 4.302653
// of these are 0.248414.
func TestIntervalsAreOfLogarithms(t *testing.T) {
	got := only(t, compare(t, frog(caught, 10, 20, 30), frog(caught, 10*math.Exp(0.1), 20*math.Exp(0.2), 30*math.Exp(0.3)), 0))
	if !near(got.Relative, math.Exp(0.2)-1) || !near(got.Low, math.Exp(0.2-0.248414)-1) || !near(got.High, math.Exp(0.2+0.248414)-1) {
		t.Errorf("got %v from %v to %v", got.Relative, got.Low, got.High)
	}
}

// A change that is no better and no worse, but makes every number another one:
// how often is it called worse, in a comparison of 4 contestants by 10
// metrics? Better or worse together in at most one of twenty, whatever noise
// the seeds have in common and even if the metrics go up and down together.
func TestNeutralChangesAreSeldomCalledWorse(t *testing.T) {
	const comparisons = 600
	r := rand.New(rand.NewPCG(1, 3))
	var metrics []experiment.Metric
	for i := range 10 {
		m := caught
		m.Name, m.Bench = fmt.Sprintf("m%d", i), fmt.Sprintf("u%d", i)
		metrics = append(metrics, m)
	}
	contestants := []string{"frog", "newt", "toad", "crab"}
	for _, shared := range []float64{0, 0.9} {
		common := make([]float64, 10)
		draw := func() *experiment.Result {
			own := map[string]float64{}
			return swamp(contestants, metrics, 10, func(c, m string, seed int) float64 {
				key := fmt.Sprint(c, seed)
				if _, ok := own[key]; !ok {
					own[key] = r.NormFloat64()
				}
				noise := shared*own[key] + math.Sqrt(1-shared*shared)*r.NormFloat64()
				return 100 * math.Exp(0.5*common[seed]+0.2*noise)
			})
		}
		called := 0
		for range comparisons {
			for i := range common {
				common[i] = r.NormFloat64()
			}
			if c := compare(t, draw(), draw(), 0.01); c.Worse() || c.Count(reports.Better) > 0 {
				called++
			}
		}
		lo := distuv.Beta{Alpha: float64(called), Beta: float64(comparisons - called + 1)}.Quantile(0.005)
		t.Logf("metrics that share %.0f %% of their noise: a change is found in %.1f %% of %d comparisons of equals", 100*shared*shared, 100*float64(called)/comparisons, comparisons)
		if lo > 0.05 {
			t.Errorf("that is more than the 5 %% promised")
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	one := []*reports.Result{result(t, frog(caught, 1, 2, 3), reports.Provenance{})}
	for _, threshold := range []float64{-0.01, math.NaN(), math.Inf(1)} {
		_, err := reports.Compare(one, one, threshold)
		wantError(t, err, fmt.Sprintf("threshold %v", threshold), "0.01 for 1 %")
	}
	other := frog(caught, 1, 2, 3)
	other.Scenario.Name = "moor"
	_, err := reports.Compare(one, []*reports.Result{result(t, other, reports.Provenance{})}, 0)
	wantError(t, err, "nothing to compare", "swamp: the scenario is in the old report only", "moor: the scenario is in the new report only")
	if !errors.Is(err, reports.ErrUnpaired) {
		t.Errorf("%v is not ErrUnpaired", err)
	}
}

func TestComparisonsAreReadable(t *testing.T) {
	after := pond(10, 0.0004)
	after.Runs = slices.DeleteFunc(after.Runs, func(r experiment.Run) bool { return r.Contestant == "dolphin" && r.Seed == 1<<63+8 })
	golden(t, "pond.compare", format(t, func(w io.Writer) error { return reports.WriteComparison(w, compare(t, pond(10, 0), after, 0.0005)) }))
	golden(t, "same.compare", format(t, func(w io.Writer) error { return reports.WriteComparison(w, compare(t, pond(10, 0), pond(10, 0), 0.01)) }))
}
