package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("quota_plan", catalog.QuotaPlan, func(o *simtest.Outcome) {
	It("is won by quota_aware alone: it uses the plans in proportion and has all of them to the end", func() {
		for _, row := range []string{"throughput_rps", "successful_job_latency_p50_ms", "successful_job_latency_p95_ms", "acquire_wait_p99_ms", "restricted_mean_completion_s"} {
			Expect(o).To(simtest.HaveWinners(row, "quota_aware"))
		}
		Expect(o).To(simtest.HaveMean("quota_aware", "refusal_rate", BeZero()))
	})

	It("leaves the others with one plan: the small ones are used up as fast as the large one", func() {
		for _, c := range []string{"wait", "backoff", "sticky"} {
			Expect(o).To(simtest.HaveMean(c, "refusal_rate", BeNumerically(">", 0)))
			Expect(o).To(simtest.HaveMean(c, "successful_job_latency_p95_ms", BeNumerically(">", 10_000)))
		}
	})

	It("admits no request beyond a quota", func() {
		for _, r := range o.Result.Runs {
			for plan, quota := range map[string]int64{"free": 500, "small": 1500, "large": 4000} {
				Expect(r.Counts["endpoint_admitted"][plan]).To(BeNumerically("<=", quota), "%s, seed %d: %s", r.Contestant, r.Seed, plan)
			}
		}
	})
})
