package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/placement"
)

var _ = simtest.Scenario("placement_documented", catalog.Placement(placement.Documented()), func(o *simtest.Outcome) {
	// Workers and tasks draw their capability with the same weights, and a
	// worker draws a second one of the three with probability 1/4. Who chooses
	// blindly asks until somebody is able: 1/p times in the mean.
	blindAttempts := 0.0
	for _, w := range []float64{0.50, 0.35, 0.15} {
		able := w + (1-w)*0.25/3
		blindAttempts += w / able // 2.47 in all
	}

	It("is the example that the reference documents: with seed 42 the trace has its name", func() {
		trace, err := o.Scenario.(*placement.Scenario).Trace(42)
		Expect(err).NotTo(HaveOccurred())
		Expect(trace.Digest()).To(Equal("sha256:aae33ca90b24e3af55e201760e0e84a9fc8d08c58ee607c25ceb34b62e88509d"))
	})

	It("makes blind policies ask as often as capabilities are rare, whatever the number of choices", func() {
		for _, blind := range blindPolicies {
			attempts := meanOf(o, blind, "routing_attempts") / meanOf(o, blind, "tasks_total")
			Expect(attempts).To(BeNumerically("~", blindAttempts, 0.05), blind)
			Expect(o).To(simtest.HaveMean(blind, "capability_mismatch_rate_per_routing_attempt", BeNumerically("~", 1-1/blindAttempts, 0.01)))
		}
	})

	It("costs them a tick for each miss, and nothing else: at 3 % load more choices find no shorter queue", func() {
		for _, blind := range blindPolicies {
			later := meanOf(o, blind, "mean_response_ticks") - meanOf(o, knowing, "mean_response_ticks")
			Expect(later).To(BeNumerically("~", blindAttempts-1, 0.1), blind)
		}
	})

	It("is won by two choices with a directory, which come close to a scan of hundreds", func() {
		Expect(o).To(simtest.HaveWinners("mean_response_ticks", knowing))
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", knowing))
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("<", 1.15))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
		Expect(o).To(simtest.HaveMean(knowing, "mean_metadata_probes_per_routing_attempt", Equal(2.0)))
		Expect(o).To(simtest.HaveMean(placement.Oracle, "mean_metadata_probes_per_routing_attempt", BeNumerically(">", 400)))
	})

	It("shows the oracle, which has the best times, and crowns it nowhere", func() {
		Expect(toOracle(o, knowing, "mean_response_ticks")).To(BeNumerically(">", 1))
		for i := range o.Ranking.Rows {
			Expect(o).NotTo(simtest.Crown(o.Ranking.Rows[i].Metric.Name, placement.Oracle))
		}
	})

	It("is fairest with one choice, and least fair with the oracle: who prefers the idle prefers the first of them", func() {
		const fairness = "jain_worker_utilization_fairness"
		Expect(o).To(simtest.HaveWinners(fairness, "one-random"))
		Expect(o).To(simtest.HaveBeaten(fairness, "power-two", "power-three"))
		Expect(toOracle(o, knowing, fairness)).To(BeNumerically(">", 5))
	})
})
