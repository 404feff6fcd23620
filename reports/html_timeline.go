package reports

import (
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// timelineView shows a run of each contestant over the same stretch of time.
type timelineView struct {
	Seed   uint64
	Ticks  []tick
	Legend []legendItem
	// World is what the world did, whoever was there; it may be empty.
	World       []laneView
	Contestants []contestantView
}

type legendItem struct{ Class, Name string }

type contestantView struct {
	Name, Class string
	Facts       string
	Lanes       []laneView
	Table       timeTable
}

// newTimelineView puts timelines on one page, or returns nil if there are none.
func newTimelineView(r *sheet, lines []*experiment.Timeline) *timelineView {
	if len(lines) == 0 {
		return nil
	}
	st := newStage(lines)
	v := &timelineView{Seed: lines[0].Seed, Ticks: st.ticks(), Legend: st.legend()}
	for _, lane := range lines[slices.IndexFunc(lines, func(l *experiment.Timeline) bool { return l.End == st.end })].Lanes {
		if changes(lane.Limit) || len(lane.Weather) > 0 {
			v.World = append(v.World, st.world(lane))
		}
	}
	for _, line := range lines {
		end := ending(r, line, st)
		c := contestantView{Name: line.Contestant, Facts: facts(r, line, end), Table: st.timeTable(line)}
		for i, lane := range line.Lanes {
			drawn := st.lane(lane, line.End)
			if i == 0 {
				drawn.say(st, line.End, end, 0.6)
			}
			c.Lanes = append(c.Lanes, drawn)
		}
		v.Contestants = append(v.Contestants, c)
	}
	return v
}

// facts names the headline values of the run, the completion metric first, and
// how it ended if that is worth saying.
func facts(r *sheet, line *experiment.Timeline, end string) string {
	var parts []string
	for _, m := range benchMetrics(r.Sweep.Scenario) {
		if v, ok := r.value(line.Contestant, line.Seed, m.Name); ok && m.Headline {
			parts = append(parts, m.Name+" "+experiment.FormatNumber(v))
		}
	}
	parts = parts[:min(4, len(parts))]
	if end != "" {
		parts = append(parts, end)
	}
	return strings.Join(parts, " · ")
}

// ending says how a run ended that ended early.
func ending(r *sheet, line *experiment.Timeline, st *stage) string {
	if run := r.runs[runKey{line.Contestant, line.Seed}]; run != nil && run.Stall != nil {
		return "came to a standstill at " + shortTime(line.End)
	}
	if float64(line.End) < 0.95*float64(st.end) {
		return "over at " + shortTime(line.End)
	}
	return ""
}

// changes reports whether a limit is worth a chart of its own.
func changes(limit []float64) bool {
	return slices.ContainsFunc(limit, func(v float64) bool { return v != limit[0] })
}
