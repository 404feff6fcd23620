package pool

import "slices"

// pick is the rule of selection. Of the open resources that q admits and that
// were not tried in this round, it keeps those with the highest score, of these
// the least busy, and of these takes number k mod n in order of publication; nil
// if there is none.
//
// Loads are compared as exact fractions, by cross-multiplication. For capacities
// below 2^26 that is also how their float64 quotients compare: equal fractions
// have equal quotients, and different ones differ by more than rounding hides.
func (p *Pool) pick(q *Query, tried []*resource) *resource {
	if q.ID != "" {
		r := p.byID[q.ID]
		if r == nil || !r.open() || !q.admits(r) || slices.Contains(tried, r) {
			return nil
		}
		return r
	}
	best, least, ties := Score{}, (*resource)(nil), p.ties[:0]
	for i, r := range p.list {
		if !r.open() || !q.admits(r) || len(tried) > 0 && slices.Contains(tried, r) {
			continue
		}
		if q.Rank != nil {
			score := q.Rank(View{r})
			switch c := score.compare(best); {
			case len(ties) == 0 || c > 0:
				best, ties = score, ties[:0]
			case c < 0:
				continue
			}
		}
		if len(ties) > 0 {
			switch a, b := r.active*least.capacity, least.active*r.capacity; {
			case a > b:
				continue
			case a < b:
				ties = ties[:0]
			}
		}
		least = r
		ties = append(ties, int32(i))
	}
	if cap(ties) > cap(p.ties) { // a pointer written for every lease would cost the collector
		p.ties = ties
	}
	switch n := uint64(len(ties)); n {
	case 0:
		return nil
	case 1:
		return p.list[ties[0]]
	default:
		return p.list[ties[p.k%n]]
	}
}

// round makes one selection: it reserves the best resource for q that has not
// been tried in this round. A resource whose factory is known to fail is tried
// by counting another failure.
func (p *Pool) round(q *Query, t *tries) *Lease {
	for {
		r := p.pick(q, t.resources)
		if r == nil {
			return nil
		}
		if r.failed == nil {
			return p.grant(r, q.Holder)
		}
		t.add(r, r.failed)
		p.strike(r, p.clk.Elapsed(), 0, r.failed)
	}
}

// tries are the resources that failed in a round, with the last error.
type tries struct {
	resources []*resource
	last      error
}

func (t *tries) add(r *resource, err error) {
	t.resources = append(t.resources, r)
	t.last = err
}

// take makes rounds until one finds something or there is nothing to try. It
// ends because every failure of a factory that is remembered counts, and enough
// of them retire the resource.
func (p *Pool) take(q *Query) *Lease {
	r := p.pick(q, nil)
	if r == nil {
		return nil
	}
	if r.failed == nil {
		return p.grant(r, q.Holder)
	}
	for {
		var t tries
		if l := p.round(q, &t); l != nil || t.resources == nil {
			return l
		}
	}
}
