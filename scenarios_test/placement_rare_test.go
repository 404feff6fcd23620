package scenarios_test

import (
	"fmt"
	"math"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/placement"
)

// knowsTheWay is true at any rarity: the directory is perfect and current, and
// at one unit task per tick whoever is able is idle.
func knowsTheWay(o *simtest.Outcome) {
	It("is solved by a directory: two probes at most, no miss, and the oracle's times on every seed", func() {
		same := func(own, oracle map[string]float64) bool {
			return own["completion_rate"] == 1 && own["mean_response_ticks"] == oracle["mean_response_ticks"] &&
				own["p95_response_ticks"] == oracle["p95_response_ticks"] && own["failed_assignments"] == 0
		}
		Expect(seedsWhere(o, knowing, same)).To(Equal(o.Result.Seeds))
		Expect(o).To(simtest.HaveMean(knowing, "mean_metadata_probes_per_routing_attempt", BeNumerically("<=", 2)))
	})

	It("is lost badly without one, on every seed and with any number of choices", func() {
		for _, blind := range blindPolicies {
			Expect(losesBadly(o, blind)).To(Equal(o.Result.Seeds), blind)
		}
	})
}

// hits is the share of attempts that found an able worker.
func hits(o *simtest.Outcome, contestant string) float64 {
	GinkgoHelper()
	return meanOf(o, contestant, "successful_assignments") / meanOf(o, contestant, "routing_attempts")
}

var _ = simtest.Scenario("placement_rare_500", catalog.Placement(placement.RareCapability(500)), func(o *simtest.Outcome) {
	knowsTheWay(o)

	It("has every second attempt miss, with one choice, two or three: loads say nothing about ability", func() {
		for _, blind := range blindPolicies {
			Expect(hits(o, blind)).To(BeNumerically("~", 0.5, 0.04), blind)
			Expect(o).To(simtest.CompleteAtLeast(blind, 1))
		}
	})
})

var _ = simtest.Scenario("placement_rare_100", catalog.Placement(placement.RareCapability(100)), func(o *simtest.Outcome) {
	knowsTheWay(o)

	It("takes the blind ten attempts, a tick each; the 95th percentile of that is 28", func() {
		for _, blind := range blindPolicies {
			Expect(hits(o, blind)).To(BeNumerically("~", 0.1, 0.01), blind)
			// 0.9^n = 0.05 for n = 28.4 attempts, and one tick more for the work.
			Expect(o).To(simtest.HaveMean(blind, "p95_response_ticks", BeNumerically("~", 29.4, 3)))
			Expect(o).To(simtest.CompleteAtLeast(blind, 1))
		}
	})
})

var _ = simtest.Scenario("placement_rare_10", catalog.Placement(placement.RareCapability(10)), func(o *simtest.Outcome) {
	knowsTheWay(o)

	It("leaves the blind some tasks that never meet an able worker: 0.99 to the power of their attempts", func() {
		// A task of tick t is asked for up to tick 348, to be served in 349.
		missed := 0.0
		for t := range 100 {
			missed += math.Pow(0.99, float64(349-t)) / 100
		}
		Expect(o).To(simtest.HaveMean("one-random", "completion_rate", BeNumerically("~", 1-missed, 0.02)))
	})

	It("gets worse with more choices: of the idle they take the first in order, and an able worker further back is passed over", func() {
		Expect(hits(o, "one-random")).To(BeNumerically("~", 0.01, 0.001))
		for choices, blind := range blindPolicies {
			Expect(hits(o, blind)).To(BeNumerically("~", firstOfTheIdle(o, choices+1), 0.001), blind)
		}
		Expect(firstOfTheIdle(o, 3)).To(BeNumerically("<", 0.009))
		Expect(meanOf(o, "power-three", "completion_rate")).To(BeNumerically("<", meanOf(o, "power-two", "completion_rate")))
		Expect(meanOf(o, "power-two", "completion_rate")).To(BeNumerically("<", meanOf(o, "one-random", "completion_rate")))
	})
})

var _ = simtest.Scenario("placement_rare_1", catalog.Placement(placement.RareCapability(1)), func(o *simtest.Outcome) {
	knowsTheWay(o)

	It("is the end of blind choice: three tasks of four are never done, so that nobody is left to compare with", func() {
		for _, blind := range blindPolicies {
			Expect(o).To(simtest.HaveMean(blind, "completion_rate", BeNumerically("<", 0.3)))
		}
		Expect(o).To(simtest.Exclude(blindPolicies...))
		Expect(o).To(simtest.HaveWinners("completion_rate", knowing))
		Expect(o).To(simtest.NotCompare("p95_response_ticks", knowing))
	})

	It("asks 26,000 times in vain, where a look into the directory is one probe per task", func() {
		for _, blind := range blindPolicies {
			Expect(o).To(simtest.HaveMean(blind, "failed_capability_mismatch", BeNumerically(">", 25_000)))
		}
		Expect(o).To(simtest.HaveMean(knowing, "metadata_probes", Equal(100.0)))
	})
})

// firstOfTheIdle is the probability that the first of a random sample is able:
// where everybody is idle, the tie goes to the lowest index. It is the mean
// over the seeds, each with the weight of its attempts.
func firstOfTheIdle(o *simtest.Outcome, choices int) float64 {
	GinkgoHelper()
	hits, attempts := 0.0, 0.0
	for _, seed := range o.Result.Seeds {
		trace, err := o.Scenario.(*placement.Scenario).Trace(seed)
		Expect(err).NotTo(HaveOccurred())
		rate, n := 0.0, len(trace.Workers)
		for i, w := range trace.Workers {
			if !slices.Contains(w.Capabilities, "rare-capability") {
				continue
			}
			// The worker is drawn, and all the others are from behind it.
			p := float64(choices) / float64(n)
			for k := 1; k < choices; k++ {
				p *= float64(n-i-k) / float64(n-k)
			}
			rate += p
		}
		run, ok := o.Result.Run(blindPolicies[choices-1], seed)
		Expect(ok).To(BeTrue(), fmt.Sprint(seed))
		hits += rate * run.Values["routing_attempts"]
		attempts += run.Values["routing_attempts"]
	}
	return hits / attempts
}
