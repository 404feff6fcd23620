package provider

import "time"

// Endpoint is one place where requests can be sent, with all that is assumed
// about it. A request that arrives at time t, when others are in flight,
//
//   - fails if an outage says so;
//   - else is refused for capacity, with a Retry-After of 0.25 s, if at least
//     Cycle.enforced(Capacity*Weight, t) are in flight, or as many at all
//     endpoints of the vendor as World.VendorCapacity allows;
//   - else is refused for quota if the bucket holds less than one token, with
//     Bucket.RetryAfter, or if one of Limits is used up, with the exact time
//     after which the same request would pass;
//   - else is admitted: it takes a token and lasts its latency, and fails at
//     the end of it with probability ErrorRate, or StormErrorRate if it was
//     admitted during a storm.
//
// Latency is a random variate of Law, times TailFactor with probability
// TailRate, times the job's size, times 1 + Slowdown * (others in flight), times
// Cache.Factor if the cache knows the job's key.
type Endpoint struct {
	// ID names the endpoint, in the pool too.
	ID string
	// Vendor is whom it belongs to. The client has one pool for each vendor, in
	// order of first appearance, with the vendor's name; algorithms are pointed
	// at the first and can name the others. If no endpoint names a vendor,
	// there is one pool, with the world's name.
	Vendor string
	// Capacity is how many leases the client's pool hands out at once, >= 1.
	Capacity int
	// Weight scales what the provider really enforces, > 0. The client does
	// not know it.
	Weight float64
	// Pinned capacity does not follow the cycle: it is always at the peak of 1.
	Pinned bool

	// Law is the distribution of the latency, log-normal by default.
	Law Law
	// Median is the median latency, Mean its mean before sizes, load and caches,
	// the tail included: exactly one of the two is > 0.
	Median, Mean time.Duration
	// Sigma is the standard deviation of the logarithm of a log-normal
	// latency, >= 0.
	Sigma float64
	// TailRate in [0, 1] and TailFactor >= 0 make rare slow requests.
	TailRate, TailFactor float64
	// Slowdown makes a request slower by this part for each other one that is
	// in flight at the endpoint when it is admitted, >= 0.
	Slowdown float64
	// Cache makes requests faster that are about something known; nil for none.
	Cache *Cache

	// ErrorRate is the probability of a failure outside storms.
	ErrorRate float64
	// Storm is the endpoint's bad weather.
	Storm Storm
	// Outages are times when it is down, in order.
	Outages []Outage
	// Bucket is a rate limit that tightens when it is met; nil for none.
	Bucket *Bucket
	// Limits are what the vendor's price list says, and enforces.
	Limits []Limit
	// Quota is what the vendor's price list declares, by unit: what
	// quota_aware is told. It is not enforced.
	Quota map[string]float64
}

// Storm is correlated failure: weather, a pure function of seed, endpoint and
// time, so that no client can cause or avoid it. Time is cut into windows of
// stormWindow; each starts a storm with probability Rate, which lasts for
// Duration from the window's start.
type Storm struct {
	Rate      float64
	ErrorRate float64
	Duration  time.Duration
}

// stormWindow is how often the weather may turn.
const stormWindow = 10 * time.Second

// capacityRetryAfter is what a refusal for capacity asks the client to wait.
const capacityRetryAfter = 250 * time.Millisecond

// Bucket is a token bucket whose refill is throttled by bad behaviour. It
// starts full with Burst times PerWindow tokens (at least one). An allowance,
// at first 1, scales the refill: every refusal of either kind multiplies it by
// Tightening, down to Floor, and it recovers by Recovery per Window.
type Bucket struct {
	PerWindow  float64
	Window     time.Duration
	Burst      float64
	RetryAfter time.Duration
	Tightening float64
	Floor      float64
	Recovery   float64
}

func (b Bucket) size() float64 { return max(1, float64(b.PerWindow*b.Burst)) }

// bucketState is a bucket at work.
type bucketState struct {
	tokens, allowance float64
	refilled          time.Duration
}

// refill brings the tokens up to now. The allowance recovers first, and its
// new value counts for the whole interval.
func (s *bucketState) refill(b *Bucket, now time.Duration) {
	elapsed := seconds(now - s.refilled)
	if elapsed <= 0 {
		return
	}
	window := seconds(b.Window)
	s.allowance = min(1, s.allowance+float64(b.Recovery*(elapsed/window)))
	s.tokens = min(b.size(), s.tokens+float64(elapsed*float64((b.PerWindow/window)*s.allowance)))
	s.refilled = now
}

func (s *bucketState) tighten(b *Bucket) {
	s.allowance = max(b.Floor, float64(s.allowance*b.Tightening))
}
