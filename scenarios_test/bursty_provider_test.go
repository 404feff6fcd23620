package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("bursty_provider", catalog.BurstyProvider, func(o *simtest.Outcome) {
	It("excludes immediate: with nothing to lease, one worker burns through all jobs at one instant", func() {
		Expect(o).To(simtest.Exclude("immediate"))
		Expect(o).To(simtest.HaveMean("immediate", "jobs_done", BeNumerically("<", 30)))
	})

	It("excludes quota_aware: it fills the endpoint with the largest quota, which is the slowest", func() {
		Expect(o).NotTo(simtest.Crown("jobs_done", "quota_aware"))
		Expect(o).To(simtest.Exclude("quota_aware"))
	})

	It("cannot separate those who wait by the work they do: all keep the same three endpoints full", func() {
		Expect(o).NotTo(simtest.Separate("throughput_rps", "wait", "backoff", "sticky"))
	})
})
