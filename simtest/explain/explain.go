// Package explain says in words and numbers what a scenario takes for granted,
// and what follows from it: who reads it should be able to guess which
// contestant will do badly, and why, before anything is run.
//
// [World] is about the world: package provider's is explained endpoint by
// endpoint, package placement's by looking at the trace of the first seed; of
// others nothing is known. [Write] adds what every scenario says of itself: its
// mechanism, contestants, metrics and assumptions. All numbers follow from the
// assumptions, none from a run.
package explain

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/placement"
	"github.com/ranktest/ranktest/simtest/provider"
)

// World explains the world of a scenario, nothing if it is of an unknown kind.
// The error is that of a trace which cannot be made.
func World(s experiment.Scenario) ([]reports.Passage, error) {
	p := &page{}
	switch s := s.(type) {
	case *provider.Scenario:
		explainProvider(p, s)
	case *placement.Scenario:
		if err := explainPlacement(p, s); err != nil {
			return nil, err
		}
	}
	return p.passages, nil
}

// Write writes a whole explanation of a scenario for a terminal.
func Write(w io.Writer, s experiment.Scenario) error {
	d, err := experiment.Describe(s)
	if err != nil {
		return err
	}
	world, err := World(s)
	if err != nil {
		return err
	}
	p := &page{}
	p.heading("")
	p.text("%s: %s.", d.Name, d.Summary)
	if d.Mechanism != "" {
		p.heading("")
		p.text("Why the ranking comes out as it does: %s", d.Mechanism)
	}
	p.passages = append(p.passages, world...)
	p.participants(d)
	p.metrics(d)
	p.assumptions(d)
	p.commands(s)
	return writeText(w, p.passages)
}

// Contestant says what a contestant does, "" if that is not known: the rule of
// an algorithm of package acquire, whatever its parameters, or the meaning of a
// placement policy.
func Contestant(name string) string {
	algorithm, _, _ := strings.Cut(name, "(")
	for _, d := range acquire.Definitions() {
		if d.Name == algorithm {
			return d.Rule
		}
	}
	return placement.PolicyMeaning(name)
}

// participants says who takes part, who does not, and why.
func (p *page) participants(d experiment.Description) {
	p.heading("Who takes part")
	for _, c := range d.Contestants {
		text := Contestant(c)
		if why, ok := d.References[c]; ok {
			text += fmt.Sprintf(". It is shown, but never crowned: %s", why)
		}
		p.item(c, "%s", text)
	}
	if len(d.Unsuited) > 0 {
		p.heading("Who is not suited")
		p.text("These run only if they are asked for by name, and are never compared.")
		for _, c := range slices.Sorted(maps.Keys(d.Unsuited)) {
			p.item(c, "%s", d.Unsuited[c])
		}
	}
}

// metrics says what is measured, and which rows can be won.
func (p *page) metrics(d experiment.Description) {
	p.heading("What is measured")
	p.text("Rows marked ↑ or ↓ can be won, by more or by less; the others are for the reader. " +
		"Whoever may claim a row is decided seed by seed, on paired differences.")
	for _, m := range d.Metrics {
		if m.Completion {
			p.text("Rows marked | are gated: they compare only contestants whose mean of %s is at least 90 %% of the best one, since who does little work easily does it well.", m.Name)
		}
	}
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

// assumptions lists all of them: nothing that the words leave out is hidden.
func (p *page) assumptions(d experiment.Description) {
	if d.Assumptions == nil {
		return
	}
	p.heading("All assumptions")
	p.text("Their fingerprint is %.16s...; a ranking is good for exactly these.", d.Fingerprint)
	for _, a := range d.Assumptions {
		p.item(a.Key, "%s", a.Value)
	}
}

// commands says what to do next.
func (p *page) commands(s experiment.Scenario) {
	p.heading("To see it run")
	p.item("ranktest run "+s.Name(), "")
	if _, ok := s.(experiment.Tracer); ok {
		first := uint64(1)
		if own, ok := s.(experiment.Seeded); ok {
			first = own.FirstSeed()
		}
		p.item(fmt.Sprintf("ranktest trace-run %s '%s' %d > run.json", s.Name(), s.Contestants()[0], first), "")
	}
}
