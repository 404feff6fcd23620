package reports

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Detail is what a page shows of a scenario beyond a Result.
type Detail struct {
	// Words explain the assumptions.
	Words []Passage
	// Timelines are those of all contestants on one seed, in order.
	Timelines []*experiment.Timeline
}

// Passage is a part of an explanation: a heading, paragraphs, and a list, each
// of which may be empty.
type Passage struct {
	Heading    string
	Paragraphs []string
	Items      []Item
}

// Item is a label with what is to be said about it.
type Item struct{ Label, Text string }

// DetailOf makes a run of each contestant of a scenario that can show runs over
// time ([experiment.Timeliner]): on the result's [TypicalSeed], all in the same
// bins. Of other scenarios there is no detail.
func DetailOf(ctx context.Context, s experiment.Scenario, r *Result) (Detail, error) {
	var d Detail
	t, ok := s.(experiment.Timeliner)
	seed, has := TypicalSeed(r)
	if !ok || !has {
		return d, nil
	}
	// The longest run decides how wide the bins of all are.
	var step time.Duration
	for _, c := range r.Sweep.Contestants {
		if _, ok := r.Sweep.Run(c, seed); !ok {
			continue
		}
		line, err := t.Timeline(ctx, c, seed, 0)
		if err != nil {
			return d, err
		}
		step = max(step, line.Step)
		d.Timelines = append(d.Timelines, line)
	}
	for i, line := range d.Timelines {
		if line.Step == step {
			continue
		}
		var err error
		if d.Timelines[i], err = t.Timeline(ctx, line.Contestant, seed, step); err != nil {
			return d, err
		}
	}
	return d, nil
}

// TypicalSeed returns the seed that shows best what a sweep found: the one on
// which the headline metrics of all contestants are nearest to their means,
// each distance in standard deviations and at most 3, so that no single number
// decides. Of equals the first wins. It is false for a sweep without runs.
func TypicalSeed(r *Result) (seed uint64, ok bool) {
	s := newSheet(r)
	metrics := slices.DeleteFunc(slices.Clone(s.Sweep.Scenario.Metrics), func(m experiment.Metric) bool { return m.Volatile })
	if slices.ContainsFunc(metrics, func(m experiment.Metric) bool { return m.Headline }) {
		metrics = slices.DeleteFunc(metrics, func(m experiment.Metric) bool { return !m.Headline })
	}
	distance := map[uint64]float64{}
	for _, c := range s.Sweep.Contestants {
		for _, m := range metrics {
			g, _ := s.Sweep.Aggregate(c, m.Name)
			for _, candidate := range s.Sweep.Seeds {
				away := 3.0 // without a value nothing can be seen
				if v, has := s.value(c, candidate, m.Name); has {
					ok, away = true, 0
					if g.Stdev > 0 {
						away = min(3, math.Abs(v-g.Mean)/g.Stdev)
					}
				}
				distance[candidate] += away
			}
		}
	}
	best := math.Inf(1)
	for _, candidate := range s.Sweep.Seeds {
		if distance[candidate] < best {
			best, seed = distance[candidate], candidate
		}
	}
	return seed, ok
}
