package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("retry_storm", catalog.RetryStorm, func(o *simtest.Outcome) {
	It("never recovers: little more is done than in the 20 seconds before the spike", func() {
		Expect(o).To(simtest.HaveMean("wait", "jobs_done", BeNumerically("<", 20*6+60)))
	})

	It("cannot be helped by a way to acquire: there is always a free place, and every one of them makes it worse", func() {
		for i := range o.Ranking.Rows {
			Expect(o).NotTo(simtest.Separate(o.Ranking.Rows[i].Metric.Name, "immediate", "wait", "backoff"))
		}
	})
})
