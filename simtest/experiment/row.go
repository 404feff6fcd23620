package experiment

import (
	"cmp"
	"math"
	"slices"
)

// Row is the ranking by one metric.
type Row struct {
	Metric  Metric
	Verdict Verdict
	// Winners claim the row, best mean first; none unless Verdict is Decided.
	Winners []string
	// Eligible are those who were compared, in the order of contestants.
	Eligible []Standing
	// Excluded did too little work for this gated row, best ratio first.
	Excluded []Exclusion
	// NoValue lists those who have no value in any run, or no run.
	NoValue []string
	// Seeds are those on which every eligible contestant has a value: the
	// row's comparisons and means use these alone.
	Seeds []uint64

	rule  Rule
	pairs []Pair
}

// Verdict says how a row ended.
type Verdict int8

// The verdicts.
const (
	Decided         Verdict = iota // there are winners, all that are eligible perhaps
	NeutralRow                     // the metric has no direction
	VolatileRow                    // the values differ from run to run
	TooFew                         // fewer than two contestants are eligible
	AllZero                        // every mean is 0
	NothingInCommon                // no seed has a value of every eligible contestant
)

// String says in words why nobody is crowned.
func (v Verdict) String() string {
	switch v {
	case Decided:
		return "decided"
	case NeutralRow:
		return "neutral: neither more nor less is better"
	case VolatileRow:
		return "volatile: the values differ from one execution to the next"
	case TooFew:
		return "fewer than two contestants are eligible"
	case AllZero:
		return "every mean is 0"
	case NothingInCommon:
		return "no seed has a value of every eligible contestant"
	}
	return "unknown verdict"
}

// Standing is an eligible contestant's mean over the row's seeds.
type Standing struct {
	Contestant string
	Mean       float64
}

// Exclusion names a contestant that the completion gate left out. Ratio is its
// mean of the completion metric over the best such mean.
type Exclusion struct {
	Contestant string
	Ratio      float64
}

// Pair is the comparison of A with B over the row's seeds.
type Pair struct {
	A, B string
	// Paired is seen from A: a positive mean says that A is better.
	Paired
	// Best is the row's best mean, which percentages refer to.
	Best float64
	// Floor is the least difference that counts, 1 % of the best mean.
	Floor float64
	// HalfWidth is half of the interval around Paired.Mean, the critical
	// value times the standard error; 0 with fewer than two seeds. By the
	// calibrated rule all intervals of a row hold at once with probability
	// 95 % or more.
	HalfWidth float64
}

// Margin is what the mean difference must exceed for A to beat B.
func (p Pair) Margin() float64 { return max(p.Floor, p.HalfWidth) }

// Beats reports whether A beats B.
func (p Pair) Beats() bool { return p.Mean > p.Margin() }

// Reverse returns the comparison of B with A.
func (p Pair) Reverse() Pair {
	p.A, p.B = p.B, p.A
	p.Paired = p.reverse()
	return p
}

// Pair returns the comparison of a with b; false if they were not compared.
func (r *Row) Pair(a, b string) (Pair, bool) {
	for _, p := range r.pairs {
		if p.A == a && p.B == b {
			return p, true
		}
		if p.A == b && p.B == a {
			return p.Reverse(), true
		}
	}
	return Pair{}, false
}

// BeatenBy returns the comparisons that cost a contestant the row, the largest
// lead first: by the calibrated rule everybody who beats it, by the reference
// rule the leader if it is too far ahead.
func (r *Row) BeatenBy(contestant string) []Pair {
	if r.Verdict != Decided || slices.Contains(r.Winners, contestant) {
		return nil
	}
	var lost []Pair
	for _, s := range r.Eligible {
		if r.rule == Reference && s.Contestant != r.Winners[0] {
			continue
		}
		if p, ok := r.Pair(s.Contestant, contestant); ok && (r.rule == Reference || p.Beats()) {
			lost = append(lost, p)
		}
	}
	slices.SortStableFunc(lost, func(p, q Pair) int { return -cmp.Compare(p.Mean, q.Mean) })
	return lost
}

// Won reports whether a contestant is among the winners.
func (r *Row) Won(contestant string) bool { return slices.Contains(r.Winners, contestant) }

// ExcludedRatio returns the completion ratio of a contestant that the gate
// left out of the row.
func (r *Row) ExcludedRatio(contestant string) (float64, bool) {
	for _, x := range r.Excluded {
		if x.Contestant == contestant {
			return x.Ratio, true
		}
	}
	return 0, false
}

// OnlyEligible names the contestant that is alone in the row after others were
// left out, "" if there is none: it won against nobody.
func (r *Row) OnlyEligible() string {
	if r.Verdict == TooFew && len(r.Eligible) == 1 && len(r.Excluded)+len(r.NoValue) > 0 {
		return r.Eligible[0].Contestant
	}
	return ""
}

// compare fills in means, pairs and winners from the eligible contestants'
// values on the row's seeds.
func (r *Row) compare(values [][]float64, critical float64) {
	zero := true
	for i := range r.Eligible {
		r.Eligible[i].Mean, _ = meanStdev(values[i])
		zero = zero && r.Eligible[i].Mean == 0
	}
	best := r.bestFirst()
	for i, a := range r.Eligible {
		for j, b := range r.Eligible[:i] {
			p := Pair{A: b.Contestant, B: a.Contestant, Paired: PairUp(values[j], values[i], r.Metric.Better), Best: best[0].Mean}
			p.Floor, p.HalfWidth = r.rule.floor(p.Best), float64(critical*p.StandardError())
			r.pairs = append(r.pairs, p)
		}
	}
	if zero {
		r.Verdict = AllZero
		return
	}
	for _, s := range best {
		if r.claims(s, best[0]) {
			r.Winners = append(r.Winners, s.Contestant)
		}
	}
}

// claims reports whether a contestant may claim the row. The best mean always
// may: no mean of differences can speak against it but by rounding.
func (r *Row) claims(s, leader Standing) bool {
	if s.Contestant == leader.Contestant {
		return true
	}
	if r.rule == Reference {
		p, _ := r.Pair(leader.Contestant, s.Contestant)
		return math.Abs(s.Mean-leader.Mean) <= p.Margin()
	}
	return !slices.ContainsFunc(r.Eligible, func(other Standing) bool {
		p, ok := r.Pair(other.Contestant, s.Contestant)
		return ok && p.Beats()
	})
}

// bestFirst returns the eligible contestants by mean, the first of equals first.
func (r *Row) bestFirst() []Standing {
	sorted := slices.Clone(r.Eligible)
	slices.SortStableFunc(sorted, func(a, b Standing) int {
		if r.Metric.Better == Higher {
			return cmp.Compare(b.Mean, a.Mean)
		}
		return cmp.Compare(a.Mean, b.Mean)
	})
	return sorted
}
