package provider

import (
	"context"
	"slices"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

var _ experiment.Timeliner = (*Scenario)(nil)

// Timeline makes the same run as Run and shows it over time: a lane of what
// the workers did, and a lane per endpoint with the capacity that it enforced,
// the requests in flight, refusals, failures, storms, and the cooldowns that
// last for a bin or longer.
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
	t.Lanes = append(t.Lanes, s.workersLane(t, h))
	service := newService(&s.world, s.drawsOf(seed))
	for i := range service.endpoints {
		t.Lanes = append(t.Lanes, s.endpointLane(t, h, service, i))
	}
	return t, t.Validate()
}

func (s *Scenario) workersLane(t *experiment.Timeline, h *history) experiment.Lane {
	calling, waiting, pausing := t.NewSeries("calling"), t.NewSeries("waiting for a lease"), t.NewSeries("pausing before a retry")
	failed := t.NewSeries("jobs given up")
	for _, a := range h.activities {
		switch a.kind {
		case aCall:
			t.Occupy(calling, a.from, a.to)
		case aWait:
			t.Occupy(waiting, a.from, a.to)
		case aPause:
			t.Occupy(pausing, a.from, a.to)
		case aJob:
			if a.failed {
				t.Count(failed, a.to)
			}
		}
	}
	lane := experiment.Lane{
		Name: "workers", Unit: "workers",
		Levels: []experiment.Series{calling, waiting, pausing}, Counts: []experiment.Series{failed},
	}
	if n := s.world.Workload.Concurrency; n > 0 { // an open loop may have no bound
		lane.Limit = make([]float64, t.Bins())
		for i := range lane.Limit {
			lane.Limit[i] = float64(n)
		}
	}
	return lane
}

func (s *Scenario) endpointLane(t *experiment.Timeline, h *history, service *service, endpoint int) experiment.Lane {
	e := &service.endpoints[endpoint]
	inFlight, refused, failed := t.NewSeries("in flight"), t.NewSeries("refused"), t.NewSeries("failed")
	for _, a := range h.activities {
		if a.kind != aCall || a.endpoint != endpoint {
			continue
		}
		t.Occupy(inFlight, a.from, a.to)
		switch {
		case a.outcome.Refused():
			t.Count(refused, a.from)
		case a.outcome.Failed() && !a.unfinished:
			t.Count(failed, a.to)
		}
	}
	lane := experiment.Lane{
		Name: e.ID, Unit: "requests", Limit: make([]float64, t.Bins()),
		Levels: []experiment.Series{inFlight}, Counts: []experiment.Series{refused, failed},
		Weather: storms(&e.weather, t.End), States: slices.DeleteFunc(h.states[endpoint], func(s experiment.Span) bool { return s.To-s.From < t.Step }),
	}
	for i := range lane.Limit {
		middle := time.Duration(i)*t.Step + t.Step/2
		lane.Limit[i] = float64(service.capacity(e, middle))
	}
	return lane
}

// storms returns the bad weather until end. Storms that overlap are one.
func storms(w *weather, end time.Duration) []experiment.Span {
	var spans []experiment.Span
	for from := time.Duration(0); from < end; from += stormWindow {
		if !w.stormy(from) {
			continue
		}
		if n := len(spans); n > 0 && spans[n-1].To >= from {
			spans[n-1].To = w.until
		} else {
			spans = append(spans, experiment.Span{Name: "storm", From: from, To: w.until})
		}
	}
	for i := range spans {
		spans[i].To = min(spans[i].To, end)
	}
	return spans
}
