package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("bursty_provider_fair", catalog.BurstyProviderFair, func(o *simtest.Outcome) {
	It("excludes the same two as the base world: the reasons are theirs, not the pool's", func() {
		Expect(o).To(simtest.Exclude("immediate", "quota_aware"))
	})

	It("is refused less when it sleeps than when it is called as soon as there is room", func() {
		Expect(o).To(simtest.HaveWinners("refusal_rate", "backoff"))
		Expect(o).To(simtest.HaveWinners("attempt_inflation", "backoff"))
	})

	It("lets sticky do most: a call that follows a success meets an endpoint that has just shown that it works", func() {
		Expect(o).To(simtest.HaveWinners("jobs_done", "sticky"))
	})

	It("never loses an endpoint for good: the dead are probed, so no run stalls", func() {
		for _, r := range o.Result.Runs {
			Expect(r.Stall).To(BeNil(), "%s, seed %d", r.Contestant, r.Seed)
		}
	})
})
