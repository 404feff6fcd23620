package reports_test

import (
	"io"
	"testing"

	"github.com/ranktest/ranktest/reports"
)

func TestGuide(t *testing.T) {
	sweep := pond(10, 0)
	sweep.Scenario.Mechanism = "whoever jumps farther is sooner across"
	all := []*reports.Result{result(t, sweep, reports.Provenance{})}
	golden(t, "pond.overview", format(t, func(w io.Writer) error { return reports.WriteOverview(w, all) }))
	golden(t, "pond.guide.md", format(t, func(w io.Writer) error { return reports.WriteGuide(w, all) }))
}
