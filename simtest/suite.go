package simtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/explain"
)

// RunSuite runs the specs of a package and writes the reports of its
// scenarios: the only function that a suite needs.
//
//	func TestScenarios(t *testing.T) { simtest.RunSuite(t, "scenarios") }
//
// The reports go to <out>/<name>.txt, which benchstat reads, and
// <out>/<name>.seeds.txt; see the -simtest.* flags for more. Some scenarios
// alone (-simtest.scenarios) go to <name>.<scenarios>.txt, and a suite of which
// only a part ran (filtered, focused, aborted, runs without a result) writes
// to <name>.partial.txt: neither replaces a full report.
func RunSuite(t *testing.T, name string, options ...Option) {
	t.Helper()
	for _, o := range options {
		o(suite)
	}
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
	if err := errors.Join(suite.checkSelection(declared), suite.checkGate(declared)); err != nil {
		t.Fatal(err)
	}
	if suite.update {
		ginkgo.ReportAfterSuite("rewrites the committed rankings", func(report ginkgo.Report) {
			changes, err := suite.updateRankings(report)
			if changes != "" {
				ginkgo.AddReportEntry("committed rankings", changes, ginkgo.ReportEntryVisibilityAlways)
			}
			if err != nil {
				ginkgo.Fail(err.Error())
			}
		})
	}
	ginkgo.ReportAfterSuite("writes the reports of the scenarios", func(ctx ginkgo.SpecContext, report ginkgo.Report) {
		if err := suite.writeReports(ctx, name, report); err != nil {
			ginkgo.Fail(err.Error())
		}
	})
	if suite.guide != "" {
		ginkgo.ReportAfterSuite("keeps the page of which algorithm when", func(report ginkgo.Report) {
			if err := suite.keepGuide(report); err != nil {
				ginkgo.Fail(err.Error())
			}
		})
	}
	if suite.annotations != "" {
		ginkgo.ReportAfterSuite("writes the failures as annotations", func(report ginkgo.Report) {
			if err := reports.WriteFile(inModule(suite.annotations), func(w io.Writer) error { return writeAnnotations(w, report) }); err != nil {
				ginkgo.Fail(err.Error())
			}
		})
	}
	ginkgo.RunSpecs(t, name)
}

// Option changes what RunSuite does.
type Option func(*settings)

// Guide has the suite keep the page "which algorithm when" in a file, relative
// to the package: a full run fails if the page is not what its rankings say,
// and -simtest.update rewrites it.
func Guide(file string) Option { return func(s *settings) { s.guide = file } }

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
func (s *settings) writeReports(ctx context.Context, name string, report ginkgo.Report) error {
	results, err := collect(report)
	if err != nil || len(results) == 0 {
		return err
	}
	for i, r := range results {
		marked := *r
		marked.Partial = slices.Concat(r.Partial, partial(report))
		results[i] = &marked
	}
	if n := len(s.scenarios); n > 3 { // a file's name has its limits
		name += fmt.Sprintf(".%s+%d_more", s.scenarios[0], n-1)
	} else if n > 0 {
		name += "." + strings.Join(s.scenarios, "+")
	}
	paths, err := reports.Write(results, reports.Files{Dir: inModule(s.out), Suite: name, JSON: inModule(s.json), Markdown: inModule(s.markdown)})
	if s.html != "" {
		pageErr := s.writeHTML(ctx, results)
		if pageErr == nil {
			paths = append(paths, inModule(s.html))
		}
		err = errors.Join(err, pageErr)
	}
	if len(paths) > 0 {
		var text strings.Builder
		if err := reports.WriteOverview(&text, results); err != nil {
			return err
		}
		ginkgo.AddReportEntry("the answers, and where they are written", text.String()+"\n"+strings.Join(paths, "\n"), ginkgo.ReportEntryVisibilityAlways)
	}
	return err
}

// writeHTML writes the page, for which a run of each contestant is made once
// more, to be seen over time.
func (s *settings) writeHTML(ctx context.Context, results []*reports.Result) error {
	details := map[string]reports.Detail{}
	for _, r := range results {
		name := r.Sweep.Scenario.Name
		i := slices.IndexFunc(declared, func(d declaration) bool { return d.name == name })
		scenario, err := declared[i].build()
		if err == nil {
			scenario, err = s.adjust(scenario)
		}
		if err != nil {
			return err
		}
		detail, err := reports.DetailOf(ctx, scenario, r)
		if err != nil {
			return err
		}
		if detail.Words, err = explain.World(scenario); err != nil {
			return err
		}
		details[name] = detail
	}
	return reports.WriteFile(inModule(s.html), func(w io.Writer) error {
		return reports.WriteHTML(w, results, reports.HTMLOptions{Details: details})
	})
}

// inModule returns a path with a relative one taken to be below the module's
// root: a test runs in the folder of its package, but whoever types the flag
// is mostly in the root. "" stays what it is.
func inModule(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(moduleRoot(), path)
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

// partial says why not every spec of the selected scenarios was run.
func partial(report ginkgo.Report) []string {
	c := report.SuiteConfig
	var why []string
	for _, filter := range []struct {
		on   bool
		what string
	}{
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
