package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/placement"
)

// 100 workers without churn and lag. The traces of a seed are parts of one
// another: a lower load is some of the tasks of a higher one.

var _ = simtest.Scenario("placement_offered_load_025", catalog.Placement(placement.OfferedLoad(0.25)), func(o *simtest.Outcome) {
	It("gives two choices with a directory the oracle's 95th percentile on every seed: one of two is idle", func() {
		same := func(own, oracle map[string]float64) bool {
			return own["p95_response_ticks"] == oracle["p95_response_ticks"]
		}
		Expect(seedsWhere(o, knowing, same)).To(Equal(o.Result.Seeds))
		Expect(meanOf(o, placement.Oracle, "metadata_probes")).To(BeNumerically(">", 20*meanOf(o, knowing, "metadata_probes")))
	})

	It("shows what the oracle pays with: it wears out the first workers, and two choices spread the work", func() {
		Expect(toOracle(o, knowing, "jain_worker_utilization_fairness")).To(BeNumerically(">", 1.5))
		Expect(toOracle(o, knowing, "workers_used_fraction")).To(BeNumerically(">", 1.2))
	})

	It("is badly lost by one random worker on every seed all the same: its misses have nothing to do with load", func() {
		Expect(losesBadly(o, "one-random")).To(Equal(o.Result.Seeds))
	})
})

var _ = simtest.Scenario("placement_offered_load_075", catalog.Placement(placement.OfferedLoad(0.75)), func(o *simtest.Outcome) {
	It("opens a gap: both of two are busy often enough, while the oracle still finds somebody idle", func() {
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("~", 1.5, 0.15))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
		Expect(meanOf(o, placement.Oracle, "mean_wait_ticks")).To(BeNumerically("<", 1.1))
		Expect(meanOf(o, knowing, "mean_wait_ticks")).To(BeNumerically(">", 1.5))
	})

	It("makes the second choice worth what it promises: three times less at the 95th percentile than with one", func() {
		Expect(meanOf(o, "one-random", "p95_response_ticks")).To(BeNumerically(">", 2.5*meanOf(o, "power-two", "p95_response_ticks")))
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", knowing))
	})
})

var _ = simtest.Scenario("placement_offered_load_100", catalog.Placement(placement.OfferedLoad(1)), func(o *simtest.Outcome) {
	It("is lost badly: two choices take twice the oracle's time and reach four fifths of its utilization", func() {
		Expect(len(losesBadly(o, knowing))).To(BeNumerically(">=", 5))
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("~", 2, 0.2))
		Expect(toOracle(o, knowing, "capacity_utilization")).To(BeNumerically("~", 0.8, 0.05))
	})

	It("is shared at the 95th percentile by three blind choices, at four times the probes", func() {
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", "power-three", knowing))
		Expect(meanOf(o, "power-three", "metadata_probes")).To(BeNumerically(">", 4*meanOf(o, knowing, "metadata_probes")))
	})
})

var _ = simtest.Scenario("placement_offered_load_125", catalog.Placement(placement.OfferedLoad(1.25)), func(o *simtest.Outcome) {
	It("has the oracle's lead grow up to capacity and shrink beyond: there is nobody idle left to be found", func(ctx SpecContext) {
		lead := 0.99
		for _, load := range []float64{0.25, 0.5, 0.75, 1} {
			grown := toOracle(inWorld(ctx, o, placement.OfferedLoad(load), knowing, placement.Oracle), knowing, "p95_response_ticks")
			Expect(grown).To(BeNumerically(">", lead), "load %v", load)
			lead = grown
		}
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("<", lead-0.3))
		Expect(losesBadly(o, knowing)).To(BeEmpty())
	})

	It("leaves a seventh of the capacity idle even under the oracle, since nothing that is queued can be moved, and twice that under two choices", func() {
		Expect(o).To(simtest.HaveMean(placement.Oracle, "capacity_utilization", BeNumerically("~", 0.85, 0.03)))
		Expect(o).To(simtest.HaveMean(knowing, "capacity_utilization", BeNumerically("~", 0.70, 0.03)))
	})

	It("makes the longest queues for one random worker, which fills the slow ones like the fast", func() {
		for _, other := range []string{"power-two", "power-three", knowing} {
			Expect(o).To(simtest.HaveBeaten("max_worker_queue_depth", other, "one-random"))
			Expect(o).To(simtest.HaveBeaten("capacity_utilization", other, "one-random"))
		}
	})
})
