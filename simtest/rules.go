package simtest

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/fairness"
)

// rules declares the specs that every scenario gets: one for each fairness
// rule that its world lets itself be asked about.
func rules(o *Outcome) {
	s := o.Scenario
	if w, ok := s.(fairness.Roller); ok {
		It("rolls the same for every contestant", Label("rule:shared-draws"), func(ctx SpecContext) {
			Expect(fairness.SharedDraws(ctx, w, o.Result.Contestants, o.Result.Seeds[0])).To(Succeed())
		})
	}
	if w, ok := s.(fairness.Tracer); ok {
		It("gives every contestant the same trace", Label("rule:one-trace"), func(ctx SpecContext) {
			Expect(fairness.OneTrace(ctx, w, o.Result.Contestants, o.Result.Seeds[0])).To(Succeed())
		})
	}
	if w, ok := s.(fairness.Forecaster); ok {
		It("has weather that does not depend on traffic", Label("rule:weather"), func(ctx SpecContext) {
			Expect(fairness.Weather(ctx, w, o.Result.Seeds[0])).To(Succeed())
		})
	}
	if _, ok := s.(fairness.Handler); ok {
		It("lets no contestant reach the world", Label("rule:no-leak"), func(ctx SpecContext) {
			for _, c := range o.Result.Contestants {
				Expect(fairness.NoLeak(ctx, s, c, o.Result.Seeds[0])).To(Succeed())
			}
		})
	}
	if w, ok := s.(fairness.ClientRoller); ok {
		It("ties the client's randomness to the work, not to the worker", Label("rule:client-draws"), func(ctx SpecContext) {
			for _, c := range o.busy() {
				Expect(fairness.ClientDraws(ctx, w, c, o.Result.Seeds[0])).To(Succeed())
			}
		})
	}
	if slices.ContainsFunc(s.Metrics(), func(m experiment.Metric) bool { return m.Gated }) {
		It("crowns nobody for doing nothing", Label("rule:completion-gate"), func() {
			Expect(fairness.CompletionGate(o.Result, rank)).To(Succeed())
		})
	}
	It("is reproducible", Label("rule:reproducible"), func(ctx SpecContext) {
		for _, c := range o.Result.Contestants {
			Expect(fairness.Reproducible(ctx, s, c, o.Result.Seeds[0])).To(Succeed())
		}
	})
	It("gives back all that it took", Label("rule:nothing-held"), func(ctx SpecContext) {
		for _, c := range o.Result.Contestants {
			Expect(fairness.NothingHeld(ctx, s, c, o.Result.Seeds[0])).To(Succeed())
		}
	})
	if w, ok := s.(fairness.Accountant); ok {
		It("accounts for all work", Label("rule:work-adds-up"), func() {
			Expect(fairness.WorkAddsUp(w, o.Result)).To(Succeed())
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
