package reports

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// stage is what all lanes of a page have in common: the stretch of time, the
// heights, and how each series looks.
type stage struct {
	step time.Duration
	end  time.Duration // of the longest run
	// top is the highest level by lane, worst the most events per second that
	// its scale has room for.
	top, worst map[string]float64
	// What there is to show, by name; the place decides how it looks.
	limited                         bool
	levels, counts, weather, states []string
}

func newStage(lines []*experiment.Timeline) *stage {
	st := &stage{step: lines[0].Step, top: map[string]float64{}, worst: map[string]float64{}}
	worst := map[string][]float64{}
	for _, line := range lines {
		st.end = max(st.end, line.End)
		for _, lane := range line.Lanes {
			st.limited = st.limited || lane.Limit != nil
			st.top[lane.Name] = max(st.top[lane.Name], highest(lane.Limit), highest(sums(lane.Levels)))
			worst[lane.Name] = append(worst[lane.Name], highest(sums(lane.Counts))/line.Step.Seconds())
			for _, s := range lane.Levels {
				st.levels = with(st.levels, s.Name)
			}
			for _, s := range lane.Counts {
				st.counts = with(st.counts, s.Name)
			}
			for _, s := range lane.Weather {
				st.weather = with(st.weather, s.Name)
			}
			for _, s := range lane.States {
				st.states = with(st.states, s.Name)
			}
		}
	}
	for name, rates := range worst {
		st.worst[name] = room(rates)
	}
	// Which contestant is first to have a state is no order to rely on.
	slices.Sort(st.states)
	return st
}

// room returns how far a scale goes: to the largest, unless that would press
// together what most have. Then the largest is cut off.
func room(peaks []float64) float64 {
	const most = 4
	slices.Sort(peaks)
	middle := peaks[len(peaks)/2]
	if largest := peaks[len(peaks)-1]; middle == 0 || largest <= most*middle {
		return largest
	}
	return most * middle
}

func with(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

func highest(values []float64) float64 {
	high := 0.0
	for _, v := range values {
		high = max(high, v)
	}
	return high
}

// sums adds the series bin by bin.
func sums(all []experiment.Series) []float64 {
	if len(all) == 0 {
		return nil
	}
	total := slices.Clone(all[0].Values)
	for _, s := range all[1:] {
		for i, v := range s.Values {
			total[i] += v
		}
	}
	return total
}

// sign returns the class of a named series.
func sign(kind string, names []string, name string) string {
	return kind + " " + kind + "-" + strconv.Itoa(slices.Index(names, name)%4)
}

func (st *stage) legend() []legendItem {
	var all []legendItem
	if st.limited {
		all = append(all, legendItem{"limit", "capacity"})
	}
	for _, group := range []struct {
		kind  string
		names []string
	}{{"level", st.levels}, {"count", st.counts}, {"weather", st.weather}, {"state", st.states}} {
		for _, name := range group.names {
			all = append(all, legendItem{sign(group.kind, group.names, name), name})
		}
	}
	return all
}

// bins converts a time to the unit of a lane's coordinates, the width of a bin.
func (st *stage) bins(t time.Duration) string { return decimal(float64(t) / float64(st.step)) }

// part returns where an instant lies, from 0 to 1.
func (st *stage) part(at time.Duration) float64 { return float64(at) / float64(max(st.end, 1)) }

// ticks returns round instants.
func (st *stage) ticks() []tick {
	const most = 6
	step := time.Duration(niceNumber(float64(max(st.end, 1)) / most))
	for _, seconds := range []time.Duration{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 6 * 3600, 12 * 3600, 24 * 3600} {
		if st.end > most*time.Second && st.end <= most*seconds*time.Second {
			step = seconds * time.Second
			break
		}
	}
	var all []tick
	for at := time.Duration(0); at <= st.end; at += max(step, 1) {
		all = append(all, tick{At: decimal(100*st.part(at)) + "%", X: st.bins(at), Text: shortTime(at)})
	}
	return all
}

// shortTime writes an instant as a clock does, 2:05 or 1:30:00, or as seconds
// below a minute.
func shortTime(t time.Duration) string {
	switch s := t.Seconds(); {
	case t == 0:
		return "0"
	case t < time.Minute:
		return experiment.FormatNumber(s) + " s"
	case t < time.Hour:
		return fmt.Sprintf("%d:%02d", int(t.Minutes()), int(s)%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", int(t.Hours()), int(t.Minutes())%60, int(t.Seconds())%60)
}
