package provider

import (
	"fmt"
	"maps"
	"slices"
)

func (e *Endpoint) validate(p *problems, field string, keys bool) {
	const most = 1_000_000
	p.check(e.Capacity >= 1 && e.Capacity <= most, field+".Capacity", e.Capacity, fmt.Sprintf("must be from 1 to %d", most))
	p.positive(e.Weight, field+".Weight")
	e.validateLatency(p, field)
	p.probability(e.ErrorRate, field+".ErrorRate")
	p.probability(e.Storm.Rate, field+".Storm.Rate")
	p.probability(e.Storm.ErrorRate, field+".Storm.ErrorRate")
	p.duration(e.Storm.Duration, 0, field+".Storm.Duration")
	for i := range e.Outages {
		o := &e.Outages[i]
		field := fmt.Sprintf("%s.Outages[%d]", field, i)
		p.duration(o.From, 0, field+".From")
		p.duration(o.Until, o.From+1, field+".Until")
		p.check(i == 0 || o.From >= e.Outages[i-1].Until, field+".From", o.From, "must not be before the end of the outage before it")
		p.check(o.ErrorRate > 0 && o.ErrorRate <= 1, field+".ErrorRate", o.ErrorRate, "must be above 0, and at most 1, which makes every request fail")
		p.duration(o.After, 0, field+".After")
	}
	for _, unit := range slices.Sorted(maps.Keys(e.Quota)) {
		p.atLeast(e.Quota[unit], 0, fmt.Sprintf("%s.Quota[%q]", field, unit))
	}
	if b := e.Bucket; b != nil {
		field := field + ".Bucket"
		p.positive(b.PerWindow, field+".PerWindow")
		p.duration(b.Window, 1, field+".Window")
		p.atLeast(b.Burst, 0, field+".Burst")
		p.duration(b.RetryAfter, 0, field+".RetryAfter")
		p.probability(b.Tightening, field+".Tightening")
		p.probability(b.Floor, field+".Floor")
		p.atLeast(b.Recovery, 0, field+".Recovery")
	}
	for i := range e.Limits {
		e.Limits[i].validate(p, fmt.Sprintf("%s.Limits[%d]", field, i))
	}
	if c := e.Cache; c != nil {
		p.count(c.Entries, 1, field+".Cache.Entries")
		p.probability(c.Factor, field+".Cache.Factor")
		p.probability(c.Cost, field+".Cache.Cost")
		p.check(keys, field+".Cache", "set", "needs Workload.Keys: without keys nothing is ever found in it")
	}
}

func (e *Endpoint) validateLatency(p *problems, field string) {
	switch e.Law {
	case LogNormal:
		p.check(e.Sigma >= 0 && e.Sigma <= 10, field+".Sigma", e.Sigma, "must be from 0 to 10")
	case Exponential, Deterministic:
		p.check(e.Sigma == 0, field+".Sigma", e.Sigma, fmt.Sprintf("must be 0: the law is %s, and only a log-normal one has a sigma", e.Law))
	default:
		p.check(false, field+".Law", string(e.Law), fmt.Sprintf(`must be "" (log-normal), %q or %q`, Exponential, Deterministic))
	}
	if e.Mean != 0 {
		p.check(e.Median == 0, field+".Median", e.Median, fmt.Sprintf("must be 0, because Mean is %v: give one of the two", e.Mean))
		p.duration(e.Mean, 1, field+".Mean")
	} else {
		p.duration(e.Median, 1, field+".Median")
	}
	p.probability(e.TailRate, field+".TailRate")
	p.check(e.TailFactor >= 0 && e.TailFactor <= 1e6, field+".TailFactor", e.TailFactor, "must be from 0 to 1e6")
	p.check(e.Mean == 0 || e.TailRate < 1 || e.TailFactor > 0, field+".TailFactor", e.TailFactor, "must be above 0 with a TailRate of 1: otherwise the mean is 0")
	p.check(e.Slowdown >= 0 && e.Slowdown <= 1e6, field+".Slowdown", e.Slowdown, "must be from 0 to 1e6")
}

func (l *Limit) validate(p *problems, field string) {
	p.check(l.Kind == FixedWindow || l.Kind == SlidingWindow || l.Kind == TokenBucket, field+".Kind", string(l.Kind),
		fmt.Sprintf("must be %q, %q or %q", FixedWindow, SlidingWindow, TokenBucket))
	p.count(l.Amount, 1, field+".Amount")
	p.duration(l.Window, 1, field+".Window")
	if l.Kind == TokenBucket && l.Burst != 0 {
		p.count(l.Burst, 1, field+".Burst")
	} else {
		p.check(l.Burst == 0, field+".Burst", l.Burst, "must be 0: only a token_bucket has a burst")
	}
	if l.Kind == TokenBucket && min(l.Amount, int(l.Window)) >= 1 && max(l.Amount, l.Burst) <= most && l.Burst >= 0 && l.Window <= longest {
		p.check(l.fits(), field+".Window", l.Window, "is too long for so many tokens: take a shorter window with fewer, or a smaller burst")
	}
}
