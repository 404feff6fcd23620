package acquire

import (
	"fmt"
	"slices"
)

// builtin lists the algorithms of this package.
func builtin() []Definition {
	fallback := Param{Name: "fallback", Kind: NestedKind, Default: "wait", Help: "what to do if the try fails"}
	return []Definition{{
		Name: "immediate",
		Rule: "one try, else unavailable",
		New:  func(Args) (Algorithm, error) { return immediate{}, nil },
	}, {
		Name: "wait",
		Rule: "try; else park in the pool's queue until served",
		Params: []Param{
			{Name: "timeout", Kind: LimitKind, Default: "none", Help: "longest wait"},
		},
		New: func(a Args) (Algorithm, error) { return wait{a.Duration("timeout")}, nil },
	}, {
		Name: "backoff",
		Rule: "try; else sleep a jittered min(cap, base*factor^(n-1)), and try again",
		Params: []Param{
			{Name: "base", Kind: DurationKind, Default: "200ms", Help: "first sleep, before jitter"},
			{Name: "factor", Kind: NumberKind, Default: "2", Help: "growth from one sleep to the next, at least 1"},
			{Name: "cap", Kind: DurationKind, Default: "10s", Help: "longest sleep"},
			{Name: "jitter", Kind: WordKind, Default: "full", Choices: jitterNames,
				Help: "full: U(0, raw); equal: raw/2 + U(0, raw/2); none: raw"},
			{Name: "max_wait", Kind: LimitKind, Default: "none", Help: "gives up before a sleep that would pass it"},
		},
		New: newPoll,
	}, {
		Name:   "least_busy",
		Rule:   "one try by the pool's own rule, least busy first; else the fallback",
		Params: []Param{fallback},
		New:    func(a Args) (Algorithm, error) { return leastBusy{a.Algorithm("fallback")}, nil },
	}, {
		Name: "failover",
		Rule: "one try in each pool in order; else the fallback on the first pool",
		Params: []Param{
			{Name: "pools", Kind: WordsKind, Help: "names in order of preference, a|b; none is the request's own"},
			fallback,
		},
		New: func(a Args) (Algorithm, error) { return failover{a.Words("pools"), a.Algorithm("fallback")}, nil },
	}, {
		Name:   "sticky",
		Rule:   "the resource that this attempt already used, if it is available now; else the fallback, and remember what it got",
		Params: []Param{fallback},
		New:    func(a Args) (Algorithm, error) { return sticky{a.Algorithm("fallback")}, nil },
	}, {
		Name: "quota_aware",
		Rule: "one try for the largest (remaining/declared, remaining) quota, resources in their reserve last; else the fallback",
		Params: []Param{
			{Name: "metric", Kind: WordKind, Default: "tokens", Help: "unit of the quota"},
			{Name: "reserve", Kind: NumberKind, Default: "0.05", Help: "fraction of the quota that is spared, from 0 to 1"},
			fallback,
		},
		New: newQuotaAware,
	}}
}

func newPoll(a Args) (Algorithm, error) {
	b := Backoff{
		Base: a.Duration("base"), Factor: a.Number("factor"), Cap: a.Duration("cap"),
		Jitter: Jitter(slices.Index(jitterNames, a.Word("jitter"))),
	}
	switch {
	case b.Base <= 0:
		return nil, fmt.Errorf("parameter %q: %v: must be more than 0, or it polls without rest", "base", b.Base)
	case b.Cap <= 0:
		return nil, fmt.Errorf("parameter %q: %v: must be more than 0, or it polls without rest", "cap", b.Cap)
	case b.Factor < 1:
		return nil, fmt.Errorf("parameter %q: %v: must be at least 1", "factor", b.Factor)
	}
	return poll{b, a.Duration("max_wait")}, nil
}

func newQuotaAware(a Args) (Algorithm, error) {
	reserve := a.Number("reserve")
	if reserve < 0 || reserve > 1 {
		return nil, fmt.Errorf("parameter %q: %v: must be from 0 to 1", "reserve", reserve)
	}
	return quotaAware{rankByQuota(a.Word("metric"), reserve), a.Algorithm("fallback")}, nil
}
