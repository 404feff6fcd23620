package placement

import (
	"cmp"
	"slices"
)

// Local policies look into the past: at tick t they see the workers as they
// were at max(0, t-lag). Instead of a history per worker, which every look
// would have to search, there is one line of changes on their way to the
// scheduler. A change that is old enough leaves the line and overwrites what
// the scheduler sees of that worker. So a look costs the same whatever the
// lag, and nothing older than the lag is kept.
//
// The maximum with 0 makes the beginning special: at tick 0 everybody sees the
// present, and up to tick lag the end of tick 0.

// change is the load of a worker from a tick on.
type change struct {
	tick   int
	load   int64
	worker int32
}

// delayLine holds the changes that cannot be seen yet, oldest first.
type delayLine struct {
	changes []change
	head    int // those before it have left
}

func (l *delayLine) push(c change) {
	if l.head > 64 && l.head > len(l.changes)/2 {
		n := copy(l.changes, l.changes[l.head:])
		l.changes, l.head = l.changes[:n], 0
	}
	l.changes = append(l.changes, c)
}

// arrive lets everything up to a tick be seen.
func (l *delayLine) arrive(tick int, workers []worker) {
	for ; l.head < len(l.changes) && l.changes[l.head].tick <= tick; l.head++ {
		c := &l.changes[l.head]
		workers[c.worker].seen = c.load
	}
}

// calendar lists the outages by start and by end.
type calendar struct {
	outages      []Outage
	starts, ends []int32 // those that begin in one tick in the order of the trace
}

func newCalendar(outages []Outage) *calendar {
	c := &calendar{outages: outages, starts: make([]int32, len(outages)), ends: make([]int32, len(outages))}
	for i := range outages {
		c.starts[i], c.ends[i] = int32(i), int32(i)
	}
	slices.SortStableFunc(c.starts, func(a, b int32) int { return cmp.Compare(outages[a].Start, outages[b].Start) })
	slices.SortStableFunc(c.ends, func(a, b int32) int { return cmp.Compare(outages[a].End, outages[b].End) })
	return c
}

// page is a place in the calendar: how many starts and ends are in the past.
type page struct{ started, ended int }

// turn moves the page to a tick, and calls started and ended for what that
// passes. Ends come first, since an outage may begin where another one ends.
func (c *calendar) turn(p *page, tick int, started, ended func(*Outage)) {
	for ; p.ended < len(c.ends) && c.outages[c.ends[p.ended]].End <= tick; p.ended++ {
		ended(&c.outages[c.ends[p.ended]])
	}
	for ; p.started < len(c.starts) && c.outages[c.starts[p.started]].Start <= tick; p.started++ {
		started(&c.outages[c.starts[p.started]])
	}
}

// next returns the tick of the next start or end, or limit if that is earlier.
func (c *calendar) next(p page, limit int) int {
	if p.started < len(c.starts) {
		limit = min(limit, c.outages[c.starts[p.started]].Start)
	}
	if p.ended < len(c.ends) {
		limit = min(limit, c.outages[c.ends[p.ended]].End)
	}
	return limit
}

// byArrival orders the tasks by arrival, those of one tick as in the trace.
func byArrival(tasks []Task) []int32 {
	order := make([]int32, len(tasks))
	for i := range order {
		order[i] = int32(i)
	}
	compare := func(a, b int32) int { return cmp.Compare(tasks[a].Arrival, tasks[b].Arrival) }
	if !slices.IsSortedFunc(order, compare) {
		slices.SortStableFunc(order, compare)
	}
	return order
}
