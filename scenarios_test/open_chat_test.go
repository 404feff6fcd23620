package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("open_chat", catalog.OpenChat, func(o *simtest.Outcome) {
	It("lets immediate take part: steady arrivals are turned away one time in twenty", func() {
		Expect(o).NotTo(simtest.Exclude("immediate"))
		Expect(o).To(simtest.HaveMean("immediate", "jobs_done", BeNumerically("~", 570, 10)))
	})

	It("is all the same to those who wait or sleep, up to the last percent", func() {
		Expect(o).NotTo(simtest.Separate("throughput_rps", "wait", "backoff"))
		Expect(o).To(simtest.HaveBeaten("acquire_wait_p99_ms", "wait", "backoff"))
	})
})
