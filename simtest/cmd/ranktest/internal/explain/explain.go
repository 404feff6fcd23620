// Package explain says in words and numbers what a scenario takes for granted,
// and what follows from it: who reads it should be able to guess which
// contestant will do badly, and why, before anything is run.
//
// Every scenario gets its mechanism, contestants, metrics and assumptions
// explained. Of the worlds that ship more is known: package provider's are
// explained endpoint by endpoint, package placement's by looking at the trace
// of the first seed. All numbers follow from the assumptions, none from a run.
package explain

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/placement"
	"github.com/ranktest/ranktest/simtest/provider"
)

// Write explains a scenario; meaning says what a contestant does, "" if that is
// not known.
func Write(w io.Writer, s experiment.Scenario, meaning func(contestant string) string) error {
	d, err := experiment.Describe(s)
	if err != nil {
		return err
	}
	p := newPage()
	p.text("%s: %s.", d.Name, d.Summary)
	if d.Mechanism != "" {
		p.line("")
		p.text("Why the ranking comes out as it does: %s", d.Mechanism)
	}
	switch s := s.(type) {
	case *provider.Scenario:
		explainProvider(p, s)
	case *placement.Scenario:
		if err := explainPlacement(p, s); err != nil {
			return err
		}
	}
	p.participants(d, meaning)
	p.metrics(d)
	p.assumptions(d)
	p.commands(s)
	_, err = io.WriteString(w, p.String())
	return err
}

// participants says who takes part, who does not, and why.
func (p *page) participants(d experiment.Description, meaning func(string) string) {
	p.heading("who takes part")
	for _, c := range d.Contestants {
		text := meaning(c)
		if why, ok := d.References[c]; ok {
			text += fmt.Sprintf(". It is shown, but never crowned: %s", why)
		}
		p.item(c, "%s", text)
	}
	if len(d.Unsuited) > 0 {
		p.text("Not suited to this world, so run only if asked for by name, and never compared:")
		for _, c := range slices.Sorted(maps.Keys(d.Unsuited)) {
			p.item(c, "%s", d.Unsuited[c])
		}
	}
}

// metrics says what is measured, and which rows can be won.
func (p *page) metrics(d experiment.Description) {
	p.heading("what is measured")
	completion := ""
	for _, m := range d.Metrics {
		if m.Completion {
			completion = m.Name
		}
	}
	p.text("Rows marked ↑ or ↓ can be won, by more or by less; the others are for the reader. " +
		"Whoever may claim a row is decided seed by seed, on paired differences.")
	if completion != "" {
		p.text("Rows marked | are gated: they compare only contestants whose mean of %s is at least 90 %% of the best one, since who does little work easily does it well.", completion)
	}
	p.labels = wide
	for _, m := range d.Metrics {
		arrow, gate := " ", " "
		switch {
		case m.Directional() && m.Better == experiment.Higher:
			arrow = "↑"
		case m.Directional():
			arrow = "↓"
		}
		if m.Gated {
			gate = "|"
		}
		p.item(arrow+gate+" "+m.Name, "%s [%s]", m.Meaning, m.Unit)
	}
}

// assumptions lists all of them: nothing that the words above leave out is
// hidden.
func (p *page) assumptions(d experiment.Description) {
	if d.Assumptions == nil {
		return
	}
	p.heading("all assumptions")
	p.text("Their fingerprint is %.16s...; a ranking is good for exactly these.", d.Fingerprint)
	for _, a := range d.Assumptions {
		p.line("  %s = %s", a.Key, a.Value)
	}
}

// commands says what to do next.
func (p *page) commands(s experiment.Scenario) {
	first := uint64(1)
	if own, ok := s.(experiment.Seeded); ok {
		first = own.FirstSeed()
	}
	p.heading("to see it run")
	p.line("  ranktest run %s", s.Name())
	p.line("  ranktest trace-run %s '%s' %d > run.json", s.Name(), s.Contestants()[0], first)
}
