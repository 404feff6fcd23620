package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("acquire_deadlines", catalog.AcquireDeadlines, func(o *simtest.Outcome) {
	It("excludes wait: first come, first served serves those who are as good as late", func() {
		Expect(o).To(simtest.Exclude("wait"))
		Expect(o).To(simtest.HaveMean("wait", "deadline_miss_rate", BeNumerically(">", 0.4)))
	})

	It("is won by a wait with a limit: half a second keeps the places taken, and leaves time for the work", func() {
		Expect(o).To(simtest.HaveWinners("jobs_done", "wait(timeout=500ms)"))
		Expect(o).To(simtest.HaveWinners("deadline_miss_rate", "wait(timeout=500ms)"))
	})

	It("lets immediate lead in latency alone: what it takes it serves at once", func() {
		for _, row := range []string{"successful_job_latency_p50_ms", "successful_job_latency_p95_ms", "successful_job_latency_p99_ms", "acquire_wait_p99_ms"} {
			Expect(o).To(simtest.HaveWinners(row, "immediate"))
		}
	})

	It("turns away what Erlang's formula says", func() {
		// Offered: 25/s times the mean latency exp(0.3²/2) s = 26.15 to 20
		// places. Loss by Erlang B: 0.3046. A call that ends leaves its place to
		// the next, so the formula holds for any law of latency.
		Expect(o).To(simtest.HaveMean("immediate", "deadline_miss_rate", BeNumerically("~", 0.3046, 0.01)))
	})
})
