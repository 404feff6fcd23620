package provider

import "time"

// Endpoint is one place where requests can be sent, with all that is assumed
// about it. A request that arrives at time t, when others are in flight, is
//
//   - refused for capacity, with a Retry-After of 0.25 s, if at least
//     Cycle.enforced(Capacity*Weight, t) are in flight;
//   - else refused for quota, with Bucket.RetryAfter, if the bucket holds less
//     than one token;
//   - else admitted: it takes a token and lasts its latency, and fails at the
//     end of it with probability ErrorRate, or StormErrorRate if it was
//     admitted during a storm.
//
// Latency is Median*exp(Sigma*z), z a standard normal roll, times TailFactor
// with probability TailRate.
type Endpoint struct {
	// ID names the endpoint, in the pool too.
	ID string
	// Capacity is how many leases the client's pool hands out at once, >= 1.
	Capacity int
	// Weight scales what the provider really enforces, > 0. The client does
	// not know it.
	Weight float64

	// Median is the median latency, > 0.
	Median time.Duration
	// Sigma is the standard deviation of the logarithm of the latency, >= 0.
	Sigma float64
	// TailRate in [0, 1] and TailFactor >= 0 make rare slow requests.
	TailRate, TailFactor float64

	// ErrorRate is the probability of a failure outside storms.
	ErrorRate float64
	// Storm is the endpoint's bad weather.
	Storm Storm
	// Bucket is the rate limit; nil for none.
	Bucket *Bucket
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

func seconds(d time.Duration) float64 { return float64(d) / 1e9 }
