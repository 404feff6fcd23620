package simtest_test

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// outcome is made of given values: b is the better worker, c does nothing, and
// a and b cannot be separated by latency.
func outcome(t *testing.T) *simtest.Outcome {
	t.Helper()
	result := &experiment.Result{
		Scenario: experiment.Description{
			Name: "made_up", Summary: "values by hand", Fingerprint: "0",
			Contestants: []string{"a", "b", "c"},
			Metrics: []experiment.Metric{
				{Name: "done", Unit: "jobs", Bench: "done", Better: experiment.Higher, Completion: true},
				{Name: "latency", Unit: "ms", Bench: "latency-ns", Better: experiment.Lower, Gated: true},
				{Name: "size", Unit: "jobs", Bench: "size"},
			},
		},
		Contestants: []string{"a", "b", "c"},
		Seeds:       []uint64{1, 2, 3, 4, 5, 6},
	}
	for i, contestant := range result.Contestants {
		for j, seed := range result.Seeds {
			wobble := float64((j*7+i*5)%3) - 1
			result.Runs = append(result.Runs, experiment.Run{Contestant: contestant, Seed: seed, Digest: contestant, Values: map[string]float64{
				"done":    []float64{100, 108, 3}[i] + 0.1*wobble,
				"latency": []float64{50, 50, 1}[i] + 5*wobble,
				"size":    1,
			}})
		}
	}
	ranking, err := experiment.Rank(result, experiment.Calibrated)
	if err != nil {
		t.Fatal(err)
	}
	return &simtest.Outcome{Result: result, Ranking: ranking}
}

func TestMatchersMatch(t *testing.T) {
	g, o := NewWithT(t), outcome(t)
	g.Expect(o).To(simtest.HaveWinners("done", "b"))
	g.Expect(o).To(simtest.HaveWinners("latency", "b", "a"))
	g.Expect(o).To(simtest.HaveWinners("size"))
	g.Expect(o).To(simtest.Crown("latency", "a"))
	g.Expect(o).NotTo(simtest.Crown("done", "a"))
	g.Expect(o).To(simtest.Separate("done"))
	g.Expect(o).NotTo(simtest.Separate("latency"))
	g.Expect(o).To(simtest.Separate("done", "a", "b"))
	g.Expect(o).NotTo(simtest.Separate("latency", "a", "b"))
	g.Expect(o).To(simtest.Exclude("c"))
	g.Expect(o).NotTo(simtest.Exclude("a"))
	g.Expect(o).To(simtest.HaveBeaten("done", "b", "a"))
	g.Expect(o).NotTo(simtest.HaveBeaten("done", "a", "b"))
	g.Expect(o).To(simtest.CompleteAtLeast("a", 99))
	g.Expect(o).NotTo(simtest.CompleteAtLeast("c", 99))
	g.Expect(o).To(simtest.HaveMean("c", "latency", BeNumerically("<", 10)))
	g.Expect(o).NotTo(simtest.NotCompare("latency", "a"))
}

// What a failing expectation prints: the row, those who took part, and why.
func TestMatchersExplainThemselves(t *testing.T) {
	o := outcome(t)
	for _, c := range []struct {
		name    string
		matcher types.GomegaMatcher
		negated bool
		want    []string
	}{
		{"winners", simtest.HaveWinners("done", "a"), false, []string{"done (higher is better, jobs), 6 seeds", "* b", "b is better by 8", "on 6 of 6 seeds", "to have the winners a"}},
		{"no crown", simtest.Crown("done", "b"), true, []string{"not to crown b"}},
		{"exclusion", simtest.Exclude("a"), false, []string{"latency", "excluded: completed 2.8 % of the best", "to exclude a"}},
		{"beaten", simtest.HaveBeaten("done", "a", "b"), false, []string{"a is better than b by -8", "needed: more than", "on 0 of 6 seeds; worse on 6"}},
		{"mean", simtest.CompleteAtLeast("c", 50), false, []string{"done of c", "lowest with seed", "50"}},
		{"separated", simtest.Separate("latency"), false, []string{"to separate"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ok, err := c.matcher.Match(o)
			if err != nil || ok != c.negated {
				t.Fatalf("matched %v, error %v", ok, err)
			}
			text := c.matcher.FailureMessage(o)
			if c.negated {
				text = c.matcher.NegatedFailureMessage(o)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("message lacks %q:\n%s", want, text)
				}
			}
		})
	}
}

func TestMatchersTeachWhenTheyAreMisused(t *testing.T) {
	o := outcome(t)
	for _, c := range []struct {
		matcher types.GomegaMatcher
		actual  any
		want    string
	}{
		{simtest.Crown("done", "b"), 7, "expected a *simtest.Outcome"},
		{simtest.Crown("done", "b"), &simtest.Outcome{}, "use it inside of a spec"},
		{simtest.Crown("speed", "b"), o, "it has done, latency, size"},
		{simtest.Crown("done", "d"), o, "these did: a, b, c"},
		{simtest.Exclude("d"), o, "these did: a, b, c"},
		{simtest.CompleteAtLeast("d", 1), o, "these did: a, b, c"},
		{simtest.BeReproducible(t.Context(), 1), o, "expected an experiment.Scenario"},
	} {
		if _, err := c.matcher.Match(c.actual); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q in it", err, c.want)
		}
	}
}

// With the others excluded, the one that is left won against nobody.
func TestNotCompare(t *testing.T) {
	o := outcome(t)
	for i := range o.Result.Runs {
		if r := &o.Result.Runs[i]; r.Contestant == "a" {
			r.Values["done"] = 10
		}
	}
	var err error
	if o.Ranking, err = experiment.Rank(o.Result, experiment.Calibrated); err != nil {
		t.Fatal(err)
	}
	g := NewWithT(t)
	g.Expect(o).To(simtest.NotCompare("latency", "b"))
	g.Expect(o).To(simtest.HaveWinners("latency"))
}

func TestScenarioMatchers(t *testing.T) {
	s, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	g := NewWithT(t)
	g.Expect(s).To(simtest.BeReproducible(t.Context(), 1))
	g.Expect(s).To(simtest.NotLeak(t.Context(), 1))
}
