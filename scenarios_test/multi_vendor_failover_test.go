package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("multi_vendor_failover", catalog.MultiVendorFailover, func(o *simtest.Outcome) {
	const failover = "failover(pools=primary|secondary)"

	It("is won by failover alone, and by so much that nobody is left to compare it with", func() {
		Expect(o).To(simtest.HaveWinners("jobs_done", failover))
		Expect(o).To(simtest.NotCompare("throughput_rps", failover))
		Expect(o).To(simtest.HaveMean(failover, "deadline_miss_rate", BeNumerically("<", 0.05)))
	})

	It("costs the others the outage: three minutes of ten, and more for what has piled up", func() {
		Expect(o).To(simtest.HaveMean("immediate", "deadline_miss_rate", BeNumerically("~", 0.33, 0.04)))
		Expect(o).To(simtest.HaveMean("wait", "deadline_miss_rate", BeNumerically(">", 0.35)))
	})

	It("goes over to the secondary and comes back: a third of the work is done there, not all that follows", func() {
		for _, r := range o.Result.Runs {
			if r.Contestant != failover {
				Expect(r.Counts["endpoint_admitted"]["secondary-a"]).To(BeZero(), "%s, seed %d", r.Contestant, r.Seed)
				continue
			}
			share := float64(r.Counts["endpoint_admitted"]["secondary-a"]) / float64(r.Iterations)
			Expect(share).To(BeNumerically("~", 0.3, 0.06), "seed %d", r.Seed)
		}
	})
})
