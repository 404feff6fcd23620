package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("same_instant", catalog.SameInstant, func(o *simtest.Outcome) {
	It("refuses least where least is sent: a batch that finds nothing and gives up causes no second wave", func() {
		Expect(o).To(simtest.HaveWinners("refusal_rate", "immediate"))
	})

	It("finishes most where the batch is spread out", func() {
		Expect(o).To(simtest.HaveWinners("jobs_done", "backoff"))
	})

	It("has equal instants in it, and still one order: runs of a seed are equal", func() {
		at := map[string]string{}
		for _, r := range o.Result.Runs {
			at[r.Digest] = r.Contestant
		}
		Expect(at).To(HaveLen(len(o.Result.Runs)), "every contestant and seed has a course of its own")
	})
})
