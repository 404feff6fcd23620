package experiment

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"
)

// Timeline is what one run looked like over simulated time, coarsely enough
// for a chart. Time is cut into bins of the width Step; bin i covers
// [i*Step, (i+1)*Step).
type Timeline struct {
	Contestant string
	Seed       uint64
	// Step is the width of a bin, above 0.
	Step time.Duration
	// End is when the run ended. It may lie inside the last bin.
	End time.Duration
	// Lanes are the parts of the world to look at, in the order to show them.
	Lanes []Lane
}

// Lane is one part of a world, an endpoint or a zone or all workers: what
// there was of it, what was used, and what went wrong there. All series of a
// timeline have a value per bin.
type Lane struct {
	Name string
	// Unit is what Limit and Levels count, such as "requests".
	Unit string
	// Limit is how much could be used, from the world alone: the same for
	// every contestant on a seed. Nil if there is no limit.
	Limit []float64
	// Levels are the means of what was used, to be stacked.
	Levels []Series
	// Counts are what went wrong: events in each bin.
	Counts []Series
	// Weather names spans that the world imposes on everybody alike.
	Weather []Span
	// States names spans that came of what this contestant did.
	States []Span
}

// Series is a named value per bin.
type Series struct {
	Name   string
	Values []float64
}

// Span is a named stretch of time [From, To).
type Span struct {
	Name     string
	From, To time.Duration
}

// Timeliner is implemented by scenarios that can show a run over time.
type Timeliner interface {
	// Timeline makes the same run as Run and returns what it looked like, in
	// bins of the width step, or of NiceStep if step is 0.
	Timeline(ctx context.Context, contestant string, seed uint64, step time.Duration) (*Timeline, error)
}

// Tracer is implemented by scenarios that can show a run in every detail.
type Tracer interface {
	// WriteTrace makes the same run as Run and writes it in the Trace Event
	// Format (see package traceevent), which Perfetto opens.
	WriteTrace(ctx context.Context, w io.Writer, contestant string, seed uint64) error
}

// maxBins bounds what a chart can be asked to show.
const maxBins = 10_000

// Bins returns how many bins cover the run, 0 if it has no length.
func (t *Timeline) Bins() int {
	if t.Step <= 0 {
		return 0
	}
	return int((t.End + t.Step - 1) / t.Step)
}

// NewSeries returns a series in which every bin is 0.
func (t *Timeline) NewSeries(name string) Series { return Series{name, make([]float64, t.Bins())} }

// Occupy adds one that was there in [from, to), as the share of each bin that
// it covers, so that values become means over their bins. What lies outside of
// the run is left out, and the last bin ends with it.
func (t *Timeline) Occupy(s Series, from, to time.Duration) {
	from, to = max(from, 0), min(to, t.End)
	for from < to {
		bin := int(from / t.Step)
		begin := time.Duration(bin) * t.Step
		end := min(begin+t.Step, t.End)
		next := min(to, end)
		s.Values[bin] += float64(next-from) / float64(end-begin)
		from = next
	}
}

// Count adds an event at an instant. What happens at the end belongs to the
// last bin, what lies outside of the run to none.
func (t *Timeline) Count(s Series, at time.Duration) {
	if at < 0 || at > t.End || len(s.Values) == 0 {
		return
	}
	s.Values[min(int(at/t.Step), len(s.Values)-1)]++
}

// NiceStep returns a width for the bins of a run of this length, 1, 2 or 5
// times a power of ten, that makes 150 to 375 of them.
func NiceStep(length time.Duration) time.Duration {
	step := time.Duration(1)
	for {
		for _, times := range []time.Duration{1, 2, 5} {
			if length/(times*step) < 375 {
				return times * step
			}
		}
		step *= 10
	}
}

// Validate checks that every series has a finite value per bin and that spans
// are ordered in themselves.
func (t *Timeline) Validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("experiment: timeline of contestant %q, seed %d: %s", t.Contestant, t.Seed, fmt.Sprintf(format, args...))
	}
	switch {
	case t.Step <= 0:
		return fail("step %v: must be above 0", t.Step)
	case t.End < 0:
		return fail("end %v: must not be negative", t.End)
	case int64(t.End/t.Step) >= maxBins:
		return fail("step %v: makes more than %d bins of %v", t.Step, maxBins, t.End)
	}
	for _, lane := range t.Lanes {
		all := append(append([]Series{}, lane.Levels...), lane.Counts...)
		if lane.Limit != nil {
			all = append(all, Series{"limit", lane.Limit})
		}
		for _, s := range all {
			if len(s.Values) != t.Bins() {
				return fail("lane %q: series %q: %d values: must be %d, one per bin", lane.Name, s.Name, len(s.Values), t.Bins())
			}
			for i, v := range s.Values {
				if !(v >= 0 && v <= math.MaxFloat32) {
					return fail("lane %q: series %q: bin %d: %v: must be finite and not negative", lane.Name, s.Name, i, v)
				}
			}
		}
		for _, span := range append(append([]Span{}, lane.Weather...), lane.States...) {
			if span.From < 0 || span.To < span.From {
				return fail("lane %q: %s from %v to %v: must not be negative or end before it begins", lane.Name, span.Name, span.From, span.To)
			}
		}
	}
	return nil
}
