package reports_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// speedUp makes a contestant's runs other ones: faster on every seed.
func speedUp(sweep *experiment.Result, contestant string) {
	for i := range sweep.Runs {
		if run := &sweep.Runs[i]; run.Contestant == contestant {
			run.Values["speed"] += 0.2 + float64(i%3)/100
			run.Digest += "f"
		}
	}
}

// drift is what became of the pond after a change.
func drift(t *testing.T, change func(*experiment.Result)) *reports.Drift {
	t.Helper()
	sweep := listedPond(10)
	change(sweep)
	d, err := reports.Gate(committed(t, listedPond(10)), committed(t, sweep))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var (
	ranking  = reports.Level{}
	exact    = reports.Level{Exact: true}
	bySpeed  = reports.Level{Rows: []string{"speed"}}
	byRescue = reports.Level{Rows: []string{"rescue_s", "lap_p95_ms"}}
)

func TestGateAttributesWhatChanged(t *testing.T) {
	all := "the runs of idle, crawl, back(lane=1|2), dolphin on every seed"
	terms := "the assumptions; the rule; the draws; the seeds"
	for _, c := range []struct {
		name        string
		change      func(*experiment.Result)
		fails       []reports.Level
		passes      []reports.Level
		attribution []string
	}{
		{
			"nothing", func(*experiment.Result) {}, nil, []reports.Level{exact, ranking, bySpeed}, nil,
		}, {
			"a contestant that takes the row",
			func(r *experiment.Result) { speedUp(r, "crawl") },
			[]reports.Level{exact, ranking, bySpeed}, []reports.Level{byRescue},
			[]string{
				"contestant crawl: its runs changed, on 10 of 10 seeds",
				"unchanged: the runs of idle, back(lane=1|2), dolphin on every seed; " + terms,
			},
		}, {
			"a contestant that moves on one seed",
			func(r *experiment.Result) { r.Runs[13].Values["speed"] += 0.01; r.Runs[13].Digest = "new" },
			[]reports.Level{exact}, []reports.Level{ranking, bySpeed},
			[]string{
				"contestant crawl: its runs changed, on 1 of 10 seeds",
				"unchanged: the runs of idle, back(lane=1|2), dolphin on every seed; " + terms,
			},
		}, {
			"a run with the same numbers in which something else happened",
			func(r *experiment.Result) { r.Runs[13].Digest = "new" },
			[]reports.Level{exact}, []reports.Level{ranking},
			[]string{
				"contestant crawl: its runs changed, on 1 of 10 seeds",
				"unchanged: the runs of idle, back(lane=1|2), dolphin on every seed; " + terms,
			},
		}, {
			"two contestants",
			func(r *experiment.Result) { speedUp(r, "crawl"); r.Runs[0].Digest = "new" },
			[]reports.Level{exact, ranking}, nil,
			[]string{
				"contestants whose runs changed: idle on 1 of 10 seeds, crawl on 10 of 10 seeds",
				"unchanged: the runs of back(lane=1|2), dolphin on every seed; " + terms,
			},
		}, {
			"an assumption, and with it every run",
			func(r *experiment.Result) {
				r.Scenario.Fingerprint = "other"
				r.Scenario.Assumptions = experiment.Assumptions{{Key: "depth", Value: "3m"}, {Key: "name", Value: `"= # -"`}, {Key: "weed", Value: "true"}}
				for _, c := range r.Contestants {
					speedUp(r, c)
				}
			},
			[]reports.Level{exact}, []reports.Level{ranking},
			[]string{
				"the scenario: 3 assumptions changed",
				"  depth: 2m -> 3m",
				"  lane.north.width: 1.5 -> none",
				"  weed: none -> true",
				"  the runs of all contestants changed with it: idle on 10 of 10 seeds, crawl on 10 of 10 seeds, back(lane=1|2) on 10 of 10 seeds, dolphin on 10 of 10 seeds",
				"unchanged: the rule; the draws; the seeds",
			},
		}, {
			"a fingerprint that no listed assumption explains",
			func(r *experiment.Result) { r.Scenario.Fingerprint = "other" },
			[]reports.Level{exact}, []reports.Level{ranking},
			[]string{
				"the scenario: its fingerprint changed, though no assumption that it lists did",
				"unchanged: " + all + "; the rule; the draws; the seeds",
			},
		}, {
			"every contestant, in the same world",
			func(r *experiment.Result) {
				for _, c := range r.Contestants {
					speedUp(r, c)
				}
			},
			[]reports.Level{exact}, []reports.Level{ranking},
			[]string{
				"what all contestants share, the code of the world or its harness: the runs of every one changed: idle on 10 of 10 seeds, crawl on 10 of 10 seeds, back(lane=1|2) on 10 of 10 seeds, dolphin on 10 of 10 seeds",
				"unchanged: " + terms,
			},
		}, {
			"a metric's formula",
			func(r *experiment.Result) {
				for i := range r.Runs {
					r.Runs[i].Values["speed"] *= 2
				}
			},
			[]reports.Level{exact}, []reports.Level{ranking},
			[]string{
				"metrics with other values in runs that are the same: speed: they are computed otherwise",
				"unchanged: " + all + "; " + terms,
			},
		}, {
			"more seeds",
			func(r *experiment.Result) { *r = *listedPond(12) },
			[]reports.Level{exact, ranking}, []reports.Level{bySpeed},
			[]string{
				"the seeds changed: 9223372036854775815..9223372036854775824 -> 9223372036854775815..9223372036854775826",
				"unchanged: " + all + "; the assumptions; the rule; the draws",
			},
		}, {
			"a contestant less, which was excluded",
			func(r *experiment.Result) { r.Contestants, r.Runs = r.Contestants[1:], r.Runs[10:] },
			[]reports.Level{exact, ranking, bySpeed}, nil,
			[]string{
				"contestants that are gone: idle",
				"unchanged: the runs of crawl, back(lane=1|2), dolphin on every seed; " + terms,
			},
		}, {
			"a reference that takes part",
			func(r *experiment.Result) { r.Scenario.References = nil },
			[]reports.Level{exact, ranking, bySpeed}, nil,
			[]string{
				"never crowned, before: dolphin; now: nobody",
				"unchanged: " + all + "; " + terms,
			},
		}, {
			"a row that is not gated any more",
			func(r *experiment.Result) { r.Scenario.Metrics[0].Gated = false },
			[]reports.Level{exact, ranking, bySpeed}, []reports.Level{byRescue},
			[]string{
				"the row speed is declared otherwise: higher gated -> higher",
				"unchanged: " + all + "; " + terms,
			},
		}, {
			"rows that are new and gone",
			func(r *experiment.Result) {
				r.Scenario.Metrics[4].Name = "bumps"
				renameValue(r, "collisions", "bumps")
			},
			[]reports.Level{exact, ranking}, []reports.Level{bySpeed},
			[]string{
				"new rows: bumps",
				"rows that are gone: collisions",
				"unchanged: " + all + "; " + terms,
			},
		}, {
			"the order of contestants",
			func(r *experiment.Result) {
				r.Contestants = []string{"crawl", "idle", "back(lane=1|2)", "dolphin"}
				r.Runs = slices.Concat(r.Runs[10:20], r.Runs[:10], r.Runs[20:])
			},
			[]reports.Level{exact}, []reports.Level{ranking},
			[]string{
				"the order of contestants changed: idle, crawl, back(lane=1|2), dolphin -> crawl, idle, back(lane=1|2), dolphin",
				"unchanged: the runs of crawl, idle, back(lane=1|2), dolphin on every seed; " + terms,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := drift(t, c.change)
			for _, l := range c.fails {
				if !d.Fails(l) {
					t.Errorf("it passes at level %v:\n%v", l, d)
				}
			}
			for _, l := range c.passes {
				if d.Fails(l) {
					t.Errorf("it fails at level %v:\n%v", l, d)
				}
			}
			if got := d.Attribution(); !slices.Equal(got, c.attribution) {
				t.Errorf("attributed to\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.attribution, "\n  "))
			}
		})
	}
}

func renameValue(r *experiment.Result, from, to string) {
	for i := range r.Runs {
		r.Runs[i].Values[to] = r.Runs[i].Values[from]
		delete(r.Runs[i].Values, from)
	}
}

// The rule is not in the result but in how it is reported.
func TestGateNamesTheRule(t *testing.T) {
	by := func(p reports.Provenance) *reports.Baseline {
		b, err := reports.NewBaseline(result(t, listedPond(10), p))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	d, err := reports.Gate(by(reports.Provenance{}), by(reports.Provenance{Rule: experiment.Reference, Draws: "python"}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"the rule changed: calibrated -> reference", "the draws changed: default -> python",
		"unchanged: the runs of idle, crawl, back(lane=1|2), dolphin on every seed; the assumptions; the seeds",
	}
	if got := d.Attribution(); !slices.Equal(got, want) {
		t.Errorf("attributed to %q, want %q", got, want)
	}
	other := listedPond(3)
	other.Scenario.Name = "loud_pond"
	_, err = reports.Gate(committed(t, other), committed(t, listedPond(3)))
	wantError(t, err, `scenario "loud_pond"`, `must be of "quiet_pond"`)
}

// Whichever runs are changed, exactly these are named, and nothing else is.
func TestGateNamesExactlyTheRunsThatChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for round := range 100 {
		want := map[string]int{}
		d := drift(t, func(sweep *experiment.Result) {
			for i := range sweep.Runs {
				if run := &sweep.Runs[i]; r.Float64() < 0.05 {
					run.Digest = "new"
					run.Values["lap_p95_ms"] *= 1 + r.Float64()/10
					want[run.Contestant]++
				}
			}
		})
		got := map[string]int{}
		for _, c := range d.Changed {
			got[c.Contestant] = len(c.Seeds)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(got)+len(d.Same) != 4 || d.Formulas != nil {
			t.Errorf("round %d: changed are %v, want %v; the same %v; formulas %v", round, got, want, d.Same, d.Formulas)
		}
		if contestant, seed, ok := d.Suspect(); ok != (len(want) > 0) || ok && !slices.ContainsFunc(d.Changed, func(c reports.ChangedRuns) bool {
			return c.Contestant == contestant && slices.Contains(c.Seeds, seed)
		}) {
			t.Errorf("round %d: the run to look at is %s on %d (%v), changed are %v", round, contestant, seed, ok, d.Changed)
		}
	}
}
