package simtest_test

import (
	"math"
	"os"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// power prints the smallest lead in jobs_done that a rule finds in 80 % of
// sweeps: one of five equals is made better by a factor.
func (s study) power(t *testing.T, jobs [][]float64) {
	if os.Getenv("SIMTEST_STUDY") == "" {
		return // too few sweeps to say anything
	}
	var own, all []float64
	for seed := range jobs[0] {
		var on []float64
		for c := range jobs {
			on = append(on, jobs[c][seed])
		}
		own = append(own, math.Pow(experiment.AggregateOf(on).Stdev, 2))
		all = append(all, on[0])
	}
	g := experiment.AggregateOf(all)
	t.Logf("jobs_done: mean %.1f, standard deviation %.1f, of which %.1f on the same seed", g.Mean, g.Stdev, math.Sqrt(experiment.AggregateOf(own).Mean))
	for _, n := range []int{10, 30} {
		for _, rule := range []experiment.Rule{experiment.Calibrated, experiment.Reference} {
			for _, shared := range []bool{true, false} {
				found := func(lead float64) float64 { return s.found(t, jobs, rule, n, shared, lead) }
				lo, hi := 0.0, 2.0
				for hi-lo > 0.0005 {
					if mid := (lo + hi) / 2; found(mid) < 0.8 {
						lo = mid
					} else {
						hi = mid
					}
				}
				t.Logf("power: %s, %d seeds, common random numbers %v: a lead of %.2f %% is found in 80 %% of %d sweeps", rule, n, shared, 100*hi, len(jobs[0])/n)
			}
		}
	}
}

// found is the part of sweeps in which equal_1, made better, wins the row and
// equal_2 does not. Without common random numbers every contestant has seeds
// of its own.
func (s study) found(t *testing.T, jobs [][]float64, rule experiment.Rule, n int, shared bool, lead float64) float64 {
	t.Helper()
	total := len(jobs[0])
	m := experiment.Metric{Name: "jobs_done", Unit: "jobs", Bench: "jobs-done", Better: experiment.Higher, Completion: true}
	r := &experiment.Result{Scenario: experiment.Description{Name: "power", Fingerprint: "0", Contestants: equals, Metrics: []experiment.Metric{m}}, Contestants: equals}
	for i := range uint64(n) {
		r.Seeds = append(r.Seeds, i)
	}
	hits, sweeps := 0, 0
	for at := 0; at+n <= total; at += n {
		r.Runs = r.Runs[:0]
		for c, name := range equals {
			for i, seed := range r.Seeds {
				place := at + i
				if !shared {
					place = (place + c*(total/len(equals))) % total
				}
				v := jobs[c][place]
				if c == 0 {
					v *= 1 + lead
				}
				r.Runs = append(r.Runs, experiment.Run{Contestant: name, Seed: seed, Values: map[string]float64{"jobs_done": v}})
			}
		}
		ranking, err := experiment.Rank(r, rule)
		if err != nil {
			t.Fatal(err)
		}
		sweeps++
		if row := &ranking.Rows[0]; row.Won(equals[0]) && !row.Won(equals[1]) {
			hits++
		}
	}
	return float64(hits) / float64(sweeps)
}
