package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/placement"
)

// 100 workers at load 0.85 with 20 % churn, on the same traces throughout; only
// the age of one of the two views changes. lags are those of the study.
var lags = []int{0, 1, 2, 5, 10}

var _ = simtest.Scenario("placement_availability_lag_0", catalog.Placement(placement.AvailabilityLag(0)), func(o *simtest.Outcome) {
	It("costs two choices twice the oracle's time with everything seen as it is: choices are missing, not news", func() {
		Expect(toOracle(o, knowing, "p95_response_ticks")).To(BeNumerically("~", 2.05, 0.2))
		Expect(len(losesBadly(o, knowing))).To(BeNumerically(">=", 7))
	})

	It("pays for every further choice, even a blind one: a third one reaches the two that know", func() {
		Expect(o).To(simtest.HaveBeaten("p95_response_ticks", "power-two", "one-random"))
		Expect(o).To(simtest.HaveBeaten("p95_response_ticks", "power-three", "power-two"))
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", "power-three", knowing))
	})

	It("sends nobody to a worker that has gone", func() {
		for _, c := range o.Result.Contestants {
			Expect(o).To(simtest.HaveMean(c, "failed_unreachable", BeZero()))
		}
	})
})

var _ = simtest.Scenario("placement_availability_lag_10", catalog.Placement(placement.AvailabilityLag(10)), func(o *simtest.Outcome) {
	It("costs attempts, the more the older the view, and no time", func(ctx SpecContext) {
		before := -1.0
		fresh := meanOf(inWorld(ctx, o, placement.AvailabilityLag(0), knowing), knowing, "p95_response_ticks")
		for _, lag := range lags {
			late := inWorld(ctx, o, placement.AvailabilityLag(lag), knowing)
			unreachable := meanOf(late, knowing, "failed_unreachable")
			Expect(unreachable).To(BeNumerically(">", before), "lag %d", lag)
			Expect(meanOf(late, knowing, "p95_response_ticks")).To(BeNumerically("~", fresh, 0.1*fresh), "lag %d", lag)
			before = unreachable
		}
		Expect(before).To(Equal(meanOf(o, knowing, "failed_unreachable")))
	})

	It("misleads the more often the more workers are asked: tasks go to the idle, and whoever has gone looks idle", func() {
		const rate = "unreachable_rate_per_routing_attempt"
		Expect(o).To(simtest.HaveBeaten(rate, "one-random", "power-two"))
		Expect(o).To(simtest.HaveBeaten(rate, "power-two", "power-three"))
		Expect(o).To(simtest.HaveMean(placement.Oracle, rate, BeZero()))
	})

	It("changes no answer: knowing who is able is worth more than knowing who is there", func() {
		Expect(o).To(simtest.HaveWinners("mean_response_ticks", knowing))
		Expect(o).To(simtest.HaveWinners("failed_unreachable", knowing))
	})
})

var _ = simtest.Scenario("placement_load_lag_2", catalog.Placement(placement.LoadLag(2)), func(o *simtest.Outcome) {
	It("is where the third choice stops to pay: it agrees with too many others", func(ctx SpecContext) {
		fresh := inWorld(ctx, o, placement.LoadLag(0), "power-two", "power-three")
		gain := func(o *simtest.Outcome) float64 {
			return meanOf(o, "power-two", "p95_response_ticks") / meanOf(o, "power-three", "p95_response_ticks")
		}
		Expect(gain(fresh)).To(BeNumerically(">", 1.1))
		Expect(gain(o)).To(BeNumerically("<", 1.1))
		Expect(o).NotTo(simtest.Separate("p95_response_ticks", "power-two", "power-three"))
	})

	It("leaves the directory ahead: it has two choices, and misses nobody", func() {
		Expect(o).To(simtest.HaveWinners("p95_response_ticks", knowing))
		Expect(o).To(simtest.HaveWinners("mean_response_ticks", knowing))
	})
})

var _ = simtest.Scenario("placement_load_lag_10", catalog.Placement(placement.LoadLag(10)), func(o *simtest.Outcome) {
	It("is where more choices hurt: all send to those who were idle ten ticks ago", func() {
		Expect(o).To(simtest.HaveBeaten("p95_response_ticks", "power-two", "power-three"))
		Expect(o).To(simtest.HaveBeaten("mean_response_ticks", "power-two", "power-three"))
		Expect(o).To(simtest.HaveBeaten("max_worker_queue_depth", "power-two", "power-three"))
	})

	It("makes queues, the longer the older the view, and sends nobody to a worker that has gone", func(ctx SpecContext) {
		before := 0.0
		for _, lag := range lags {
			late := inWorld(ctx, o, placement.LoadLag(lag), knowing)
			p95 := meanOf(late, knowing, "p95_response_ticks")
			Expect(p95).To(BeNumerically(">", before), "lag %d", lag)
			Expect(late).To(simtest.HaveMean(knowing, "failed_unreachable", BeZero()))
			if lag == 0 {
				Expect(meanOf(o, knowing, "p95_response_ticks")).To(BeNumerically(">", 2*p95))
			}
			before = p95
		}
	})

	It("means nothing to those who look at no loads, or at live ones: their runs are the same, event for event", func(ctx SpecContext) {
		fresh := inWorld(ctx, o, placement.LoadLag(0), "one-random", "power-two", placement.Oracle)
		digest := func(o *simtest.Outcome, contestant string, seed uint64) string {
			r, ok := o.Result.Run(contestant, seed)
			Expect(ok).To(BeTrue())
			return r.Digest
		}
		for _, seed := range o.Result.Seeds {
			Expect(digest(o, "one-random", seed)).To(Equal(digest(fresh, "one-random", seed)))
			Expect(digest(o, placement.Oracle, seed)).To(Equal(digest(fresh, placement.Oracle, seed)))
			Expect(digest(o, "power-two", seed)).NotTo(Equal(digest(fresh, "power-two", seed)))
		}
	})
})
