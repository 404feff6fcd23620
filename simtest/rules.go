package simtest

import (
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/fairness"
)

// rules declares the specs that every scenario gets: one for each fairness
// rule that its world lets itself be asked about.
func rules(o *Outcome) {
	s := o.Scenario
	if w, ok := s.(fairness.Roller); ok {
		ginkgo.It("rolls the same for every contestant", ginkgo.Label("rule:shared-draws"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(fairness.SharedDraws(ctx, w, o.Result.Contestants, o.Result.Seeds[0])).To(gomega.Succeed())
		})
	}
	if w, ok := s.(fairness.Tracer); ok {
		ginkgo.It("gives every contestant the same trace", ginkgo.Label("rule:one-trace"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(fairness.OneTrace(ctx, w, o.Result.Contestants, o.Result.Seeds[0])).To(gomega.Succeed())
		})
	}
	if w, ok := s.(fairness.Forecaster); ok {
		ginkgo.It("has weather that does not depend on traffic", ginkgo.Label("rule:weather"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(fairness.Weather(ctx, w, o.Result.Seeds[0])).To(gomega.Succeed())
		})
	}
	if _, ok := s.(fairness.Handler); ok {
		ginkgo.It("lets no contestant reach the world", ginkgo.Label("rule:no-leak"), func(ctx ginkgo.SpecContext) {
			for _, c := range o.Result.Contestants {
				gomega.Expect(fairness.NoLeak(ctx, s, c, o.Result.Seeds[0])).To(gomega.Succeed())
			}
		})
	}
	if w, ok := s.(fairness.ClientRoller); ok {
		ginkgo.It("ties the client's randomness to the work, not to the worker", ginkgo.Label("rule:client-draws"), func(ctx ginkgo.SpecContext) {
			for _, c := range o.busy() {
				gomega.Expect(fairness.ClientDraws(ctx, w, c, o.Result.Seeds[0])).To(gomega.Succeed())
			}
		})
	}
	if slices.ContainsFunc(s.Metrics(), func(m experiment.Metric) bool { return m.Gated }) {
		ginkgo.It("crowns nobody for doing nothing", ginkgo.Label("rule:completion-gate"), func() {
			gomega.Expect(fairness.CompletionGate(o.Result, rank)).To(gomega.Succeed())
		})
	}
	ginkgo.It("is reproducible", ginkgo.Label("rule:reproducible"), func(ctx ginkgo.SpecContext) {
		for _, c := range o.Result.Contestants {
			gomega.Expect(fairness.Reproducible(ctx, s, c, o.Result.Seeds[0])).To(gomega.Succeed())
		}
	})
	ginkgo.It("gives back all that it took", ginkgo.Label("rule:nothing-held"), func(ctx ginkgo.SpecContext) {
		for _, c := range o.Result.Contestants {
			gomega.Expect(fairness.NothingHeld(ctx, s, c, o.Result.Seeds[0])).To(gomega.Succeed())
		}
	})
	if w, ok := s.(fairness.Accountant); ok {
		ginkgo.It("accounts for all work", ginkgo.Label("rule:work-adds-up"), func() {
			gomega.Expect(fairness.WorkAddsUp(w, o.Result)).To(gomega.Succeed())
		})
	}
}

// rank ranks by the suite's rule.
func rank(result *experiment.Result) (*experiment.Ranking, error) {
	return experiment.Rank(result, experiment.Rule(suite.rule))
}

// busy returns the contestants that the completion gate leaves in the
// comparison, at the first seed's size.
func (o *Outcome) busy() []string {
	var busy []string
	for _, c := range o.Result.Contestants {
		excluded := slices.ContainsFunc(o.Ranking.Rows, func(r experiment.Row) bool {
			_, out := r.ExcludedRatio(c)
			return out
		})
		if !excluded {
			busy = append(busy, c)
		}
	}
	return busy
}
