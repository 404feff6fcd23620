package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("thundering_herd", catalog.ThunderingHerd, func(o *simtest.Outcome) {
	It("is won by backoff alone: those who slept come back one by one", func() {
		Expect(o).To(simtest.HaveWinners("jobs_done", "backoff"))
		Expect(o).To(simtest.HaveWinners("goodput_rps", "backoff"))
	})

	It("makes a herd of those who wait: all places are taken at one instant, half of them are refused, and again", func() {
		Expect(o).To(simtest.HaveMean("wait", "refusal_rate", BeNumerically(">", 0.4)))
		Expect(o).To(simtest.HaveMean("backoff", "refusal_rate", BeNumerically("<", 0.3)))
	})

	It("has a price: some sleep long after there is room", func() {
		Expect(o).To(simtest.HaveMean("backoff", "acquire_wait_p99_ms", BeNumerically(">", 75_000)))
		Expect(o).To(simtest.HaveMean("wait", "acquire_wait_p99_ms", BeNumerically("<", 65_000)))
	})
})
