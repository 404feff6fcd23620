package provider

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

var _ experiment.Timeliner = (*Scenario)(nil)

// Timeline makes the same run as Run and shows it over time: a lane of what
// the client did, and a lane per endpoint with the capacity that it enforced,
// the requests in flight, refusals, failures, storms and outages, and the
// cooldowns that last for a bin or longer.
func (s *Scenario) Timeline(ctx context.Context, contestant string, seed uint64, step time.Duration) (*experiment.Timeline, error) {
	h, err := s.history(ctx, contestant, seed)
	if err != nil {
		return nil, err
	}
	if step == 0 {
		step = experiment.NiceStep(h.end)
	}
	t := &experiment.Timeline{Contestant: contestant, Seed: seed, Step: step, End: h.end}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	t.Lanes = append(t.Lanes, s.clientLane(t, h))
	service := newService(&s.world, s.drawsOf(seed), s.derive().enforced)
	for i := range service.endpoints {
		t.Lanes = append(t.Lanes, s.endpointLane(t, h, service, i))
	}
	return t, t.Validate()
}

// clientLane shows what the workers do, or the jobs in progress.
func (s *Scenario) clientLane(t *experiment.Timeline, h *history) experiment.Lane {
	doing := map[activityKind]experiment.Series{
		aCall: t.NewSeries("in flight"), aWait: t.NewSeries("waiting for a lease"), aPause: t.NewSeries("pausing before a retry"),
	}
	failed := t.NewSeries("jobs given up")
	for _, a := range h.activities {
		if series, ok := doing[a.kind]; ok {
			t.Occupy(series, a.from, a.to)
		} else if a.kind == aJob && a.failed {
			t.Count(failed, a.to)
		}
	}
	lane := experiment.Lane{
		Name: "workers", Unit: "workers",
		Levels: []experiment.Series{doing[aCall], doing[aWait], doing[aPause]}, Counts: []experiment.Series{failed},
	}
	if s.world.Workload.Arrivals != nil {
		s.openLane(t, h, &lane)
	}
	if n := s.world.Workload.Concurrency; n > 0 { // an open loop may have no bound
		lane.Limit = t.NewSeries("").Values
		for i := range lane.Limit {
			lane.Limit[i] = float64(n)
		}
	}
	return lane
}

// openLane adds what there is in an open loop only: jobs that wait in line for
// a place, or are turned away.
func (s *Scenario) openLane(t *experiment.Timeline, h *history, lane *experiment.Lane) {
	lane.Name, lane.Unit = "jobs", "jobs"
	if s.world.Workload.Concurrency == 0 {
		return
	}
	if s.world.Workload.Arrivals.Drop {
		dropped := t.NewSeries("jobs dropped")
		for _, at := range h.dropped {
			t.Count(dropped, at)
		}
		lane.Counts = append(lane.Counts, dropped)
		return
	}
	line := t.NewSeries("waiting in line")
	for _, a := range h.activities {
		if a.kind == aLine {
			t.Occupy(line, a.from, a.to)
		}
	}
	lane.Levels = append(lane.Levels, line)
}

func (s *Scenario) endpointLane(t *experiment.Timeline, h *history, service *service, endpoint int) experiment.Lane {
	e := &service.endpoints[endpoint]
	inFlight, refused, failed := t.NewSeries("in flight"), t.NewSeries("refused"), t.NewSeries("failed")
	for _, a := range h.activities {
		if a.kind != aCall || a.endpoint != endpoint {
			continue
		}
		t.Occupy(inFlight, a.from, a.until)
		switch {
		case a.outcome.Refused():
			t.Count(refused, a.from)
		case a.failed && !a.unfinished:
			t.Count(failed, a.to)
		}
	}
	lane := experiment.Lane{
		Name: e.ID, Unit: "requests", Limit: t.NewSeries("").Values,
		Levels: []experiment.Series{inFlight}, Counts: []experiment.Series{refused, failed},
		Weather: e.badWeather(t.End),
		States:  slices.DeleteFunc(h.states[endpoint], func(s experiment.Span) bool { return s.To-s.From < t.Step }),
	}
	for i := range lane.Limit {
		middle := time.Duration(i)*t.Step + t.Step/2
		lane.Limit[i] = float64(e.enforced.now(middle))
	}
	return lane
}

// badWeather returns the storms and outages until end, by their beginnings.
// Storms that overlap are one. It may be asked once.
func (e *endpointState) badWeather(end time.Duration) []experiment.Span {
	var spans []experiment.Span
	for from := time.Duration(0); from < end; from += stormWindow {
		if !e.weather.stormy(from) {
			continue
		}
		if n := len(spans); n > 0 && spans[n-1].To >= from {
			spans[n-1].To = e.weather.until
		} else {
			spans = append(spans, experiment.Span{Name: "storm", From: from, To: e.weather.until})
		}
	}
	for _, o := range e.Outages {
		if o.From < end {
			spans = append(spans, experiment.Span{Name: "outage", From: o.From, To: o.Until})
		}
	}
	for i := range spans {
		spans[i].To = min(spans[i].To, end)
	}
	slices.SortStableFunc(spans, func(a, b experiment.Span) int { return cmp.Compare(a.From, b.From) })
	return spans
}
