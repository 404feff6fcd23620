package provider

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"time"

	"github.com/ranktest/ranktest/acquire"
)

// problems collects what is wrong with a world: all of it, so that a user
// does not have to mend one thing per try.
type problems struct {
	world string
	errs  []error
}

func (p *problems) check(ok bool, field string, value any, want string) {
	if ok {
		return
	}
	if s, isText := value.(string); isText {
		value = fmt.Sprintf("%q", s)
	}
	p.errs = append(p.errs, fmt.Errorf("provider: world %q: %s: %v: %s", p.world, field, value, want))
}

func (p *problems) probability(x float64, field string) {
	p.check(x >= 0 && x <= 1, field, x, "must be a probability, from 0 to 1")
}

func (p *problems) atLeast(x, low float64, field string) {
	p.check(x >= low && !math.IsInf(x, 1), field, x, fmt.Sprintf("must be a finite number of at least %v", low))
}

func (p *problems) positive(x float64, field string) {
	p.check(x > 0 && !math.IsInf(x, 1), field, x, "must be a finite number above 0")
}

func (p *problems) duration(d, low time.Duration, field string) {
	p.check(d >= low && d <= longest, field, d, fmt.Sprintf("must be a duration from %v to %v", low, longest))
}

// most bounds every number of things.
const most = 100_000_000

func (p *problems) count(n, low int, field string) {
	p.check(n >= low && n <= most, field, n, fmt.Sprintf("must be from %d to %d", low, most))
}

// mostEnforced bounds what an endpoint takes at once. Where a cycle changes it,
// every change is worked out before a run, so the bound is lower.
const (
	mostEnforced = 1_000_000_000
	mostInCycle  = 200_000
)

// longest bounds every duration of a world: sums of a few of them still fit
// into 64 bits of nanoseconds.
const longest = 10 * 365 * 24 * time.Hour

var (
	worldName  = regexp.MustCompile(`^[a-z0-9_]+$`)
	endpointID = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
)

// validate says everything that makes the world impossible, or nil.
func (w *World) validate() error {
	p := &problems{world: w.Name}
	p.check(worldName.MatchString(w.Name), "Name", w.Name, "must be made of a-z, 0-9 and _")
	p.check(w.Summary != "", "Summary", w.Summary, "say in one line what the world is")
	w.Workload.validate(p)
	w.Cycle.validate(p)
	p.check(len(w.Endpoints) > 0, "Endpoints", len(w.Endpoints), "must be at least one: with none there is nothing to lease")
	seen := map[string]bool{}
	for i := range w.Endpoints {
		e := &w.Endpoints[i]
		field := fmt.Sprintf("Endpoints[%d]", i)
		p.check(endpointID.MatchString(e.ID), field+".ID", e.ID, "must be made of letters, digits, '.', '_' and '-'")
		p.check(!seen[e.ID], field+".ID", e.ID, "is used twice; an id names one endpoint")
		seen[e.ID] = true
		e.validate(p, field, w.Workload.Keys != nil)
		most := mostEnforced
		if w.Cycle.Period > 0 && !e.Pinned {
			most = mostInCycle
		}
		takes := float64(e.nominal() * max(w.Cycle.Peak, 1))
		p.check(!(takes > float64(most)), field+".Weight", e.Weight,
			fmt.Sprintf("times the capacity and the cycle's peak is %g: must be at most %d requests at once", takes, most))
	}
	w.validateVendors(p)
	w.validateChanges(p)
	p.check(w.Draws == DefaultDraws || w.Draws == PythonDraws, "Draws", string(w.Draws), `must be "" (the default) or "python"`)
	p.duration(w.Retry.Quantum, 0, "Retry.Quantum")
	p.check(w.Retry.MaxAttempts >= 1, "Retry.MaxAttempts", w.Retry.MaxAttempts, "must be at least 1: the first try counts")
	p.duration(w.Retry.Base, 0, "Retry.Base")
	p.duration(w.Retry.Cap, 0, "Retry.Cap")
	if b := w.RetryBudget; b != nil {
		p.check(b.Ratio >= 0 && b.Ratio <= 1, "RetryBudget.Ratio", b.Ratio, "must be from 0 to 1 retries per step")
		p.count(b.Burst, 1, "RetryBudget.Burst")
	}
	p.check(len(w.Contestants) > 0, "Contestants", len(w.Contestants), "name at least one algorithm")
	taken := map[string]bool{}
	for i, spec := range w.Contestants {
		field := fmt.Sprintf("Contestants[%d]", i)
		p.check(!taken[spec], field, spec, "is listed twice")
		taken[spec] = true
		if _, err := acquire.Parse(spec); err != nil {
			p.errs = append(p.errs, fmt.Errorf("provider: world %q: %s: %w", w.Name, field, err))
		}
		p.check(w.Unsuited[spec] == "", field, spec, "is declared unsuited too; decide for one")
	}
	return errors.Join(p.errs...)
}

func (c *Cycle) validate(p *problems) {
	p.check(c.Period <= longest, "Cycle.Period", c.Period, fmt.Sprintf("must be at most %v; 0 means always at the peak", longest))
	p.duration(c.Phase, -longest, "Cycle.Phase")
	p.atLeast(c.Peak, 0, "Cycle.Peak")
	p.positive(c.Peak, "Cycle.Peak")
	p.check(c.Period <= 0 || (c.Trough >= 0 && c.Trough <= c.Peak), "Cycle.Trough", c.Trough, fmt.Sprintf("must be from 0 to the peak, %v", c.Peak))
}
