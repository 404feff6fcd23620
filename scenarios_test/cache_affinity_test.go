package scenarios_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
)

var _ = simtest.Scenario("cache_affinity", catalog.CacheAffinity, func(o *simtest.Outcome) {
	It("is won by sticky alone: three of four calls of an attempt find what the first has left", func() {
		for _, row := range []string{"successful_job_latency_p50_ms", "successful_job_latency_p95_ms", "successful_job_latency_p99_ms", "restricted_mean_completion_s"} {
			Expect(o).To(simtest.HaveWinners(row, "sticky"))
		}
	})

	It("leaves sticky last in utilization: a cache does the same work in less of it", func() {
		for _, other := range []string{"immediate", "wait", "backoff", "quota_aware"} {
			Expect(o).To(simtest.HaveBeaten("utilization", other, "sticky"))
		}
	})

	It("is worst for quota_aware: what the cache serves is cheap, so it goes where nothing is known", func() {
		for _, other := range []string{"immediate", "wait", "backoff", "sticky"} {
			Expect(o).To(simtest.HaveBeaten("successful_job_latency_p50_ms", other, "quota_aware"))
		}
	})
})
