package reports

import (
	"fmt"
	"slices"
	"strings"
)

// maxEdits bounds the assumptions that an attribution spells out.
const maxEdits = 20

// Attribution says what the drift came from, a cause a line, the details of a
// cause indented below it; the last line says what did not change. It is nil
// if nothing differs.
func (d *Drift) Attribution() []string {
	if !d.Any() {
		return nil
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }

	for _, e := range d.Terms {
		add("the %s changed: %s -> %s", e.What, e.Before, e.Now)
	}
	d.scenarioCause(add)
	d.rowsCause(add)
	if d.Joined != nil {
		add("new contestants: %s", strings.Join(d.Joined, ", "))
	}
	if d.Left != nil {
		add("contestants that are gone: %s", strings.Join(d.Left, ", "))
	}
	if !sameNames(d.Before.References, d.Now.References) {
		add("never crowned, before: %s; now: %s", listNames(d.Before.References), listNames(d.Now.References))
	}
	d.runsCause(add)
	if d.Formulas != nil {
		add("metrics with other values in runs that are the same: %s: they are computed otherwise", strings.Join(d.Formulas, ", "))
	}
	if lines == nil && sameNames(d.Before.Contestants, d.Now.Contestants) && !slices.Equal(d.Before.Contestants, d.Now.Contestants) {
		add("the order of contestants changed: %s -> %s", strings.Join(d.Before.Contestants, ", "), strings.Join(d.Now.Contestants, ", "))
	}
	if lines == nil {
		add("how rows are ranked: every run and every number is the same")
	}
	if same := d.unchanged(); same != "" {
		add("unchanged: %s", same)
	}
	return lines
}

func (d *Drift) scenarioCause(add func(string, ...any)) {
	switch {
	case d.Unlisted && d.Now.Assumptions == nil:
		add("the scenario: its fingerprint changed; it lists no assumptions, so nothing says which (implement experiment.Assuming)")
	case d.Unlisted:
		add("the scenario: its fingerprint changed, though no assumption that it lists did")
	case d.Assumptions != nil:
		add("the scenario: %s changed", count(len(d.Assumptions), "assumption"))
		for i, e := range d.Assumptions {
			if i == maxEdits {
				add("  ... and %d more", len(d.Assumptions)-maxEdits)
				break
			}
			add("  %s: %s -> %s", e.What, e.Before, e.Now)
		}
	}
}

func (d *Drift) rowsCause(add func(string, ...any)) {
	var joined, left []string
	for _, e := range d.Declared {
		switch none {
		case e.Before:
			joined = append(joined, e.What)
		case e.Now:
			left = append(left, e.What)
		default:
			add("the row %s is declared otherwise: %s -> %s", e.What, e.Before, e.Now)
		}
	}
	if joined != nil {
		add("new rows: %s", strings.Join(joined, ", "))
	}
	if left != nil {
		add("rows that are gone: %s", strings.Join(left, ", "))
	}
}

// runsCause names the contestants whose runs changed. If all did, the cause is
// hardly any of them.
func (d *Drift) runsCause(add func(string, ...any)) {
	var parts []string
	for _, c := range d.Changed {
		parts = append(parts, fmt.Sprintf("%s on %d of %s", c.Contestant, len(c.Seeds), count(c.Common, "seed")))
	}
	together := len(d.Same) == 0 && len(d.Changed) > 1
	scenario := d.Unlisted || d.Assumptions != nil
	switch runs := strings.Join(parts, ", "); {
	case parts == nil:
	case together && scenario:
		add("  the runs of all contestants changed with it: %s", runs)
	case together:
		add("what all contestants share, the code of the world or its harness: the runs of every one changed: %s", runs)
	case len(parts) == 1:
		add("contestant %s: its runs changed, on %d of %s", d.Changed[0].Contestant, len(d.Changed[0].Seeds), count(d.Changed[0].Common, "seed"))
	default:
		add("contestants whose runs changed: %s", runs)
	}
}

// unchanged lists what cannot be the cause.
func (d *Drift) unchanged() string {
	var same []string
	if d.Same != nil {
		same = append(same, "the runs of "+strings.Join(d.Same, ", ")+" on every seed")
	}
	if d.Assumptions == nil && !d.Unlisted {
		same = append(same, "the assumptions")
	}
	for _, term := range []string{"rule", "draws", "seeds"} {
		if !slices.ContainsFunc(d.Terms, func(e Edit) bool { return e.What == term }) {
			same = append(same, "the "+term)
		}
	}
	return strings.Join(same, "; ")
}
