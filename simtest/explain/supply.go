package explain

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

// supply is what an endpoint can do, worked out from its assumptions.
type supply struct {
	// low, high and mean are how many requests it takes at once, over the
	// cycle; usable is the mean of what the pool's leases can reach of it.
	low, high    int
	mean, usable float64
	// latency is the mean, alone at the endpoint and not in its cache; full
	// with the usable number of requests in flight.
	latency, full float64
	// stormy is the share of time that is a storm, out the share of requests
	// that outages make fail, and failing the probability that a request fails,
	// for whatever reason but a refusal: all on average until the horizon.
	stormy, out, failing float64
	// rate is the most that it serves per second, on average until the
	// horizon, and binds is what keeps it from serving more.
	rate  float64
	binds string
}

// pieces is how finely time is cut for averages over it.
const pieces = 4096

// instants returns the middle of each piece of the time until the horizon, or
// of one cycle if there are very many and nothing else changes.
func instants(w *provider.World) iter.Seq[time.Duration] {
	length := w.Workload.Horizon
	if period := w.Cycle.Period; period > 0 && length > 100*period && w.Changes == nil {
		length = period
	}
	return func(yield func(time.Duration) bool) {
		for i := range pieces {
			if !yield(time.Duration((float64(i) + 0.5) / pieces * float64(length))) {
				return
			}
		}
	}
}

// leases is how many the pool hands out at once at an instant, after the
// changes until then.
func leases(w *provider.World, e *provider.Endpoint, at time.Duration) int {
	n, first := e.Capacity, true
	for _, c := range w.Changes {
		if c.Endpoint != e.ID {
			continue
		}
		if first && c.Kind == provider.Publish {
			n = 0 // it is not there before
		}
		first = false
		if c.At > at {
			break
		}
		switch c.Kind {
		case provider.Publish:
			n = e.Capacity
		case provider.Revoke:
			n = 0
		case provider.Resize:
			n = c.Capacity
		}
	}
	return n
}

func newSupply(w *provider.World, e *provider.Endpoint) supply {
	s := supply{low: math.MaxInt}
	for at := range instants(w) {
		n := enforced(w, e, at)
		s.low, s.high = min(s.low, n), max(s.high, n)
		s.mean += float64(n) / pieces
		s.usable += float64(min(n, leases(w, e, at))) / pieces
	}
	s.latency = meanLatency(e)
	s.full = s.latency * (1 + e.Slowdown*max(0, s.usable-1))
	s.stormy = stormShare(e.Storm)
	horizon := w.Workload.Horizon.Seconds()
	for _, o := range e.Outages {
		s.out += max(0, min(o.Until.Seconds(), horizon)-o.From.Seconds()) / horizon * o.ErrorRate
	}
	s.failing = s.out + (1-s.out)*((1-s.stormy)*e.ErrorRate+s.stormy*e.Storm.ErrorRate)
	s.rate, s.binds = (1-s.out)*s.usable/s.full, "its capacity"
	if b := e.Bucket; b != nil {
		s.limit(max(1, b.PerWindow*b.Burst)/horizon+b.PerWindow/b.Window.Seconds(), "its token bucket")
	}
	for _, l := range e.Limits {
		s.limit(quota(l, horizon)/horizon, "its quota")
	}
	return s
}

func (s *supply) limit(rate float64, by string) {
	if rate < s.rate {
		s.rate, s.binds = rate, by
	}
}

// quota is the most that a limit lets pass in so many seconds.
func quota(l provider.Limit, seconds float64) float64 {
	windows := seconds / l.Window.Seconds()
	if l.Kind != provider.TokenBucket {
		return float64(l.Amount) * math.Ceil(windows)
	}
	burst := l.Burst
	if burst == 0 {
		burst = l.Amount
	}
	return float64(burst) + float64(l.Amount)*windows
}

// together is how many requests all endpoints take at once, over the cycle,
// with the limits of the vendors.
func together(w *provider.World) (low, high int, mean float64) {
	low = math.MaxInt
	for at := range instants(w) {
		total, of := 0, map[string]int{}
		for i := range w.Endpoints {
			e := &w.Endpoints[i]
			n := enforced(w, e, at)
			if most, limited := w.VendorCapacity[vendorOf(w, e)]; limited {
				n = min(n, most-of[vendorOf(w, e)])
			}
			of[vendorOf(w, e)] += n
			total += n
		}
		low, high = min(low, total), max(high, total)
		mean += float64(total) / pieces
	}
	return low, high, mean
}

// reach is about what so many requests in flight can get served per second, on
// average over the cycle. They are best placed where latency is shortest, up to
// what each endpoint takes at the instant and serves on average.
func reach(w *provider.World, supplies []supply, inFlight int) float64 {
	order := make([]int, len(supplies))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(supplies[i].latency, supplies[j].latency) })
	total := 0.0
	for at := range instants(w) {
		left := float64(inFlight)
		for _, i := range order {
			s := &supplies[i]
			e := &w.Endpoints[i]
			n := min(left, float64(min(enforced(w, e, at), leases(w, e, at))), s.rate*s.latency)
			left -= n
			total += n / s.latency / pieces
		}
	}
	return total
}

// enforced is how many requests the endpoint takes at once at an instant: the
// rule of package provider.
func enforced(w *provider.World, e *provider.Endpoint, at time.Duration) int {
	nominal := float64(e.Capacity) * e.Weight
	if !e.Pinned {
		nominal *= w.Cycle.Factor(at)
	}
	return int(max(1, math.RoundToEven(nominal)))
}

// meanLatency is in seconds: that of the law, the tail included.
//
//	log-normal   median * exp(sigma^2/2)
//	exponential  median / ln 2
func meanLatency(e *provider.Endpoint) float64 {
	if e.Mean > 0 {
		return e.Mean.Seconds()
	}
	mean := e.Median.Seconds()
	switch e.Law {
	case provider.LogNormal:
		mean *= math.Exp(e.Sigma * e.Sigma / 2)
	case provider.Exponential:
		mean /= math.Ln2
	}
	return mean * (1 + e.TailRate*(e.TailFactor-1))
}

// stormWindow is how often the weather of package provider may turn.
const stormWindow = 10 * time.Second

// stormShare is the share of time that is a storm. An instant is fair if none
// of the windows whose storms would still last has one. With a duration of q
// whole windows and a rest r these are q+1 windows in the first r of a window,
// and q later:
//
//	1 - r/window * (1-rate)^(q+1) - (1 - r/window) * (1-rate)^q
func stormShare(s provider.Storm) float64 {
	q := float64(s.Duration / stormWindow)
	rest := float64(s.Duration%stormWindow) / float64(stormWindow)
	return 1 - rest*math.Pow(1-s.Rate, q+1) - (1-rest)*math.Pow(1-s.Rate, q)
}
