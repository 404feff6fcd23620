package provider

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
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
		e.validate(p, field)
	}
	p.check(w.Draws == DefaultDraws || w.Draws == PythonDraws, "Draws", string(w.Draws), `must be "" (the default) or "python"`)
	p.duration(w.Retry.Quantum, 0, "Retry.Quantum")
	p.check(w.Retry.MaxAttempts >= 1, "Retry.MaxAttempts", w.Retry.MaxAttempts, "must be at least 1: the first try counts")
	p.duration(w.Retry.Base, 0, "Retry.Base")
	p.duration(w.Retry.Cap, 0, "Retry.Cap")
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

func (l *Workload) validate(p *problems) {
	const most = 100_000_000
	for _, n := range []struct {
		value int
		field string
	}{
		{l.Jobs, "Workload.Jobs"}, {l.StepsPerJob, "Workload.StepsPerJob"},
		{l.CallsPerStep, "Workload.CallsPerStep"}, {l.Concurrency, "Workload.Concurrency"},
	} {
		p.check(n.value >= 1 && n.value <= most, n.field, n.value, fmt.Sprintf("must be from 1 to %d", most))
	}
	p.duration(l.Horizon, 1, "Workload.Horizon")
}

func (c *Cycle) validate(p *problems) {
	p.check(c.Period <= longest, "Cycle.Period", c.Period, fmt.Sprintf("must be at most %v; 0 means always at the peak", longest))
	p.duration(c.Phase, -longest, "Cycle.Phase")
	p.atLeast(c.Peak, 0, "Cycle.Peak")
	p.positive(c.Peak, "Cycle.Peak")
	p.check(c.Period <= 0 || (c.Trough >= 0 && c.Trough <= c.Peak), "Cycle.Trough", c.Trough, fmt.Sprintf("must be from 0 to the peak, %v", c.Peak))
}

func (e *Endpoint) validate(p *problems, field string) {
	const most = 1_000_000
	p.check(e.Capacity >= 1 && e.Capacity <= most, field+".Capacity", e.Capacity, fmt.Sprintf("must be from 1 to %d", most))
	p.positive(e.Weight, field+".Weight")
	p.duration(e.Median, 1, field+".Median")
	p.check(e.Sigma >= 0 && e.Sigma <= 10, field+".Sigma", e.Sigma, "must be from 0 to 10")
	p.probability(e.TailRate, field+".TailRate")
	p.check(e.TailFactor >= 0 && e.TailFactor <= 1e6, field+".TailFactor", e.TailFactor, "must be from 0 to 1e6")
	p.probability(e.ErrorRate, field+".ErrorRate")
	p.probability(e.Storm.Rate, field+".Storm.Rate")
	p.probability(e.Storm.ErrorRate, field+".Storm.ErrorRate")
	p.duration(e.Storm.Duration, 0, field+".Storm.Duration")
	for _, unit := range slices.Sorted(maps.Keys(e.Quota)) {
		p.atLeast(e.Quota[unit], 0, fmt.Sprintf("%s.Quota[%q]", field, unit))
	}
	if b := e.Bucket; b != nil {
		field += ".Bucket"
		p.positive(b.PerWindow, field+".PerWindow")
		p.duration(b.Window, 1, field+".Window")
		p.atLeast(b.Burst, 0, field+".Burst")
		p.duration(b.RetryAfter, 0, field+".RetryAfter")
		p.probability(b.Tightening, field+".Tightening")
		p.probability(b.Floor, field+".Floor")
		p.atLeast(b.Recovery, 0, field+".Recovery")
	}
}
