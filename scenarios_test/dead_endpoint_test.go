package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("dead_endpoint", catalog.DeadEndpoint, func(o *simtest.Outcome) {
	It("costs little more than the probes, whoever asks: six minutes without a third of the endpoints are a few dozen errors", func() {
		for _, c := range []string{"wait", "backoff", "sticky", "quota_aware"} {
			Expect(o).To(simtest.HaveMean(c, "error_rate", BeNumerically("<", 0.01)))
		}
		Expect(o).NotTo(simtest.Separate("jobs_done", "wait", "sticky", "quota_aware"))
	})

	It("brings the endpoint back: it does its part of the last three minutes and the first", func() {
		for _, r := range o.Result.Runs {
			if r.Contestant == "immediate" {
				continue
			}
			share := float64(r.Counts["endpoint_admitted"]["west"]) / float64(r.Iterations)
			Expect(share).To(BeNumerically(">", 0.08), "%s, seed %d", r.Contestant, r.Seed)
			Expect(share).To(BeNumerically("<", 1.0/3), "%s, seed %d", r.Contestant, r.Seed)
		}
	})

	It("excludes immediate: while leases hang, its jobs find nothing and fail", func() {
		Expect(o).To(simtest.Exclude("immediate"))
	})
})
