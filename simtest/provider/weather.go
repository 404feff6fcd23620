package provider

import "time"

// weather tells whether an endpoint has a storm. It is asked with growing
// times and looks at each window once: since all storms of an endpoint last
// equally long, the latest to start is the last to end.
type weather struct {
	storm    Storm
	draws    worldDraws
	endpoint int
	next     uint64        // the first window not looked at
	until    time.Duration // the end of the latest storm so far
}

// stormy reports whether there is a storm at t, which must not be earlier
// than in the call before.
func (w *weather) stormy(t time.Duration) bool {
	if w.storm.Rate <= 0 {
		return false
	}
	for time.Duration(w.next)*stormWindow <= t {
		if w.draws.storm(w.endpoint, w.next) < w.storm.Rate {
			w.until = time.Duration(w.next)*stormWindow + w.storm.Duration
		}
		w.next++
	}
	return t < w.until
}
