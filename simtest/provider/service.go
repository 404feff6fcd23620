package provider

import (
	"time"

	"github.com/ranktest/ranktest/acquire"
)

// service is the provider at work: the endpoints' state in one run.
type service struct {
	cycle     Cycle
	draws     worldDraws
	endpoints []endpointState
	rolled    func(endpoint string, ordinal uint64, r rolls) // or nil
}

// indexOf returns the position of an endpoint. Worlds have few of them, and the
// ids that come in are mostly the very strings that are compared with: looking
// through them takes a fraction of what a map takes.
func (s *service) indexOf(id string) int {
	for i := range s.endpoints {
		if s.endpoints[i].ID == id {
			return i
		}
	}
	panic("provider: a lease of an endpoint that the world does not have: " + id)
}

// endpointState is an endpoint at work. What the endpoint does not have is
// nil, so that it costs a comparison at most.
type endpointState struct {
	Endpoint
	nominal  float64 // Capacity * Weight
	enforced cursor  // how many requests may be in flight
	shared   *shared // by all endpoints of the vendor
	inFlight int
	requests uint64 // the latest ordinal
	admitted int
	refused  int
	failed   int
	busy     time.Duration // latency of everything admitted
	bucket   bucketState
	limits   []limiter
	outages  outages
	weather  weather
	cache    *lru
	errors   [outcomes]error // made once, since half of all requests may need one
	full     map[string]float64
	cached   map[string]float64 // usage of a request, and of one that the cache knew
}

// shared is a vendor's limit over all its endpoints.
type shared struct{ inFlight, most int }

func newService(w *World, d worldDraws, enforced enforcedCapacity) *service {
	s := &service{cycle: w.Cycle, draws: d}
	s.endpoints = make([]endpointState, len(w.Endpoints))
	vendors := map[string]*shared{}
	for vendor, most := range w.VendorCapacity {
		vendors[vendor] = &shared{most: most}
	}
	for i := range w.Endpoints {
		e := &s.endpoints[i]
		e.Endpoint = w.Endpoints[i]
		e.Median = e.median()
		e.nominal = e.Endpoint.nominal()
		e.weather = weather{storm: e.Storm, draws: d, endpoint: i}
		e.outages = e.Outages
		e.shared = vendors[w.vendorOf(i)]
		e.full = map[string]float64{"tokens": 1}
		e.enforced.steps = enforced.endpoints[i]
		for i := range e.Limits {
			e.limits = append(e.limits, e.Limits[i].start())
		}
		if e.Cache != nil {
			e.cache = newLRU(e.Cache.Entries)
			e.cached = map[string]float64{"tokens": e.Cache.Cost}
		}
		quotaRetryAfter := time.Duration(0)
		if e.Bucket != nil {
			e.bucket = bucketState{tokens: e.Bucket.size(), allowance: 1}
			quotaRetryAfter = e.Bucket.RetryAfter
		}
		for o := range outcomes {
			e.errors[o] = o.asError(quotaRetryAfter)
		}
		e.errors[RefusedCapacity] = RefusedCapacity.asError(capacityRetryAfter)
	}
	return s
}

// admission is what was decided when a request arrived.
type admission struct {
	at         time.Duration
	endpoint   int
	ordinal    uint64
	outcome    Outcome
	latency    time.Duration      // 0 for a refused request
	stormy     bool               // only looked at for admitted requests
	down       bool               // it met an outage, and takes no capacity
	retryAfter time.Duration      // of a refusal by one of the limits
	usage      map[string]float64 // what it takes, if it is served
}

// admit decides the request of a job that arrives at now.
func (s *service) admit(endpoint int, now time.Duration, j *job) admission {
	e := &s.endpoints[endpoint]
	e.requests++
	a := admission{at: now, endpoint: endpoint, ordinal: e.requests}
	if len(e.outages) > 0 && s.down(e, &a) {
		return a
	}
	if e.inFlight >= e.enforced.now(now) || e.shared != nil && e.shared.inFlight >= e.shared.most {
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
	}
	known := e.cache != nil && j.key > 0 && e.cache.knows(j.key)
	if e.limits != nil {
		if a.retryAfter = e.charge(now, known); a.retryAfter > 0 {
			a.outcome = RefusedQuota
			e.refuse()
			return a
		}
	}
	if e.Bucket != nil {
		e.bucket.tokens--
	}
	luck := s.luck(e, a.endpoint, a.ordinal)
	a.stormy = e.weather.stormy(now)
	a.outcome = e.fate(luck, a.stormy)
	a.latency = e.latency(luck)
	a.usage = e.full
	if j.size > 0 || e.Slowdown > 0 || known {
		a.latency = e.modified(a.latency, j.size, known)
	}
	if known {
		a.usage = e.cached
	}
	if e.cache != nil && j.key > 0 {
		e.cache.use(j.key)
	}
	if e.shared != nil {
		e.shared.inFlight++
	}
	e.inFlight++
	e.admitted++
	e.busy += a.latency
	return a
}

func (s *service) luck(e *endpointState, endpoint int, ordinal uint64) rolls {
	luck := s.draws.request(endpoint, ordinal)
	if s.rolled != nil {
		s.rolled(e.ID, ordinal, luck)
	}
	return luck
}

// down decides whether a request fails for an outage. It counts as admitted,
// and takes no capacity.
func (s *service) down(e *endpointState, a *admission) bool {
	o := e.outages.at(a.at)
	if o == nil {
		return false
	}
	luck := s.luck(e, a.endpoint, a.ordinal)
	if luck.failure >= o.ErrorRate {
		return false
	}
	a.outcome, a.latency, a.down = kindOf(luck), o.After, true
	e.admitted++
	e.busy += a.latency
	return true
}

// charge counts a request in all limits if it passes all of them; if not it
// returns how long to wait.
func (e *endpointState) charge(now time.Duration, known bool) time.Duration {
	cost, wait := int64(parts), time.Duration(0)
	if known {
		cost = e.Cache.parts()
	}
	for _, l := range e.limits {
		wait = max(wait, l.wait(now, cost))
	}
	if wait == 0 {
		for _, l := range e.limits {
			l.take(now, cost)
		}
	}
	return wait
}

// modified is a latency under the circumstances of its request.
func (e *endpointState) modified(d time.Duration, size float64, known bool) time.Duration {
	x := seconds(d)
	if size > 0 {
		x = float64(x * size)
	}
	x = float64(x * (1 + float64(e.Slowdown*float64(e.inFlight))))
	if known {
		x = float64(x * e.Cache.Factor)
	}
	return nanoseconds(x)
}

// finish ends a request and returns its outcome as the client sees it.
func (s *service) finish(a *admission) error {
	e := &s.endpoints[a.endpoint]
	if a.outcome.Refused() {
		if a.retryAfter > 0 {
			return &acquire.StatusError{Status: 429, Wait: a.retryAfter, HasWait: true}
		}
		return e.errors[a.outcome]
	}
	s.leave(a)
	if a.outcome.Failed() {
		e.failed++
	}
	return e.errors[a.outcome]
}

// leave takes an admitted request off the load.
func (s *service) leave(a *admission) {
	if a.down {
		return
	}
	e := &s.endpoints[a.endpoint]
	e.inFlight--
	if e.shared != nil {
		e.shared.inFlight--
	}
}

func (e *endpointState) refuse() {
	e.refused++
	if e.Bucket != nil {
		e.bucket.tighten(e.Bucket)
	}
}

func (e *Endpoint) fate(r rolls, stormy bool) Outcome {
	rate := e.ErrorRate
	if stormy {
		rate = e.Storm.ErrorRate
	}
	if r.failure >= rate {
		return Served
	}
	return kindOf(r)
}

// kindOf says how a request fails that does.
func kindOf(r rolls) Outcome {
	switch {
	case r.kind < 0.5:
		return Failed503
	case r.kind < 0.8:
		return FailedReset
	}
	return FailedTimeout
}

// offered returns the capacity-seconds that all endpoints offered until end,
// by the formula, with fractions of a request.
func (s *service) offered(end time.Duration) float64 {
	sum := 0.0
	for i := range s.endpoints {
		e := &s.endpoints[i]
		if e.Pinned {
			sum += float64(e.nominal * seconds(end))
			continue
		}
		sum += float64(e.nominal * s.cycle.integral(end))
	}
	return sum
}
