package experiment_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// How small a true lead do the rules find? One of five contestants, otherwise
// equal, is better by a factor. Mean and noise are those of backoff in jobs_done
// of the base scenario (3000 seeds): a standard deviation of 129 jobs is the
// seed's, and common to all, and 113 jobs are the contestant's own.
const jobsMean, jobsCommon, jobsOwn = 1257.0, 129.0, 113.0

// jobsNoise are values by sweep, contestant and seed, before there is a lead.
// Without common random numbers the seed's part is another one for each
// contestant.
func jobsNoise(sweeps, n int, shared bool) [][][]float64 {
	r := rand.New(rand.NewPCG(uint64(n), 80))
	all := make([][][]float64, sweeps)
	for k := range all {
		common := make([]float64, n)
		for c := range 5 {
			values := make([]float64, n)
			for s := range values {
				if c == 0 || !shared {
					common[s] = r.NormFloat64()
				}
				values[s] = jobsMean + jobsCommon*common[s] + jobsOwn*r.NormFloat64()
			}
			all[k] = append(all[k], values)
		}
	}
	return all
}

// finds is the part of sweeps in which the contestant with the lead claims the
// row and a given other one does not.
func finds(t *testing.T, noise [][][]float64, rule experiment.Rule, lead float64) float64 {
	t.Helper()
	jobs := experiment.Metric{Name: "jobs_done", Unit: "jobs", Bench: "jobs-done", Better: experiment.Higher}
	found := 0
	for _, sweep := range noise {
		values := map[string][]float64{}
		var contestants []string
		for c, v := range sweep {
			name := fmt.Sprintf("c%d", c)
			contestants, values[name] = append(contestants, name), v
		}
		better := make([]float64, len(sweep[0]))
		for s, v := range sweep[0] {
			better[s] = v * (1 + lead)
		}
		values["c0"] = better
		if row := rank(t, table(jobs, contestants, values), rule).Rows[0]; row.Won("c0") && !row.Won("c1") {
			found++
		}
	}
	return float64(found) / float64(len(noise))
}

// smallestLead is found in four of five sweeps.
func smallestLead(t *testing.T, noise [][][]float64, rule experiment.Rule) float64 {
	t.Helper()
	lo, hi := 0.0, 0.5
	for hi-lo > 0.002 {
		if mid := (lo + hi) / 2; finds(t, noise, rule, mid) < 0.8 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// Common random numbers are worth as much as 2.4 times the seeds. The
// calibrated rule, which keeps its promise for all pairs together, needs a lead
// of 1.4 to 1.7 times that of the reference rule, which keeps none. Of 1000
// sweeps; here are fewer.
func TestPower(t *testing.T) {
	if testing.Short() {
		t.Skip("ranks 20,000 sweeps")
	}
	for _, c := range []struct {
		seeds  int
		shared bool
		want   map[experiment.Rule]float64 // in per cent
	}{
		{10, true, map[experiment.Rule]float64{experiment.Calibrated: 21.3, experiment.Reference: 12.4}},
		{10, false, map[experiment.Rule]float64{experiment.Calibrated: 33.7, experiment.Reference: 19.3}},
		{30, true, map[experiment.Rule]float64{experiment.Calibrated: 9.7, experiment.Reference: 7.0}},
		{30, false, map[experiment.Rule]float64{experiment.Calibrated: 14.9, experiment.Reference: 10.8}},
	} {
		noise := jobsNoise(300, c.seeds, c.shared)
		for _, rule := range []experiment.Rule{experiment.Calibrated, experiment.Reference} {
			got := 100 * smallestLead(t, noise, rule)
			t.Logf("%d seeds, common random numbers %v, %v rule: a lead of %.1f %% is found in 80 %% of sweeps", c.seeds, c.shared, rule, got)
			if math.Abs(got-c.want[rule]) > 0.08*c.want[rule] {
				t.Errorf("%d seeds, common random numbers %v, %v rule: %.2f %%, want %.1f %%", c.seeds, c.shared, rule, got, c.want[rule])
			}
		}
	}
}
