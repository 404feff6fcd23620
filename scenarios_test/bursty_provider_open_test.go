package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("bursty_provider_open", catalog.BurstyProviderOpen, func(o *simtest.Outcome) {
	It("forgives immediate: the next job comes at its own time, and not at the instant of a failure", func() {
		Expect(o).NotTo(simtest.Exclude("immediate"))
		Expect(o).To(simtest.Exclude()) // nobody at all
	})

	It("shows the line that a closed loop hides: who sleeps through free places has the longest", func() {
		Expect(o).To(simtest.Crown("successful_job_latency_p99_ms", "immediate", "wait", "sticky", "quota_aware"))
		Expect(o).NotTo(simtest.Crown("successful_job_latency_p99_ms", "backoff"))
		Expect(o).To(simtest.HaveMean("wait", "acquire_wait_p99_ms", BeNumerically("<", 1000)))
		Expect(o).To(simtest.HaveMean("backoff", "acquire_wait_p99_ms", BeNumerically(">", 3000)))
	})

	It("keeps quota_aware last: it fills the slowest endpoint", func() {
		for _, other := range []string{"wait", "backoff", "sticky"} {
			Expect(o).To(simtest.HaveBeaten("successful_job_latency_p50_ms", other, "quota_aware"))
			Expect(o).To(simtest.HaveBeaten("jobs_done", other, "quota_aware"))
		}
	})
})
