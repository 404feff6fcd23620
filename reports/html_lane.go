package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// laneView is a lane as a chart: levels grow upwards from the middle, counts
// downwards, states lie between them, and weather behind all of it.
type laneView struct {
	Name, Unit string
	Totals     string
	Label      string // what a screen reader says instead
	Top, Worst string // the ends of the scales
	Width      string // in bins
	Height     int
	Middle     int
	Fill, Line string // of the limit
	Levels     []mark // to be drawn in this order
	Counts     []mark
	Weather    []box
	States     []box
	After      box    // the time after the end of the run, if X is set
	Said       []tick // words in the chart
}

type box struct{ Class, Name, X, Width string }

// The heights in a lane, in pixels.
const (
	laneTop    = 2
	laneMiddle = 34 // where levels begin
	laneStates = 5  // below that
	laneBottom = 56
	laneWorld  = 50 // of the world's lanes, with words below the capacity
)

// lane draws one lane of a run that ended at end.
func (st *stage) lane(l experiment.Lane, end time.Duration) laneView {
	v := st.limits(l)
	v.Height = laneBottom
	if end < st.end {
		v.After = box{X: st.bins(end), Width: st.bins(st.end - end)}
	}
	var spoken, totals []string
	for i := range l.Levels {
		s := l.Levels[len(l.Levels)-1-i]
		v.Levels = append(v.Levels, mark{sign("level", st.levels, s.Name), st.rise(l, sums(l.Levels[:len(l.Levels)-i]))})
		spoken = slices.Insert(spoken, 0, fmt.Sprintf("%s %s on average", s.Name, experiment.FormatNumber(mean(s.Values))))
	}
	for i := range l.Counts {
		s := l.Counts[len(l.Counts)-1-i]
		v.Counts = append(v.Counts, mark{sign("count", st.counts, s.Name), st.drop(l, sums(l.Counts[:len(l.Counts)-i]))})
		totals = slices.Insert(totals, 0, experiment.FormatNumber(sum(s.Values))+" "+s.Name)
	}
	for _, s := range l.States {
		v.States = append(v.States, st.box("state", st.states, s))
		spoken = append(spoken, fmt.Sprintf("%s from %s to %s", s.Name, shortTime(s.From), shortTime(s.To)))
	}
	if room := st.worst[l.Name]; room > 0 {
		v.Worst = experiment.FormatNumber(room) + "/s"
		if peak := highest(sums(l.Counts)) / st.step.Seconds(); peak > room {
			v.Worst += ", cut off: up to " + experiment.FormatNumber(peak)
		}
	}
	v.Totals = strings.Join(totals, ", ")
	v.Label = l.Name + ": " + strings.Join(append(spoken, totals...), "; ")
	return v
}

// world draws what is not the contestant's doing, with the weather in words.
func (st *stage) world(l experiment.Lane) laneView {
	v := st.limits(l)
	if len(l.Weather) > 0 {
		v.Height = laneWorld
	}
	until := time.Duration(-1)
	for _, s := range l.Weather {
		if s.From >= until { // words must not lie on each other
			v.say(st, s.From, s.Name, 0.9)
			until = s.From + st.end/8
		}
	}
	return v
}

// say puts words behind an instant, if that comes before a part of the whole
// time, so that there is room for them.
func (v *laneView) say(st *stage, at time.Duration, text string, before float64) {
	if part := st.part(at); part < before {
		v.Said = append(v.Said, tick{At: decimal(100*part) + "%", Text: text})
	}
}

// limits draws capacity and weather.
func (st *stage) limits(l experiment.Lane) laneView {
	v := laneView{
		Name: l.Name, Unit: l.Unit, Width: st.bins(st.end), Height: laneMiddle, Middle: laneMiddle,
		Top: experiment.FormatNumber(st.top[l.Name]) + " " + l.Unit,
	}
	var spoken []string
	if len(l.Limit) > 0 {
		v.Fill = st.rise(l, l.Limit)
		v.Line = st.steps(l.Limit, func(value float64) string { return st.height(l, value) }, "")
		spoken = append(spoken, fmt.Sprintf("capacity from %s to %s %s", experiment.FormatNumber(slices.Min(l.Limit)), experiment.FormatNumber(slices.Max(l.Limit)), l.Unit))
	}
	for _, s := range l.Weather {
		v.Weather = append(v.Weather, st.box("weather", st.weather, s))
		spoken = append(spoken, fmt.Sprintf("%s from %s to %s", s.Name, shortTime(s.From), shortTime(s.To)))
	}
	v.Label = l.Name + ": " + strings.Join(spoken, "; ")
	return v
}

func (st *stage) box(kind string, names []string, s experiment.Span) box {
	return box{sign(kind, names, s.Name), s.Name, st.bins(s.From), st.bins(max(s.To-s.From, st.step/4))}
}

// height returns the place of a level.
func (st *stage) height(l experiment.Lane, value float64) string {
	return decimal(laneMiddle - float64((laneMiddle-laneTop)*ratio(value, st.top[l.Name])))
}

// rise returns an area of levels.
func (st *stage) rise(l experiment.Lane, values []float64) string {
	return st.steps(values, func(v float64) string { return st.height(l, v) }, strconv.Itoa(laneMiddle))
}

// drop returns an area of events.
func (st *stage) drop(l experiment.Lane, values []float64) string {
	const from = laneMiddle + laneStates
	return st.steps(values, func(v float64) string {
		return decimal(from + float64((laneBottom-from)*min(1, ratio(v/st.step.Seconds(), st.worst[l.Name]))))
	}, strconv.Itoa(from))
}

// steps returns the path of a step function, closed along a base if there is
// one.
func (st *stage) steps(values []float64, place func(float64) string, base string) string {
	if len(values) == 0 {
		return ""
	}
	var path strings.Builder
	at := place(values[0])
	if base != "" {
		path.WriteString("M0 " + base + "V" + at)
	} else {
		path.WriteString("M0 " + at)
	}
	for i, v := range values {
		if next := place(v); next != at {
			path.WriteString("H" + strconv.Itoa(i) + "V" + next)
			at = next
		}
	}
	path.WriteString("H" + strconv.Itoa(len(values)))
	if base != "" {
		path.WriteString("V" + base + "Z")
	}
	return path.String()
}

func ratio(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

func mean(values []float64) float64 { return ratio(sum(values), float64(len(values))) }

// timeTable is a timeline as numbers, a line per stretch of time.
type timeTable struct {
	Heads []timeHead
	Rows  []timeRow
}

// timeHead stands over the columns of a lane.
type timeHead struct {
	Name    string
	Columns []string
}

type timeRow struct {
	From, To string
	Cells    []string
}

// timeTable returns means of levels and limits and sums of counts over at most
// twelve stretches of time.
func (st *stage) timeTable(line *experiment.Timeline) timeTable {
	const most = 12
	var t timeTable
	for _, lane := range line.Lanes {
		head := timeHead{Name: lane.Name}
		for _, s := range lane.Levels {
			head.Columns = append(head.Columns, s.Name)
		}
		if lane.Limit != nil {
			head.Columns = append(head.Columns, "capacity")
		}
		for _, s := range lane.Counts {
			head.Columns = append(head.Columns, s.Name)
		}
		t.Heads = append(t.Heads, head)
	}
	bins := line.Bins()
	width := (int(st.end/st.step) + most) / most
	for from := 0; from < bins; from += width {
		to := min(from+width, bins)
		row := timeRow{From: shortTime(time.Duration(from) * st.step), To: shortTime(min(time.Duration(to)*st.step, line.End))}
		for _, lane := range line.Lanes {
			for _, s := range lane.Levels {
				row.Cells = append(row.Cells, experiment.FormatNumber(mean(s.Values[from:to])))
			}
			if lane.Limit != nil {
				row.Cells = append(row.Cells, experiment.FormatNumber(mean(lane.Limit[from:to])))
			}
			for _, s := range lane.Counts {
				row.Cells = append(row.Cells, experiment.FormatNumber(sum(s.Values[from:to])))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
