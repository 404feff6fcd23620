package provider

import (
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/numeric"
)

// service is the provider at work: the endpoints' state in one run.
type service struct {
	cycle     Cycle
	draws     worldDraws
	endpoints []endpointState
	byID      map[string]int
	rolled    func(endpoint string, ordinal uint64, r rolls) // or nil
}

type endpointState struct {
	*Endpoint
	nominal  float64 // Capacity * Weight
	inFlight int
	requests uint64 // the latest ordinal
	admitted int
	refused  int
	failed   int
	busy     time.Duration // latency of everything admitted
	bucket   bucketState
	weather  weather
	errors   [outcomes]error // made once, since half of all requests may need one
}

func newService(w *World, d worldDraws) *service {
	s := &service{cycle: w.Cycle, draws: d, byID: map[string]int{}}
	s.endpoints = make([]endpointState, len(w.Endpoints))
	for i := range w.Endpoints {
		spec := &w.Endpoints[i]
		e := &s.endpoints[i]
		*e = endpointState{
			Endpoint: spec,
			nominal:  float64(float64(spec.Capacity) * spec.Weight),
			weather:  weather{storm: spec.Storm, draws: d, endpoint: i},
		}
		quotaRetryAfter := time.Duration(0)
		if spec.Bucket != nil {
			e.bucket = bucketState{tokens: spec.Bucket.size(), allowance: 1}
			quotaRetryAfter = spec.Bucket.RetryAfter
		}
		for o := range outcomes {
			e.errors[o] = o.asError(quotaRetryAfter)
		}
		e.errors[RefusedCapacity] = RefusedCapacity.asError(capacityRetryAfter)
		s.byID[spec.ID] = i
	}
	return s
}

// admission is what was decided when a request arrived.
type admission struct {
	at       time.Duration
	endpoint int
	ordinal  uint64
	outcome  Outcome
	latency  time.Duration // 0 for a refused request
	stormy   bool          // only looked at for admitted requests
}

// admit decides the request that arrives at now.
func (s *service) admit(endpoint int, now time.Duration) admission {
	e := &s.endpoints[endpoint]
	e.requests++
	a := admission{at: now, endpoint: endpoint, ordinal: e.requests}
	if e.inFlight >= s.cycle.enforced(e.nominal, now) {
		a.outcome = RefusedCapacity
		e.refuse()
		return a
	}
	if e.Bucket != nil {
		e.bucket.refill(e.Bucket, now)
		if e.bucket.tokens < 1 {
			a.outcome = RefusedQuota
			e.refuse()
			return a
		}
		e.bucket.tokens--
	}
	luck := s.draws.request(endpoint, a.ordinal)
	if s.rolled != nil {
		s.rolled(e.ID, a.ordinal, luck)
	}
	a.stormy = e.weather.stormy(now)
	a.outcome = e.fate(luck, a.stormy)
	a.latency = e.latency(luck)
	e.admitted++
	e.inFlight++
	e.busy += a.latency
	return a
}

// finish ends a request and returns its outcome as the client sees it.
func (s *service) finish(a admission) error {
	e := &s.endpoints[a.endpoint]
	if !a.outcome.Refused() {
		e.inFlight--
	}
	if a.outcome.Failed() {
		e.failed++
	}
	return e.errors[a.outcome]
}

func (e *endpointState) refuse() {
	e.refused++
	if e.Bucket != nil {
		e.bucket.tighten(e.Bucket)
	}
}

// latency is how long an admitted request lasts, to the nearest nanosecond.
func (e *Endpoint) latency(r rolls) time.Duration {
	x := float64(seconds(e.Median) * numeric.Exp(float64(e.Sigma*r.z)))
	if r.tail < e.TailRate {
		x = float64(x * e.TailFactor)
	}
	return nanoseconds(x)
}

// nanoseconds rounds seconds to the nearest nanosecond. What does not fit
// (some three hundred years) is cut.
func nanoseconds(s float64) time.Duration {
	ns := math.RoundToEven(float64(s * 1e9))
	if ns >= math.MaxInt64/2 {
		return math.MaxInt64 / 2
	}
	return time.Duration(ns)
}

func (e *Endpoint) fate(r rolls, stormy bool) Outcome {
	rate := e.ErrorRate
	if stormy {
		rate = e.Storm.ErrorRate
	}
	switch {
	case r.failure >= rate:
		return Served
	case r.kind < 0.5:
		return Failed503
	case r.kind < 0.8:
		return FailedReset
	}
	return FailedTimeout
}

// offered returns the capacity-seconds that all endpoints offered until end.
func (s *service) offered(end time.Duration) float64 {
	sum := 0.0
	for i := range s.endpoints {
		sum += float64(s.endpoints[i].nominal * s.cycle.integral(end))
	}
	return sum
}
