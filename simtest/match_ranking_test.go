package simtest_test

import (
	"path/filepath"
	"slices"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// reranked is an outcome after a change of its runs.
func reranked(t *testing.T, o *simtest.Outcome, change func(*experiment.Run)) *simtest.Outcome {
	t.Helper()
	for i := range o.Result.Runs {
		change(&o.Result.Runs[i])
	}
	ranking, err := experiment.Rank(o.Result, experiment.Calibrated)
	if err != nil {
		t.Fatal(err)
	}
	return &simtest.Outcome{Result: o.Result, Ranking: ranking}
}

func TestMatchRankingByLevel(t *testing.T) {
	g := NewWithT(t)
	file := commit(t, outcome(t))
	g.Expect(outcome(t)).To(simtest.MatchRanking(file))
	g.Expect(outcome(t)).To(simtest.MatchRankingExactly(file))
	g.Expect(outcome(t)).To(simtest.MatchRankingIn(file, "latency", "done"))

	slower := reranked(t, outcome(t), func(r *experiment.Run) {
		if r.Contestant == "a" && r.Seed > 2 {
			r.Values["latency"] += 0.01
			r.Digest = "other"
		}
	})
	g.Expect(slower).To(simtest.MatchRanking(file))
	g.Expect(slower).NotTo(simtest.MatchRankingExactly(file))

	lazy := reranked(t, outcome(t), func(r *experiment.Run) {
		if r.Contestant == "a" {
			r.Values["done"] = 98
			r.Digest = "other"
		}
	})
	g.Expect(lazy).To(simtest.MatchRanking(file), "b won alone, and does")
	busy := reranked(t, outcome(t), func(r *experiment.Run) {
		if r.Contestant == "a" {
			r.Values["done"] = 150
			r.Digest = "other"
		}
	})
	g.Expect(busy).NotTo(simtest.MatchRanking(file))
	g.Expect(busy).NotTo(simtest.MatchRankingIn(file, "done"))
}

func TestMatchRankingExplainsItself(t *testing.T) {
	g := NewWithT(t)
	o := outcome(t)
	file := commit(t, o)

	ok, err := simtest.MatchRanking(filepath.Join(t.TempDir(), "none.txt")).Match(o)
	g.Expect(ok).To(BeFalse())
	g.Expect(err).To(MatchError(And(ContainSubstring("no ranking of scenario made_up is committed: there is no file /"),
		ContainSubstring("    go tool ginkgo ./simtest -- -simtest.scenarios=made_up -simtest.update"))))

	_, err = simtest.MatchRankingIn(file, "don").Match(o)
	g.Expect(err).To(MatchError(ContainSubstring("it has done, latency, size")))
	_, err = simtest.MatchRankingIn(file, "size").Match(o)
	g.Expect(err).To(MatchError(ContainSubstring(`metric "size" crowns nobody`)))
	_, err = simtest.MatchRankingIn(file).Match(o)
	g.Expect(err).To(MatchError(ContainSubstring("name at least one")))
	_, err = simtest.MatchRanking(file).Match(o.Result)
	g.Expect(err).To(MatchError(ContainSubstring("expected a *simtest.Outcome")))

	few := outcome(t)
	few.Result.Runs = few.Result.Runs[:17]
	_, err = simtest.MatchRanking(file).Match(reranked(t, few, func(*experiment.Run) {}))
	g.Expect(err).To(MatchError(ContainSubstring("a partial result is no baseline: 1 of 18 runs have no result: c on 6")))

	m := simtest.MatchRanking(file)
	g.Expect(m.Match(o)).To(BeTrue())
	g.Expect(m.NegatedFailureMessage(o)).To(And(ContainSubstring("Expected the ranking not to be the committed one"), ContainSubstring("made_up: nothing changed")))
}

// A contestant may have a name that a shell would read as something else.
func TestMatchRankingQuotesForTheShell(t *testing.T) {
	g := NewWithT(t)
	named := func(name string) *simtest.Outcome {
		o := outcome(t)
		o.Result.Contestants = slices.Clone(o.Result.Contestants)
		o.Result.Contestants[0], o.Result.Scenario.Contestants = name, o.Result.Contestants
		return reranked(t, o, func(r *experiment.Run) {
			if r.Contestant == "a" {
				r.Contestant = name
			}
		})
	}
	for name, quoted := range map[string]string{
		"wait":                   "-simtest.algorithms=wait ",
		"backoff(cap=2s)":        "'-simtest.algorithms=backoff(cap=2s)' ",
		"don't":                  `'-simtest.algorithms=don'\''t' `,
		"failover(pools=a|b)":    "'-simtest.algorithms=failover(pools=a|b)' ",
		"$HOME":                  "'-simtest.algorithms=$HOME' ",
		"backoff:1.5,wait_2+x@y": "-simtest.algorithms=backoff:1.5,wait_2+x@y ",
	} {
		m := simtest.MatchRankingExactly(commit(t, named(name)))
		g.Expect(m.Match(reranked(t, named(name), func(r *experiment.Run) {
			if r.Contestant == name {
				r.Digest = "other"
			}
		}))).To(BeFalse())
		g.Expect(m.FailureMessage(nil)).To(ContainSubstring("go tool ginkgo ./simtest -- -simtest.scenarios=made_up " + quoted + "-simtest.first-seed=1 -simtest.seeds=1\n"))
	}
}
