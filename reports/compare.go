package reports

import (
	"errors"
	"fmt"
	"math"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/numeric"
)

// Comparison is what became of every number between two reports of the same
// scenarios, seed by seed.
//
// Contestants are compared with themselves. Equal values mean that nothing
// changed, since runs are deterministic. Of what did change, the seeds of the
// reports are a sample: each Change has an interval for the change on any
// seeds. All intervals of a comparison hold at once with probability 95 % or
// more (Student's, with Bonferroni's correction for the number of changes), so
// that a neutral change, which shuffles every number a little, is called worse
// in at most one comparison of twenty, however many metrics there are.
type Comparison struct {
	// Threshold is the relative change that does not matter: 0.01 is 1 %.
	Threshold float64
	Scenarios []ScenarioComparison
	// Unpaired says what is in one report only, or cannot be compared, and
	// what else to know about the two.
	Unpaired []string
}

// ScenarioComparison are the changes of a scenario's contestants, in order.
type ScenarioComparison struct {
	Scenario string
	// Seeds are those that both reports have.
	Seeds []uint64
	// Contestants are those that both have.
	Contestants []string
	Changes     []Change
}

// Change is what became of one contestant in one metric.
type Change struct {
	Contestant string
	Metric     experiment.Metric
	// Before and Now are means over the pairs, in the metric's unit.
	Before, Now float64
	// Pairs counts the seeds on which both have a value; Better, Worse and
	// Equal are parts of it (Better is more if the metric is neutral).
	Pairs, Better, Worse, Equal int
	// Relative is the change: -0.01 is 1 % less than before. If all values
	// are above 0, it is the geometric mean of now/before, less 1: a change
	// by the same factor on every seed is that factor, without any spread.
	// Otherwise it is the mean difference over the size of the mean before
	// (or now, if before was 0).
	Relative float64
	// Low and High bound Relative; they are equal to it with one pair, which
	// has no interval.
	Low, High float64
	Verdict   Verdict

	ratio        bool
	mean, stderr float64 // on the scale of Relative, or of its logarithm
}

// Verdict is what a change means.
type Verdict string

// The verdicts.
const (
	Same    Verdict = "same"    // equal on every seed
	Better  Verdict = "better"  // by more than the threshold and than chance
	Worse   Verdict = "worse"   // by more than the threshold and than chance
	Small   Verdict = "small"   // the whole interval is within the threshold
	Unclear Verdict = "unclear" // too few seeds, or too different ones, to tell
	Other   Verdict = "other"   // beyond both, in a neutral metric
)

// comparisonLevel is the probability that any interval of a comparison misses.
const comparisonLevel = 0.05

// ErrUnpaired says that two reports have nothing in common.
var ErrUnpaired = errors.New("reports: there is nothing to compare")

// Compare compares reports, as ReadBenchstat or New return them. A change for
// the worse counts if it is larger than threshold, relative to before: 0.01
// means 1 %, and 0 any.
//
// An error means that there is no comparison: the threshold is no such number,
// or no value is in both reports ([ErrUnpaired]).
func Compare(before, now []*Result, threshold float64) (*Comparison, error) {
	if !(threshold >= 0) || math.IsInf(threshold, 1) {
		return nil, fmt.Errorf("reports: threshold %v: must be a number from 0, such as 0.01 for 1 %%", threshold)
	}
	c := &Comparison{Threshold: threshold}
	c.pair(before, now)
	moved, pairs := 0, 0
	for _, s := range c.Scenarios {
		for _, change := range s.Changes {
			pairs += change.Pairs
			if change.Equal < change.Pairs {
				moved++
			}
		}
	}
	if pairs == 0 {
		why := ""
		for _, what := range c.Unpaired {
			why += "\n  " + what
		}
		return nil, fmt.Errorf("%w: no value is in both reports%s", ErrUnpaired, why)
	}
	critical := map[int]float64{}
	for _, s := range c.Scenarios {
		for i := range s.Changes {
			change := &s.Changes[i]
			n := change.Pairs
			if _, ok := critical[n]; !ok && n > 1 && moved > 0 {
				critical[n] = experiment.StudentQuantile(n-1, 1-comparisonLevel/float64(2*moved))
			}
			change.judge(critical[n], threshold)
		}
	}
	return c, nil
}

// judge fills in the interval and the verdict.
func (c *Change) judge(critical, threshold float64) {
	half := float64(critical * c.stderr) // rounded before it is added, on every processor
	c.Relative, c.Low, c.High = c.scale(c.mean), c.scale(c.mean-half), c.scale(c.mean+half)
	// A report has ten digits: what differs by exactly the threshold must not
	// look as if it differed by more.
	within := func(x float64) bool { return math.Round(math.Abs(x)*1e8)/1e8 <= threshold }
	switch {
	case c.Equal == c.Pairs:
		c.Verdict = Same
	case within(c.Low) && within(c.High):
		c.Verdict = Small
	case within(c.Relative) || c.Low <= 0 && c.High >= 0:
		c.Verdict = Unclear
	case c.Metric.Better == experiment.Neutral:
		c.Verdict = Other
	case (c.Relative > 0) == (c.Metric.Better == experiment.Higher):
		c.Verdict = Better
	default:
		c.Verdict = Worse
	}
}

// scale turns a mean of logarithms of ratios into a relative change.
func (c *Change) scale(x float64) float64 {
	if !c.ratio {
		return x
	}
	return numeric.Exp(x) - 1
}

// newChange compares values of the same seeds.
func newChange(contestant string, m experiment.Metric, before, now []float64) Change {
	c := Change{
		Contestant: contestant, Metric: m, Pairs: len(before), ratio: true,
		Before: experiment.AggregateOf(before).Mean, Now: experiment.AggregateOf(now).Mean,
	}
	p := experiment.PairUp(now, before, m.Better)
	c.Better, c.Worse, c.Equal = p.Better, p.Worse, p.Equal
	for i := range before {
		c.ratio = c.ratio && before[i] > 0 && now[i] > 0
	}
	base := math.Abs(c.Before)
	if base == 0 {
		base = math.Abs(c.Now)
	}
	changes := make([]float64, len(before))
	for i := range before {
		switch {
		case before[i] == now[i]:
		case c.ratio:
			changes[i] = numeric.Log(now[i] / before[i])
		case base == 0: // values that cancel out
			changes[i] = now[i] - before[i]
		default:
			changes[i] = (now[i] - before[i]) / base
		}
	}
	g := experiment.AggregateOf(changes)
	c.mean = g.Mean
	if g.N > 1 {
		c.stderr = g.Stdev / math.Sqrt(float64(g.N))
	}
	return c
}

// Worse reports whether anything changed for the worse, by more than the
// threshold and than chance.
func (c *Comparison) Worse() bool { return c.Count(Worse) > 0 }

// Changed reports whether any number that could be compared is another one.
func (c *Comparison) Changed() bool {
	return c.Count(Better)+c.Count(Worse)+c.Count(Small)+c.Count(Unclear)+c.Count(Other) > 0
}

// Count returns how many changes have a verdict.
func (c *Comparison) Count(v Verdict) int {
	n := 0
	for _, s := range c.Scenarios {
		for i := range s.Changes {
			if s.Changes[i].Verdict == v {
				n++
			}
		}
	}
	return n
}
