package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

// Jobs that arrive: 6 a second but for 5 s, in which it is 60.
const inTheStorm, inTheSpike = 6 * (90 - 5), 5 * 60

var _ = simtest.Scenario("retry_storm_budget", catalog.RetryStormBudget, func(o *simtest.Outcome) {
	It("recovers: what is lost is the spike, and the time until the work of it is done", func() {
		Expect(o).To(simtest.HaveMean("wait", "jobs_done", BeNumerically(">", 0.75*inTheStorm)))
		Expect(o).To(simtest.HaveMean("wait", "jobs_failed", BeNumerically("<", inTheSpike+6*25)))
	})

	It("makes at most one retry for ten jobs, and ten more", func() {
		for _, r := range o.Result.Runs {
			retries := r.Values["attempt_inflation"] - 1
			Expect(retries).To(BeNumerically("<=", 0.1+10/(r.Values["jobs_done"]+r.Values["jobs_failed"])+1e-9))
		}
	})
})
