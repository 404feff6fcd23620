package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("flash_crowd", catalog.FlashCrowd, func(o *simtest.Outcome) {
	const failover = "failover(pools=own|cloud)"

	It("is won by failover alone, which sheds the crowd to the cloud", func() {
		Expect(o).To(simtest.HaveWinners("jobs_done", failover))
		Expect(o).To(simtest.HaveMean(failover, "deadline_miss_rate", BeNumerically("<", 0.01)))
	})

	It("has a price: the cloud is five times as slow, so the 95th percentile is better where others are turned away", func() {
		Expect(o).To(simtest.HaveBeaten("successful_job_latency_p95_ms", "backoff", failover))
	})

	It("fills a fair queue with jobs that will be late until the operator adds an endpoint", func() {
		Expect(o).To(simtest.Exclude("wait", "sticky"))
		Expect(o).To(simtest.HaveBeaten("jobs_done", "backoff", "wait"))
	})
})
