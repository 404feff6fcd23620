package provider

import "github.com/ranktest/ranktest/simtest/draws"

// rolls is the luck of one admitted request, or of one that would have been.
type rolls struct {
	z                   float64 // the latency: standard normal, or exponential with mean 1, by its law
	tail, failure, kind float64 // uniform in [0, 1)
}

// worldDraws makes what the world rolls in one run: pure functions of the
// seed and of the identity that is asked for.
type worldDraws interface {
	// request returns the rolls of request number ordinal (from 1).
	request(endpoint int, ordinal uint64) rolls
	// storm returns the uniform roll of one weather window.
	storm(endpoint int, window uint64) float64
}

// keyedDraws is the default. The keys of a run's streams are folded once;
// what is left per request is two rounds of the mixer and the rolls.
type keyedDraws struct {
	requests, storms []draws.Key // by endpoint
	laws             []Law
}

func newKeyedDraws(w *World, seed uint64) *keyedDraws {
	s := &keyedDraws{}
	// By name and not by position: an endpoint keeps its luck when another
	// one is added before it.
	for i := range w.Endpoints {
		id := w.Endpoints[i].ID
		s.requests = append(s.requests, draws.Of(seed, "request:"+id))
		s.storms = append(s.storms, draws.Of(seed, "storm:"+id))
		s.laws = append(s.laws, w.Endpoints[i].Law)
	}
	return s
}

func (s *keyedDraws) request(endpoint int, ordinal uint64) rolls {
	r := s.requests[endpoint].With(ordinal).Stream()
	variate := r.Normal
	if s.laws[endpoint] == Exponential {
		variate = r.Exponential
	}
	return rolls{z: variate(), tail: r.Float64(), failure: r.Float64(), kind: r.Float64()}
}

func (s *keyedDraws) storm(endpoint int, window uint64) float64 {
	r := s.storms[endpoint].With(window).Stream()
	return r.Float64()
}
