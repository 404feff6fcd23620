package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("black_hole", catalog.BlackHole, func(o *simtest.Outcome) {
	It("draws in more than its share of the traffic: a free place every 20 ms looks like the best one", func() {
		for _, r := range o.Result.Runs {
			share := float64(r.Counts["endpoint_admitted"]["hole"]) / float64(r.Iterations)
			Expect(share).To(BeNumerically(">", 0.45), "%s, seed %d", r.Contestant, r.Seed)
		}
	})

	It("is won by sticky alone: an attempt that had a success stays where it had it", func() {
		Expect(o).To(simtest.HaveWinners("jobs_done", "sticky"))
		Expect(o).To(simtest.Exclude("immediate", "wait", "backoff", "quota_aware"))
	})

	It("is worst for quota_aware: what fails uses nothing up, so the hole always has the most left", func() {
		for _, other := range []string{"immediate", "wait", "backoff", "sticky"} {
			Expect(o).To(simtest.HaveBeaten("jobs_done", other, "quota_aware"))
		}
	})
})
