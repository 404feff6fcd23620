package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/placement"
)

// The regimes change several things together: churn, the age of views, bursts.
// Their loads are light, below one per cent from 1,000 workers on: what they
// show there is the cost of routing, not of saturation.

var _ = simtest.Scenario("placement_fresh_10", catalog.Placement(placement.Fresh(10)), func(o *simtest.Outcome) {
	It("needs no scan: two of four or five able workers, as they are now, are hardly worse than the best of them", func() {
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("<", 1.2))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
		Expect(o).To(simtest.HaveMean(knowing, "failed_assignments", BeZero()))
	})

	It("is won by the directory; one random worker takes twice the oracle's time on some seeds", func() {
		Expect(o).To(simtest.HaveWinners("mean_response_ticks", knowing))
		Expect(o).To(simtest.HaveBeaten("p95_response_ticks", knowing, "one-random"))
		Expect(len(losesBadly(o, "one-random"))).To(BeNumerically(">=", 3))
	})

	It("gets less out of one choice than of two: ten workers are few enough for queues", func() {
		Expect(o).To(simtest.HaveBeaten("mean_response_ticks", "power-two", "one-random"))
		Expect(o).To(simtest.HaveBeaten("max_worker_queue_depth", "power-two", "one-random"))
	})
})

var _ = simtest.Scenario("placement_fresh_1000", catalog.Placement(placement.Fresh(1_000)), func(o *simtest.Outcome) {
	It("has every task served in the next tick by two probes as by hundreds", func() {
		for _, c := range []string{knowing, placement.Oracle} {
			Expect(o).To(simtest.HaveMean(c, "mean_wait_ticks", Equal(1.0)))
		}
		Expect(o).To(simtest.HaveMean(placement.Oracle, "mean_metadata_probes_per_routing_attempt", BeNumerically(">", 400)))
	})

	It("shows that the oracle is no lower bound: it takes the first idle worker, and a random one may be faster", func() {
		faster := func(own, oracle map[string]float64) bool {
			return own["mean_response_ticks"] < oracle["mean_response_ticks"]
		}
		Expect(len(seedsWhere(o, knowing, faster))).To(BeNumerically(">=", 3))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
	})

	It("costs the blind some ticks, which no number of choices saves: nearly everybody is idle", func() {
		for _, blind := range blindPolicies {
			Expect(o).To(simtest.HaveBeaten("mean_response_ticks", knowing, blind))
		}
		Expect(o).NotTo(simtest.Separate("mean_response_ticks", blindPolicies...))
		Expect(o).To(simtest.HaveMean("one-random", "capacity_utilization", BeNumerically("<", 0.01)))
	})
})

var _ = simtest.Scenario("placement_fresh_100000", catalog.Placement(placement.Fresh(100_000)), func(o *simtest.Outcome) {
	It("does with two probes what a scan does with tens of thousands", func() {
		Expect(o).To(simtest.HaveMean(placement.Oracle, "mean_metadata_probes_per_routing_attempt", BeNumerically(">", 40_000)))
		Expect(o).To(simtest.HaveMean(knowing, "failed_assignments", BeZero()))
		Expect(o).To(simtest.HaveMean(knowing, "mean_wait_ticks", BeNumerically("<", 1.001)))
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("<", 1.15))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
	})

	It("is won by the directory alone in every row of time", func() {
		for _, row := range []string{"mean_wait_ticks", "p95_wait_ticks", "mean_response_ticks", "p95_response_ticks"} {
			Expect(o).To(simtest.HaveWinners(row, knowing))
		}
	})

	It("lets the blind fail one and a half times per task, the same as in any population", func() {
		for _, blind := range blindPolicies {
			failed := meanOf(o, blind, "failed_assignments") / meanOf(o, blind, "tasks_total")
			Expect(failed).To(BeNumerically("~", 1.47, 0.03), blind) // see placement_documented
		}
	})
})

var _ = simtest.Scenario("placement_moderate_10", catalog.Placement(placement.Moderate(10)), func(o *simtest.Outcome) {
	It("puts whoever sees the present well ahead: bursts fill ten workers, and news of it is two ticks old", func() {
		Expect(toOracle(o, knowing, "mean_response_ticks")).To(BeNumerically(">", 1.15))
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically(">", 1.2))
	})

	It("loses badly with one random worker nearly always, with a directory hardly ever", func() {
		Expect(len(losesBadly(o, "one-random"))).To(BeNumerically(">=", 7))
		Expect(len(losesBadly(o, knowing))).To(BeNumerically("<=", 2))
		Expect(o).To(simtest.HaveBeaten("p95_response_ticks", knowing, "one-random"))
	})
})

var _ = simtest.Scenario("placement_moderate_1000", catalog.Placement(placement.Moderate(1_000)), func(o *simtest.Outcome) {
	It("forgives old views: where nearly everybody is idle, the one who was idle still is", func() {
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", knowing))
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("<", 1.15))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
	})

	It("lets a random able worker be faster than the oracle's first one on some seeds, even so", func() {
		faster := func(own, oracle map[string]float64) bool {
			return own["mean_response_ticks"] < oracle["mean_response_ticks"]
		}
		Expect(len(seedsWhere(o, knowing, faster))).To(BeNumerically(">=", 2))
	})
})

var _ = simtest.Scenario("placement_moderate_100000", catalog.Placement(placement.Moderate(100_000)), func(o *simtest.Outcome) {
	It("sends as many tasks to workers that have gone as fail within the two ticks until it is known", func() {
		// A tenth of the workers fail, each within one of 29 ticks. Tasks arrive in
		// 30 ticks, in the first of which nothing and in the second one tick is late.
		late := 0.10 / 29 * (0 + 1 + 28*2) / 30
		Expect(o).To(simtest.HaveMean(knowing, "unreachable_rate_per_routing_attempt", BeNumerically("~", late, 0.2*late)))
		Expect(o).To(simtest.HaveMean("one-random", "unreachable_rate_per_routing_attempt", BeNumerically("~", late, 0.2*late)))
		Expect(o).To(simtest.HaveMean(placement.Oracle, "failed_unreachable", BeZero()))
	})

	It("costs the directory no time that the oracle would have saved", func() {
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("<", 1.15))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", knowing))
	})
})

var _ = simtest.Scenario("placement_stale_10", catalog.Placement(placement.Stale(10)), func(o *simtest.Outcome) {
	It("is where two choices with a directory fail: on these seeds they lose badly", func() {
		Expect(losesBadly(o, knowing)).To(ContainElements(uint64(41), uint64(43), uint64(44))) // as published
		Expect(len(losesBadly(o, knowing))).To(BeNumerically("<=", 6))
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically(">", 1.6))
	})

	It("cannot tell them from one random worker at the 95th percentile: the best of what was five ticks ago is no choice", func() {
		Expect(o).NotTo(simtest.Separate("p95_response_ticks"))
	})

	It("is faster for who sees the present on every seed, whatever the others know", func() {
		for _, local := range append([]string{knowing}, blindPolicies...) {
			asFast := func(own, oracle map[string]float64) bool {
				return own["mean_response_ticks"] <= oracle["mean_response_ticks"]
			}
			Expect(seedsWhere(o, local, asFast)).To(BeEmpty(), local)
		}
	})
})

var _ = simtest.Scenario("placement_stale_1000", catalog.Placement(placement.Stale(1_000)), func(o *simtest.Outcome) {
	It("is the same regime with room: two choices with a directory are as good as the oracle again", func() {
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("<", 1.15))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
		Expect(o).To(simtest.HaveMean(knowing, "capacity_utilization", BeNumerically("<", 0.01)))
	})

	It("is won by them alone: the blind miss three times of five, in every regime", func() {
		Expect(o).To(simtest.HaveWinners("mean_response_ticks", knowing))
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", knowing))
		Expect(o).To(simtest.HaveMean("power-three", "capability_mismatch_rate_per_routing_attempt", BeNumerically("~", 0.58, 0.05)))
	})
})

var _ = simtest.Scenario("placement_stale_100000", catalog.Placement(placement.Stale(100_000)), func(o *simtest.Outcome) {
	It("sends one task in thirty to a worker that has gone, whoever chooses: a fifth fail, and for five ticks nobody knows", func() {
		// A fifth of the workers fail, each within one of 29 ticks. Tasks arrive in
		// 30 ticks, of which the first five are 0 to 4 ticks late.
		late := 0.20 / 29 * (0 + 1 + 2 + 3 + 4 + 25*5) / 30
		for _, local := range append([]string{knowing}, blindPolicies...) {
			Expect(o).To(simtest.HaveMean(local, "unreachable_rate_per_routing_attempt", BeNumerically("~", late, 0.1*late)))
		}
	})

	It("has two probes within a tick of the oracle's tens of thousands at the 95th percentile", func() {
		Expect(meanOf(o, knowing, "p95_response_ticks") - meanOf(o, placement.Oracle, "p95_response_ticks")).To(BeNumerically("<", 1))
		Expect(o).To(simtest.HaveMean(placement.Oracle, "mean_metadata_probes_per_routing_attempt", BeNumerically(">", 40_000)))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
	})

	It("makes good what an outage throws out sooner if it is known who is able", func() {
		for _, blind := range blindPolicies {
			Expect(o).To(simtest.HaveBeaten("mean_churn_recovery_ticks", knowing, blind))
		}
	})
})
