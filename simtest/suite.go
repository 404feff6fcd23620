package simtest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// RunSuite runs the specs of a package and writes the reports of its
// scenarios: the only function that a suite needs.
//
//	func TestScenarios(t *testing.T) { simtest.RunSuite(t, "scenarios") }
//
// The reports go to <out>/<name>.txt, which benchstat reads, and
// <out>/<name>.seeds.txt; see the -simtest.* flags for more. A suite of which
// only a part ran (filtered, focused, aborted, runs without a result) writes
// to <name>.partial.txt instead: it never replaces a full report.
func RunSuite(t *testing.T, name string) {
	t.Helper()
	gomega.RegisterFailHandler(ginkgo.Fail)
	if err := suite.validate(declaredNames()); err != nil {
		t.Fatal(err)
	}
	if suite.list {
		if err := suite.writeListing(os.Stdout); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := suite.checkSelection(declared); err != nil {
		t.Fatal(err)
	}
	ginkgo.ReportAfterSuite("writes the reports of the scenarios", func(report ginkgo.Report) {
		if err := suite.writeReports(name, report); err != nil {
			ginkgo.Fail(err.Error())
		}
	})
	ginkgo.RunSpecs(t, name)
}

func (s *settings) writeListing(w io.Writer) error {
	var scenarios []experiment.Scenario
	for _, d := range declared {
		if !s.selected(d.name) {
			continue
		}
		scenario, err := d.build()
		if err != nil {
			return err
		}
		scenarios = append(scenarios, scenario)
	}
	return reports.WriteListing(w, scenarios, acquire.Definitions())
}

// writeReports collects the results that specs have attached, on whichever
// process they ran, and writes every file that was asked for.
func (s *settings) writeReports(name string, report ginkgo.Report) error {
	results, err := collect(report)
	if err != nil || len(results) == 0 {
		return err
	}
	for _, r := range results {
		r.Partial = append(r.Partial, partial(report, s)...)
	}
	out := s.out
	if !filepath.IsAbs(out) {
		out = filepath.Join(moduleRoot(), out)
	}
	_, err = reports.Write(results, reports.Files{Dir: out, Suite: name, JSON: s.json, Markdown: s.markdown})
	return err
}

// moduleRoot returns the nearest folder with a go.mod, from the working folder
// upwards, or the working folder itself.
func moduleRoot() string {
	here, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return here
		}
	}
}

// partial says why not everything that the suite consists of was run.
func partial(report ginkgo.Report, s *settings) []string {
	c := report.SuiteConfig
	var why []string
	for _, filter := range []struct {
		on   bool
		what string
	}{
		{len(s.scenarios) > 0, "filtered by -simtest.scenarios"},
		{c.DryRun, "a dry run"},
		{c.LabelFilter != "", fmt.Sprintf("filtered by label: %s", c.LabelFilter)},
		{len(c.FocusStrings)+len(c.SkipStrings)+len(c.FocusFiles)+len(c.SkipFiles) > 0, "filtered by focus or skip"},
		{report.SuiteHasProgrammaticFocus, "a spec is focused in the source"},
		{len(report.SpecialSuiteFailureReasons) > 0, "the suite was stopped"},
	} {
		if filter.on {
			why = append(why, filter.what)
		}
	}
	return why
}
