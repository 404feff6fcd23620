package reports_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// What is missing in either of two files is named, and the rest is compared.
func TestCompareSaysWhatItCannotPair(t *testing.T) {
	metrics := []experiment.Metric{caught, latency, size}
	value := func(_, metric string, seed int) float64 { return float64(10 + seed + len(metric)) }
	before := swamp([]string{"frog", "newt", "toad"}, metrics, 6, value)
	after := swamp([]string{"frog", "toad", "crab"}, metrics, 8, value)
	after.Seeds, after.Runs = after.Seeds[1:], slices.DeleteFunc(after.Runs, func(r experiment.Run) bool { return r.Seed == 1 })
	after.Runs = slices.DeleteFunc(after.Runs, func(r experiment.Run) bool { return r.Contestant == "toad" && r.Seed == 4 })
	delete(before.Runs[2].Values, "latency_ms")
	after.Scenario.Metrics = slices.Clone(metrics)
	after.Scenario.Metrics[2].Unit = "m"
	after.Scenario.Fingerprint = "beef"
	after.Runs[1].Stall = &experiment.Stall{At: time.Second, Why: "the swamp is dry"}

	old := []*reports.Result{result(t, before, reports.Provenance{}), result(t, renamed(before, "moor"), reports.Provenance{})}
	new := []*reports.Result{result(t, after, reports.Provenance{Draws: "python"}), result(t, renamed(before, "fen"), reports.Provenance{})}
	for _, write := range []func(io.Writer, []*reports.Result) error{reports.WriteBenchstat, reports.WriteSeeds} {
		c, err := reports.Compare(read(t, written(t, write, old...)), read(t, written(t, write, new...)), 0)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"swamp: the assumptions differ (fingerprints f00d and beef): what changed may be the world, and not the contestants",
			"swamp: the draws differ (default and python): the same seed is not the same luck",
			"swamp: the new report is partial: 1 of 21 runs have no result: toad on 4",
			"swamp: seeds in the old report only: 1",
			"swamp: seeds in the new report only: 7..8",
			"swamp: contestants in the old report only: newt",
			"swamp: contestants in the new report only: crab",
			"swamp: metric size: the unit was cm and is m",
			"swamp: standstills of frog in the new report only: 3",
			"swamp: values of frog in latency_ms in the new report only: 3",
			"swamp: runs of toad in the old report only: 4",
			"moor: the scenario is in the old report only",
			"fen: the scenario is in the new report only",
		}
		if !slices.Equal(c.Unpaired, want) {
			t.Errorf("got\n  %s\nwant\n  %s", strings.Join(c.Unpaired, "\n  "), strings.Join(want, "\n  "))
		}
		pairs := map[string]int{}
		for _, change := range c.Scenarios[0].Changes {
			pairs[change.Contestant+" "+change.Metric.Name] = change.Pairs
			if change.Verdict != reports.Same {
				t.Errorf("%+v, but no value changed", change)
			}
		}
		if got, want := fmt.Sprint(pairs), "map[frog caught:5 frog latency_ms:4 toad caught:4 toad latency_ms:4]"; got != want {
			t.Errorf("pairs are %s, want %s", got, want)
		}
		if c.Changed() || c.Worse() {
			t.Error("nothing changed, and it is called changed")
		}
	}
}

func renamed(r *experiment.Result, name string) *experiment.Result {
	other := *r
	other.Scenario.Name = name
	return &other
}

// Lines that somebody took out of a file cannot be told to be of any seed.
func TestCompareIsNotMisledByLinesThatAreGone(t *testing.T) {
	old := result(t, swamp([]string{"frog", "toad"}, []experiment.Metric{caught}, 6, func(_, _ string, seed int) float64 { return float64(seed + 1) }), reports.Provenance{})
	text := written(t, reports.WriteBenchstat, old)
	cut := strings.Replace(text, "BenchmarkSwamp/algorithm=frog 1 3 flies\n", "", 1)
	c, err := reports.Compare(read(t, text), read(t, cut), 0)
	if err != nil {
		t.Fatal(err)
	}
	if c.Changed() {
		t.Errorf("values of other seeds were paired: %+v", c)
	}
	if says := strings.Join(c.Unpaired, "\n"); !strings.Contains(says, "frog has 5 lines in the file but 6 seeds") || !strings.Contains(says, "runs of frog in the old report only: 1..6") {
		t.Errorf("it says only\n%s", says)
	}
}
