package simtest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/ranktest/ranktest/reports"
)

// entryName marks the report entries that carry a scenario's result. Entries
// are found by it, wherever they are attached and whatever a spec is called.
const entryName = "ranktest result"

// attach adds the result to the report of the current spec, which carries it
// to the process that writes the suite's reports, and prints its table.
func (o *Outcome) attach(sweepErr error) {
	ginkgo.GinkgoHelper()
	p := reports.Provenance{Rule: o.Ranking.Rule, Draws: suite.draws}
	if sweepErr != nil {
		p.Partial = append(p.Partial, "runs of the sweep failed")
	}
	r, err := reports.New(o.Result, p)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	ginkgo.AddReportEntry(entryName, r, ginkgo.ReportEntryVisibilityAlways)
}

// collect takes the results out of a report, in the order in which the
// scenarios were declared.
func collect(report ginkgo.Report) ([]*reports.Result, error) {
	var results []*reports.Result
	for _, spec := range report.SpecReports {
		for _, entry := range spec.ReportEntries {
			if entry.Name != entryName {
				continue
			}
			// In the process that made it the value is what it was; from
			// another one it came as JSON.
			r, ok := entry.GetRawValue().(*reports.Result)
			if !ok {
				r = &reports.Result{}
				if err := json.Unmarshal([]byte(entry.Value.AsJSON), r); err != nil {
					return nil, fmt.Errorf("simtest: the result that the spec %q has attached: %w", spec.FullText(), err)
				}
			}
			results = append(results, r)
		}
	}
	order := declaredNames()
	slices.SortStableFunc(results, func(a, b *reports.Result) int {
		return slices.Index(order, a.Sweep.Scenario.Name) - slices.Index(order, b.Sweep.Scenario.Name)
	})
	return results, nil
}
