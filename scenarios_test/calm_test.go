package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("calm", catalog.Calm, func(o *simtest.Outcome) {
	It("separates nobody in any row", func() {
		for i := range o.Ranking.Rows {
			Expect(o).NotTo(simtest.Separate(o.Ranking.Rows[i].Metric.Name))
		}
	})

	It("completes every job that arrives, at the first request for a lease", func() {
		for _, c := range o.Result.Contestants {
			Expect(o).To(simtest.HaveMean(c, "jobs_failed", BeZero()))
			Expect(o).To(simtest.HaveMean(c, "acquire_wait_p99_ms", BeZero()))
		}
	})
})
