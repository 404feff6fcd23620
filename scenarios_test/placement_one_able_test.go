package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/placement"
)

var _ = simtest.Scenario("placement_one_able", catalog.Placement(placement.OneAble()), func(o *simtest.Outcome) {
	It("turns the power of two choices around: whoever prefers the idle avoids the only worker that counts", func() {
		Expect(o).To(simtest.HaveBeaten("completion_rate", "one-random", "power-two"))
		Expect(o).To(simtest.HaveBeaten("completion_rate", "one-random", "power-three"))
		Expect(meanOf(o, "power-three", "completion_rate")).To(BeNumerically("<", meanOf(o, "power-two", "completion_rate")-0.1))
		Expect(o).To(simtest.Exclude("power-two", "power-three"))
	})

	It("never queues anybody behind the able worker by two choices: he is taken when he is idle, or not at all", func() {
		for _, c := range []string{"power-two", "power-three"} {
			Expect(o).To(simtest.HaveMean(c, "max_worker_queue_depth", Equal(1.0)))
		}
		Expect(o).To(simtest.HaveMean("one-random", "max_worker_queue_depth", BeNumerically(">", 10)))
	})

	It("is solved by a directory alone", func() {
		Expect(o).To(simtest.HaveWinners("completion_rate", knowing))
		Expect(o).To(simtest.CompleteAtLeast(knowing, 1))
	})

	It("leaves nothing to choose with a directory: it is the oracle, metric for metric", func() {
		for _, seed := range o.Result.Seeds {
			own, _ := o.Result.Run(knowing, seed)
			oracle, _ := o.Result.Run(placement.Oracle, seed)
			Expect(own.Values).To(Equal(oracle.Values), "seed %d", seed)
		}
	})
})
