package oracle_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// report collects what was expected and what was measured.
type report struct {
	sections []*section
	audited  atomic.Int64 // runs
}

type section struct {
	id, title string
	rows      [][]string
}

// group is a test that writes a section of the report.
type group struct {
	*testing.T
	*section
	audited *atomic.Int64
	number  int
}

func (r *report) begin(t *testing.T, number int, id, title string) *group {
	s := &section{id: id, title: title}
	r.sections = append(r.sections, s)
	return &group{t, s, &r.audited, number}
}

// seed returns the seed of a replication. Within a group, what is compared meets
// the same luck; the groups are independent of each other.
func (g *group) seed(replication int) uint64 { return uint64(10_000*g.number + replication) }

// noisy is the largest standard error, relative to theory, that can still tell
// anything.
const noisy = 1.0 / 16

// expect demands that a measurement agrees with theory.
func (g *group) expect(what string, theory float64, e estimate, tolerance float64) {
	g.Helper()
	quiet := e.err <= noisy*math.Abs(theory)
	ok := e.agrees(theory, tolerance) && quiet
	g.row(what, number(theory), number(e.mean), number(e.err), number(e.allowed(theory, tolerance)), verdict(ok, "agrees", "DISAGREES"))
	switch {
	case !quiet:
		g.Errorf("%s: measured %.6g ± %.2g: too noisy to say anything about %.6g", what, e.mean, e.err, theory)
	case !ok:
		g.Errorf("%s: measured %.6g ± %.2g, expected %.6g ± %.2g", what, e.mean, e.err, theory, e.allowed(theory, tolerance))
	}
}

// reject demands that the same check does not let pass a measurement of a
// system that is wrong on purpose.
func (g *group) reject(what string, theory float64, e estimate, tolerance float64) {
	g.Helper()
	ok := !e.agrees(theory, tolerance)
	g.row("wrong: "+what, number(theory), number(e.mean), number(e.err), number(e.allowed(theory, tolerance)), verdict(ok, "rejected", "NOT REJECTED"))
	if !ok {
		g.Errorf("%s passes: measured %.6g ± %.2g, expected %.6g ± %.2g", what, e.mean, e.err, theory, e.allowed(theory, tolerance))
	}
}

// holds demands something that is true or not, without a standard error.
func (g *group) holds(what, expected, measured string, ok bool) {
	g.Helper()
	g.row(what, expected, measured, "exact", "", verdict(ok, "holds", "DOES NOT HOLD"))
	if !ok {
		g.Errorf("%s: %s, expected %s", what, measured, expected)
	}
}

// notices demands that a check that holds for everything right finds fault with
// something that is wrong on purpose: fault is what it says.
func (g *group) notices(what string, fault error) {
	g.Helper()
	said := "nothing"
	if fault != nil {
		said = fault.Error()
	}
	g.row("wrong: "+what, "an error", said, "exact", "", verdict(fault != nil, "rejected", "NOT REJECTED"))
	if fault == nil {
		g.Errorf("%s passes", what)
	}
}

// tabulated demands that a formula of this package gives the value that is
// tabulated for it, to the digits of the table: so that theory is not misquoted.
func (g *group) tabulated(what string, formula, table, digits float64) {
	g.Helper()
	if math.Abs(formula-table) > 0.6*digits {
		g.Errorf("%s: the formula gives %v, the table says %v", what, formula, table)
	}
}

func (s *section) row(cells ...string) { s.rows = append(s.rows, cells) }

func verdict(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

// number has few enough digits to be the same on every machine.
func number(x float64) string { return fmt.Sprintf("%.5g", x) }

// table is the report as markdown, in columns for those who read it as it is.
func (r *report) table() string {
	var b strings.Builder
	mode := "ordinary"
	if *long {
		mode = "long"
	}
	fmt.Fprintf(&b, "# Oracles (%s mode)\n", mode)
	b.WriteString("\nA measurement agrees if it is within what is allowed: 3.5 standard errors, or the tolerance if that is more. \"wrong\" marks systems that are wrong on purpose and must be rejected.\n")
	for _, s := range r.sections {
		fmt.Fprintf(&b, "\n## %s. %s\n\n", s.id, s.title)
		writeTable(&b, append([][]string{{"quantity", "expected", "measured", "s.e.", "allowed", "verdict"}}, s.rows...))
	}
	b.WriteString("\n## Elsewhere\n\nO7 power of d choices, O8 stale loads, O9 balls into bins and O17 placement in ticks are held by `simtest/placement` (theory_test.go), O19 the verdict rule by `simtest/experiment` (equals_test.go).\n")
	return b.String()
}

// writeTable writes rows in columns; the first row is the heading.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(b, "| %-*s ", widths[i], cell)
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("|" + strings.Repeat("-", w+2))
			}
			b.WriteString("|\n")
		}
	}
}

func (r *report) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(r.table()), 0o644)
}
