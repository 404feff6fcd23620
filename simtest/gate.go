package simtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// rankings is where a suite keeps its committed rankings: below the folder of
// its package, in which the test runs.
const rankings = "testdata/rankings"

func rankingFile(scenario string) string { return filepath.Join(rankings, scenario+".txt") }

// gate declares the spec that compares a scenario with its committed ranking.
func gate(o *Outcome) {
	ginkgo.It("keeps the ranking that is committed", ginkgo.Label("rule:gate"), func() {
		if suite.update {
			ginkgo.Skip("-simtest.update: what is committed is rewritten after the suite")
		}
		name := o.Result.Scenario.Name
		if flags := suite.deviations(); len(flags) > 0 {
			// An entry that is always visible makes Ginkgo show why.
			ginkgo.AddReportEntry("not compared with the committed ranking", ginkgo.ReportEntryVisibilityAlways)
			ginkgo.Skip(fmt.Sprintf("what is committed is the ranking of %s as it stands, and the flags ask for another one (%s)", name, strings.Join(flags, " ")))
		}
		level := suite.level(o.Result.Scenario)
		if level.Rows != nil && len(level.Rows) == 0 {
			ginkgo.Skip(fmt.Sprintf("%s has none of the rows of -%sgate=%s", name, prefix, suite.gate))
		}
		m := &rankingMatcher{file: rankingFile(name), level: level}
		gomega.Expect(o).To(m)
		if note := m.note(); note != "" {
			ginkgo.AddReportEntry("changed, but not the ranking", note, ginkgo.ReportEntryVisibilityAlways)
		}
	})
}

// level is what the gate insists on for a scenario: of a list of rows, those
// that it has.
func (s *settings) level(d experiment.Description) reports.Level {
	l, err := reports.ParseLevel(s.gate)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	if l.Rows != nil {
		l.Rows = slices.DeleteFunc(l.Rows, func(name string) bool { _, ok := d.Metric(name); return !ok })
	}
	return l
}

// checkGate returns an error if the gate is to look at a row that no scenario
// has.
func (s *settings) checkGate(scenarios []declaration) error {
	l, err := reports.ParseLevel(s.gate)
	if err != nil || l.Rows == nil {
		return err
	}
	var known []string
	for _, d := range scenarios {
		scenario, err := d.build()
		if err != nil {
			return nil // a spec of its own says so
		}
		for _, m := range scenario.Metrics() {
			if m.Directional() && !slices.Contains(known, m.Name) {
				known = append(known, m.Name)
			}
		}
	}
	for _, name := range l.Rows {
		if !slices.Contains(known, name) {
			return fmt.Errorf("simtest: flag -%sgate: %s: no scenario has a row of that name that can have a winner; there are %s",
				prefix, name, strings.Join(known, ", "))
		}
	}
	return nil
}

// updateRankings rewrites the committed rankings of the scenarios that ran,
// and says what changed. It refuses unless the whole suite ran, or whole
// scenarios of it, and everything passed.
func (s *settings) updateRankings(report ginkgo.Report) (changes string, err error) {
	results, err := collect(report)
	if err != nil {
		return "", err
	}
	if why := refusals(report, results); why != nil {
		return "", fmt.Errorf("-%supdate wrote nothing: %s\nA ranking is committed from a full run that passed. "+
			"Choose whole scenarios by -%sscenarios, not specs by Ginkgo's filters", prefix, strings.Join(why, "; "), prefix)
	}
	var lines []string
	var errs []error
	for _, r := range results {
		change, err := updateRanking(r)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lines = append(lines, change)
	}
	return strings.Join(append(lines, orphans()...), "\n"), errors.Join(errs...)
}

func updateRanking(r *reports.Result) (string, error) {
	b, err := reports.NewBaseline(r)
	if err != nil {
		return "", err
	}
	return b.Update(rankingFile(b.Scenario))
}

// refusals says why what ran must not be committed.
func refusals(report ginkgo.Report, results []*reports.Result) []string {
	why := partial(report)
	if n := report.SpecReports.CountWithState(types.SpecStateFailureStates); n > 0 {
		why = append(why, fmt.Sprintf("%d of the suite's nodes failed", n))
	}
	if len(results) == 0 {
		why = append(why, "no scenario was run")
	}
	for _, r := range results {
		for _, reason := range r.Partial {
			why = append(why, r.Sweep.Scenario.Name+": "+reason)
		}
	}
	return why
}

// orphans names committed rankings of which the suite has no scenario.
func orphans() []string {
	files, err := os.ReadDir(rankings)
	if err != nil {
		return nil
	}
	var lines []string
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".txt")
		if ok && !strings.HasPrefix(name, ".") && !slices.Contains(declaredNames(), name) {
			lines = append(lines, filepath.Join(rankings, f.Name())+": belongs to no scenario of this suite; delete it")
		}
	}
	return lines
}
