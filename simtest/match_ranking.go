package simtest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/reports"
)

// MatchRanking succeeds if every row has the winners and exclusions of the
// ranking that is committed in a file, which -simtest.update writes. Numbers
// may differ.
//
//	Expect(outcome).To(MatchRanking("testdata/rankings/my_api.txt"))
//
// A scenario's own file is compared by a spec that every scenario gets; this
// is for other files, and for other levels. On a mismatch it says row by row
// who won before and now, by how much each contestant that moved did, what the
// change is attributed to, and how to reproduce and to accept it.
func MatchRanking(file string) types.GomegaMatcher {
	return &rankingMatcher{file: file}
}

// MatchRankingExactly succeeds if nothing at all differs from the committed
// ranking: no digest of a run, no number, no assumption. It is what a
// refactoring has to pass.
//
//	Expect(outcome).To(MatchRankingExactly("testdata/rankings/my_api.txt"))
func MatchRankingExactly(file string) types.GomegaMatcher {
	return &rankingMatcher{file: file, level: reports.Level{Exact: true}}
}

// MatchRankingIn succeeds if these rows have the winners and exclusions of the
// committed ranking, whatever the others have.
//
//	Expect(outcome).To(MatchRankingIn("testdata/rankings/my_api.txt", "jobs_done", "throughput_rps"))
func MatchRankingIn(file string, metrics ...string) types.GomegaMatcher {
	return &rankingMatcher{file: file, level: reports.Level{Rows: append([]string{}, metrics...)}}
}

type rankingMatcher struct {
	file  string
	level reports.Level
	drift *reports.Drift
}

// Match implements the matcher.
func (m *rankingMatcher) Match(actual any) (bool, error) {
	o, err := outcomeOf(actual)
	if err != nil {
		return false, err
	}
	if m.level.Rows != nil && len(m.level.Rows) == 0 {
		return false, errors.New("MatchRankingIn: no rows: name at least one, or use MatchRanking for all")
	}
	for _, metric := range m.level.Rows {
		row, err := o.row(metric)
		if err != nil {
			return false, err
		}
		if !row.Metric.Directional() {
			return false, fmt.Errorf("metric %q crowns nobody, so no ranking of it is committed", metric)
		}
	}
	now, err := o.baseline()
	if err != nil {
		return false, err
	}
	before, err := reports.LoadBaseline(m.file)
	if err != nil {
		return false, m.unusable(o, err)
	}
	if m.drift, err = reports.Gate(before, now); err != nil {
		return false, fmt.Errorf("%s: %w", m.file, err)
	}
	return !m.drift.Fails(m.level), nil
}

// unusable says what to do about a file that is missing or cannot be read.
func (m *rankingMatcher) unusable(o *Outcome, err error) error {
	file := m.file
	if whole, absErr := filepath.Abs(file); absErr == nil {
		file = whole
	}
	accept := "\n    " + acceptCommand(o.Result.Scenario.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no ranking of scenario %s is committed: there is no file %s\n"+
			"Look at the ranking of this run. If it is as it should be, write it down and commit the file:%s",
			o.Result.Scenario.Name, file, accept)
	}
	return fmt.Errorf("the committed ranking of scenario %s cannot be used: %w\nTo write it anew from this commit:%s",
		o.Result.Scenario.Name, err, accept)
}

// FailureMessage shows what changed, what it is attributed to, and what can be
// done.
func (m *rankingMatcher) FailureMessage(any) string {
	return fmt.Sprintf("Expected the ranking to be the committed one (%s, level %s)\n\n%s\n%s", m.file, m.level, m.drift, wayOut(m.drift))
}

// NegatedFailureMessage says that nothing changed that the level minds.
func (m *rankingMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected the ranking not to be the committed one (%s, level %s)\n\n%s", m.file, m.level, m.drift)
}

// note tells what changed without failing the matcher, "" if nothing did.
func (m *rankingMatcher) note() string {
	if m.drift == nil || !m.drift.Any() {
		return ""
	}
	return fmt.Sprintf("%s\n%s", m.drift, wayOut(m.drift))
}

// baseline is the outcome as it would be committed.
func (o *Outcome) baseline() (*reports.Baseline, error) {
	r, err := reports.New(o.Result, reports.Provenance{Rule: o.Ranking.Rule, Draws: suite.draws})
	if err != nil {
		return nil, err
	}
	return reports.NewBaseline(r)
}
