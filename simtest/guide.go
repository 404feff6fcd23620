package simtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/ranktest/ranktest/reports"
)

// keepGuide compares the page "which algorithm when" with what the rankings
// say, or rewrites it. Only a full run of the scenarios as they stand has
// something to say about it.
func (s *settings) keepGuide(report ginkgo.Report) error {
	results, err := collect(report)
	if err != nil || !s.standard() || len(s.scenarios) > 0 || len(partial(report)) > 0 || len(results) != len(declared) {
		return err
	}
	for _, r := range results {
		if len(r.Partial) > 0 {
			return nil
		}
	}
	var page strings.Builder
	if err := reports.WriteGuide(&page, results); err != nil {
		return err
	}
	committed, err := os.ReadFile(s.guide)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("simtest: the page of which algorithm when: %w", err)
	}
	if string(committed) == page.String() {
		return nil
	}
	if !s.update {
		return fmt.Errorf("the page %s is not what the rankings say: %s\nIf the rankings are right, rewrite it with -%supdate", s.guide, firstChange(string(committed), page.String()), prefix)
	}
	if len(refusals(report, results)) > 0 {
		return nil // the update of the rankings has said why
	}
	if err := reports.WriteFile(s.guide, func(w io.Writer) error {
		_, err := io.WriteString(w, page.String())
		return err
	}); err != nil {
		return err
	}
	ginkgo.AddReportEntry("which algorithm when", "rewrote "+s.guide, ginkgo.ReportEntryVisibilityAlways)
	return nil
}

// firstChange shows the first line that differs between two texts.
func firstChange(before, now string) string {
	b, n := strings.Split(before, "\n"), strings.Split(now, "\n")
	for i := range n {
		if i >= len(b) || b[i] != n[i] {
			was := "nothing"
			if i < len(b) {
				was = fmt.Sprintf("%q", b[i])
			}
			return fmt.Sprintf("line %d is %s, and should be %q", i+1, was, n[i])
		}
	}
	return fmt.Sprintf("it has %d lines more", len(b)-len(n))
}
