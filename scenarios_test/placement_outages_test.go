package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/placement"
)

// 100 workers at load 0.75, of which 20 fail for six ticks: each at a time of
// its own, or all together.

var _ = simtest.Scenario("placement_independent_outages", catalog.Placement(placement.Independent()), func(o *simtest.Outcome) {
	It("finds another worker at once for nearly everybody who is thrown out, if it is known who is able", func() {
		Expect(o).To(simtest.HaveMean(knowing, "churn_requeues", BeNumerically(">", 20)))
		Expect(o).To(simtest.HaveMean(knowing, "max_pending_tasks", BeNumerically("<=", 2)))
		Expect(o).To(simtest.HaveWinners("max_pending_tasks", knowing))
	})

	It("loses no task, whoever chooses", func() {
		for _, c := range o.Result.Contestants {
			Expect(o).To(simtest.CompleteAtLeast(c, 1))
			Expect(o).To(simtest.HaveMean(c, "unrecovered_churn_events", BeZero()))
		}
	})

	It("hits long queues hardest: with one choice twice as many tasks are thrown out as of the oracle's workers", func() {
		Expect(o).To(simtest.HaveBeaten("churn_requeues", "power-two", "one-random"))
		Expect(toOracle(o, "one-random", "churn_requeues")).To(BeNumerically(">", 1.8))
	})
})

var _ = simtest.Scenario("placement_regional_outage", catalog.Placement(placement.Regional()), func(o *simtest.Outcome) {
	It("jumps: the same outages at one instant raise the backlog and the time to make good, but hardly a task's time", func(ctx SpecContext) {
		apart := inWorld(ctx, o, placement.Independent(), knowing)
		ratio := func(metric string) float64 { return meanOf(o, knowing, metric) / meanOf(apart, knowing, metric) }
		Expect(ratio("max_pending_tasks")).To(BeNumerically(">", 2))
		Expect(ratio("p95_churn_recovery_ticks")).To(BeNumerically("~", 1.12, 0.1))
		Expect(ratio("p95_response_ticks")).To(BeNumerically("~", 1.05, 0.05))
	})

	It("is made good whoever chooses: the rest can just carry the load meanwhile", func() {
		for _, c := range o.Result.Contestants {
			Expect(o).To(simtest.CompleteAtLeast(c, 1))
			Expect(o).To(simtest.HaveMean(c, "unrecovered_churn_events", BeZero()))
		}
		Expect(o).To(simtest.Crown("mean_churn_recovery_ticks", knowing))
	})

	It("leaves two of three tasks outside of the zone that they prefer: no policy looks at zones, the oracle neither", func() {
		for _, c := range o.Result.Contestants {
			Expect(o).To(simtest.HaveMean(c, "locality_mismatch_rate_per_successful_assignment", BeNumerically("~", 2.0/3, 0.03)))
		}
	})
})
