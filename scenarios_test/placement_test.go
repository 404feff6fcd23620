package scenarios_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/placement"
)

// What the specs about placement have in common. The oracle takes part in no
// comparison, so how far somebody is from it is said in means, or seed by seed.

// blindPolicies choose without knowing who is able.
var blindPolicies = []string{"one-random", "power-two", "power-three"}

// knowing is the policy with two choices and a directory of capabilities.
const knowing = "capability-power-two"

// meanOf returns a contestant's mean of a metric over all seeds.
func meanOf(o *simtest.Outcome, contestant, metric string) float64 {
	GinkgoHelper()
	a, ok := o.Result.Aggregate(contestant, metric)
	Expect(ok).To(BeTrue(), "%s has no value of %s", contestant, metric)
	return a.Mean
}

// toOracle returns how many times the oracle's mean a contestant's is.
func toOracle(o *simtest.Outcome, contestant, metric string) float64 {
	GinkgoHelper()
	return meanOf(o, contestant, metric) / meanOf(o, placement.Oracle, metric)
}

// seedsWhere returns the seeds on which something is true of the metrics of a
// contestant and of the oracle.
func seedsWhere(o *simtest.Outcome, contestant string, is func(own, oracle map[string]float64) bool) []uint64 {
	GinkgoHelper()
	var seeds []uint64
	for _, seed := range o.Result.Seeds {
		own, ran := o.Result.Run(contestant, seed)
		oracle, too := o.Result.Run(placement.Oracle, seed)
		Expect(ran && too).To(BeTrue(), "%s or the oracle has no run on seed %d", contestant, seed)
		if is(own.Values, oracle.Values) {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// losesBadly returns the seeds on which a contestant completes a tenth of the
// tasks less than the oracle, or takes twice its time at the 95th percentile.
func losesBadly(o *simtest.Outcome, contestant string) []uint64 {
	GinkgoHelper()
	return seedsWhere(o, contestant, func(own, oracle map[string]float64) bool {
		return oracle["completion_rate"]-own["completion_rate"] >= 0.1 ||
			own["p95_response_ticks"] >= 2*oracle["p95_response_ticks"]
	})
}

// inWorld sweeps another world on the same seeds.
func inWorld(ctx context.Context, o *simtest.Outcome, w placement.World, contestants ...string) *simtest.Outcome {
	GinkgoHelper()
	s, err := catalog.Placement(w)()
	Expect(err).NotTo(HaveOccurred())
	r, err := experiment.Sweep(ctx, s, experiment.Options{Contestants: contestants, Seeds: o.Result.Seeds})
	Expect(err).NotTo(HaveOccurred())
	ranking, err := experiment.Rank(r, o.Ranking.Rule)
	Expect(err).NotTo(HaveOccurred())
	return &simtest.Outcome{Scenario: s, Result: r, Ranking: ranking}
}
