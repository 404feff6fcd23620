package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("open_code", catalog.OpenCode, func(o *simtest.Outcome) {
	It("gives the tail to wait alone: in a burst, first come, first served is what keeps the last from starving", func() {
		for _, row := range []string{"successful_job_latency_p95_ms", "successful_job_latency_p99_ms", "acquire_wait_p99_ms"} {
			Expect(o).To(simtest.HaveWinners(row, "wait"))
		}
	})

	It("gives the median to backoff alone: who has just come has not learned to sleep long, and overtakes", func() {
		Expect(o).To(simtest.HaveWinners("successful_job_latency_p50_ms", "backoff"))
	})

	It("excludes immediate: at a burst of 63 a second most find nothing", func() {
		Expect(o).To(simtest.Exclude("immediate"))
	})
})
