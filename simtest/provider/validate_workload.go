package provider

import (
	"fmt"
	"math"
	"time"
)

func (l *Workload) validate(p *problems) {
	p.count(l.Jobs, 1, "Workload.Jobs")
	p.count(l.StepsPerJob, 1, "Workload.StepsPerJob")
	p.count(l.CallsPerStep, 1, "Workload.CallsPerStep")
	p.duration(l.Horizon, 1, "Workload.Horizon")
	p.duration(l.Think, 0, "Workload.Think")
	p.duration(l.Patience, 0, "Workload.Patience")
	p.duration(l.CallTimeout, 0, "Workload.CallTimeout")
	if l.Arrivals == nil {
		p.count(l.Concurrency, 1, "Workload.Concurrency")
	} else {
		p.count(l.Concurrency, 0, "Workload.Concurrency")
		p.check(l.Think == 0, "Workload.Think", l.Think, "must be 0 with Arrivals: jobs come by themselves")
		p.check(!l.Arrivals.Drop || l.Concurrency > 0, "Workload.Arrivals.Drop", true, "needs a bound to drop at: set Workload.Concurrency")
		l.Arrivals.validate(p, l)
	}
	if k := l.Keys; k != nil {
		const most = 10_000_000
		p.check(k.Number >= 1 && k.Number <= most, "Workload.Keys.Number", k.Number, fmt.Sprintf("must be from 1 to %d", most))
		p.check(k.Skew >= 0 && k.Skew <= 10, "Workload.Keys.Skew", k.Skew, "must be from 0 to 10")
	}
}

// fastest bounds every rate, in arrivals per second.
const fastest = 1e6

func (p *problems) rate(x float64, field string) {
	p.check(x >= 0 && x <= fastest, field, x, fmt.Sprintf("must be from 0 to %v arrivals per second", fastest))
}

func (a *Arrivals) validate(p *problems, l *Workload) {
	const field = "Workload.Arrivals"
	given := 0
	for _, set := range []bool{a.Every != 0, a.Rate != 0, a.Phases != nil, a.Profile != nil, a.Trace != nil} {
		if set {
			given++
		}
	}
	p.check(given == 1, field, fmt.Sprintf("%d processes", given), "must have exactly one of Every, Rate, Phases, Profile and Trace")
	p.duration(a.Every, 0, field+".Every")
	p.rate(a.Rate, field+".Rate")
	most := 0.0
	for i, phase := range a.Phases {
		field := fmt.Sprintf("%s.Phases[%d]", field, i)
		p.rate(phase.Rate, field+".Rate")
		// Otherwise the run would go through more phases than jobs.
		p.duration(phase.Mean, max(1, l.Horizon/10_000_000), field+".Mean")
		most = max(most, phase.Rate)
	}
	p.check(a.Phases == nil || most > 0, field+".Phases", fmt.Sprintf("%d phases", len(a.Phases)), "must have one with a rate above 0")
	for i, point := range a.Profile {
		field := fmt.Sprintf("%s.Profile[%d]", field, i)
		p.duration(point.At, 0, field+".At")
		p.check(i == 0 || point.At >= a.Profile[i-1].At, field+".At", point.At, "must not be before the point before it")
		p.rate(point.Rate, field+".Rate")
	}
	p.check(a.Profile == nil || len(a.Profile) > 0, field+".Profile", "0 points", "must have at least one point")
	if a.Trace != nil {
		a.Trace.validate(p, l.Jobs)
	}
}

func (t *Trace) validate(p *problems, jobs int) {
	const field = "Workload.Arrivals.Trace"
	p.check(t.Name != "", field+".Name", t.Name, "say where the trace is from")
	p.check(jobs <= len(t.Arrivals), "Workload.Jobs", jobs, fmt.Sprintf("must be at most %d, the length of the trace", len(t.Arrivals)))
	before := time.Duration(0)
	for i, a := range t.Arrivals {
		if a.At < before || a.At > longest || a.Size < 0 || a.Size > 1e6 || math.IsNaN(a.Size) {
			p.check(false, fmt.Sprintf("%s.Arrivals[%d]", field, i), a, fmt.Sprintf("must not be before %v, the arrival before it, and have a size from 0 to 1e6", before))
			return // the others are probably wrong in the same way
		}
		before = a.At
	}
}
