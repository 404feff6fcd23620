package experiment_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// How often do the rules separate contestants that are equal? Synthetic sweeps
// (an A/A test): every contestant draws from one law, some noise is its own,
// some is common to all on a seed. One row per law.

type law struct {
	name string
	// draw returns a value from noise of its own and noise in common, both
	// standard normal.
	draw func(own, common float64) float64
}

var laws = []law{
	{"normal", func(own, _ float64) float64 { return 100 + 20*own }},
	{"normal_mostly_common", func(own, common float64) float64 { return 100 + 20*common + 4*own }},
	{"lognormal", func(own, _ float64) float64 { return 100 * math.Exp(own) }},
	{"lognormal_mostly_common", func(own, common float64) float64 { return 100 * math.Exp(common+0.3*own) }},
}

// equals makes a sweep of k equal contestants on n seeds, with a row per law.
func equals(r *rand.Rand, laws []law, k, n int) *experiment.Result {
	result := &experiment.Result{Scenario: experiment.Description{Name: "equals", Fingerprint: "f00d"}}
	for _, law := range laws {
		result.Scenario.Metrics = append(result.Scenario.Metrics, experiment.Metric{Name: law.name, Unit: "any", Bench: law.name, Better: experiment.Lower})
	}
	for c := range k {
		result.Contestants = append(result.Contestants, fmt.Sprintf("equal_%d", c+1))
	}
	result.Scenario.Contestants = result.Contestants
	common := make([]float64, n)
	for s := range common {
		result.Seeds = append(result.Seeds, uint64(s))
		common[s] = r.NormFloat64()
	}
	for _, c := range result.Contestants {
		for s, seed := range result.Seeds {
			values := make(map[string]float64, len(laws))
			for _, law := range laws {
				values[law.name] = law.draw(r.NormFloat64(), common[s])
			}
			result.Runs = append(result.Runs, experiment.Run{Contestant: c, Seed: seed, Values: values})
		}
	}
	return result
}

// separated counts, row by row, the sweeps in which somebody lost.
func separated(t *testing.T, rule experiment.Rule, laws []law, k, n, sweeps int) []int {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
	lost := make([]int, len(laws))
	for range sweeps {
		for i, row := range rank(t, equals(r, laws, k, n), rule).Rows {
			if len(row.Winners) < k {
				lost[i]++
			}
		}
	}
	return lost
}

// interval returns the exact 99 % interval (Clopper and Pearson 1934) of the
// probability of something that was seen x times in n.
func interval(x, n int) (lo, hi float64) {
	lo, hi = 0, 1
	if x > 0 {
		lo = distuv.Beta{Alpha: float64(x), Beta: float64(n - x + 1)}.Quantile(0.005)
	}
	if x < n {
		hi = distuv.Beta{Alpha: float64(x + 1), Beta: float64(n - x)}.Quantile(0.995)
	}
	return lo, hi
}

func TestCalibratedRuleSeldomSeparatesEquals(t *testing.T) {
	const contestants, sweeps = 5, 2000
	for _, seeds := range []int{3, 10, 30} {
		for i, lost := range separated(t, experiment.Calibrated, laws, contestants, seeds, sweeps) {
			lo, hi := interval(lost, sweeps)
			t.Logf("%2d seeds, %s: somebody separated in %.2f %% of %d sweeps, 99 %% interval %.2f to %.2f %%",
				seeds, laws[i].name, 100*float64(lost)/sweeps, sweeps, 100*lo, 100*hi)
			if lo > 0.05 {
				t.Errorf("%d seeds, %s: %.2f %% is more than the 5 %% promised", seeds, laws[i].name, 100*float64(lost)/sweeps)
			}
		}
	}
}

// The same count for the reference rule, whose rates are known: two equals are
// separated if |t(n-1)| > 2. It would fail the test above with three seeds.
func TestReferenceRuleOftenSeparatesEquals(t *testing.T) {
	const sweeps = 10000
	for seeds, want := range map[int]float64{3: 0.184, 5: 0.116, 10: 0.077, 20: 0.060} {
		lost := separated(t, experiment.Reference, laws[:1], 2, seeds, sweeps)[0]
		lo, hi := interval(lost, sweeps)
		t.Logf("%2d seeds: a pair is separated in %.2f %% of %d sweeps, theory %.1f %%", seeds, 100*float64(lost)/sweeps, sweeps, 100*want)
		if want < lo || want > hi {
			t.Errorf("%d seeds: %.2f %% of pairs, 99 %% interval %.2f to %.2f %%, theory %.1f %%",
				seeds, 100*float64(lost)/sweeps, 100*lo, 100*hi, 100*want)
		}
	}
	const few = 1000
	lost := separated(t, experiment.Reference, laws[:1], 5, 3, few)[0]
	lo, hi := interval(lost, few)
	if lo <= 0.05 || lo > 0.63 || hi < 0.63 {
		t.Errorf("3 seeds, five equals: somebody is separated in %.1f %% of sweeps (%.1f to %.1f), want about 63 %%", 100*float64(lost)/few, 100*lo, 100*hi)
	}
}

// Power: a true lead of 8 % in a noise of 20 %, most of it common. Paired
// differences find it with ten seeds; on shuffled seeds, which throws the
// common random numbers away, they hardly ever do.
func TestCommonRandomNumbersFindALead(t *testing.T) {
	const sweeps, n = 300, 10
	r := rand.New(rand.NewPCG(8, 0))
	found := map[bool]int{}
	for range sweeps {
		for _, paired := range []bool{true, false} {
			values := map[string][]float64{}
			common := make([]float64, n)
			for s := range common {
				common[s] = 20 * r.NormFloat64()
			}
			for c, lead := range map[string]float64{"frog": 8, "newt": 0} {
				order := r.Perm(n)
				for s := range n {
					at := s
					if !paired {
						at = order[s]
					}
					values[c] = append(values[c], 100+lead+common[at]+4*r.NormFloat64())
				}
			}
			row := rank(t, table(speed, frogs[:2], values), experiment.Calibrated).Rows[0]
			if len(row.Winners) == 1 && row.Won("frog") {
				found[paired]++
			}
		}
	}
	if found[true] < sweeps*9/10 || found[false] > sweeps*3/10 {
		t.Errorf("of %d sweeps the lead was found in %d with common random numbers, in %d without", sweeps, found[true], found[false])
	}
}
