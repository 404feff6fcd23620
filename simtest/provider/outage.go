package provider

import "time"

// Outage is a time when an endpoint is down, in full or in part: from From up
// to, but not at, Until. A request that arrives then fails with probability
// ErrorRate, whatever the endpoint's load: it reaches no limit and takes no
// capacity. It fails After it was sent: soon if connections are refused, late
// if the client has to give up by itself.
type Outage struct {
	From, Until time.Duration
	ErrorRate   float64
	After       time.Duration
}

// outages finds the outage at an instant. It is asked with growing times.
type outages []Outage

// at returns the outage at now, or nil, and forgets those that are over.
func (o *outages) at(now time.Duration) *Outage {
	for len(*o) > 0 && now >= (*o)[0].Until {
		*o = (*o)[1:]
	}
	if len(*o) == 0 || now < (*o)[0].From {
		return nil
	}
	return &(*o)[0]
}
