package provider

import (
	"slices"
	"sort"
	"time"
)

// steps is a step function of time that repeats with a period: the capacity
// that is really enforced, a whole number. It has values[i] from starts[i] on,
// up to the next start or the end of the period.
type steps struct {
	period time.Duration // 0: constant
	starts []time.Duration
	values []int
}

func constant(n int) steps { return steps{starts: []time.Duration{0}, values: []int{n}} }

// steps returns the enforced capacity of an endpoint as a function of time.
// Between two turning points of the cycle the capacity only grows or only
// falls, so bisection finds the nanosecond of every change.
func (c Cycle) steps(nominal float64) steps {
	if c.Period <= 0 {
		return constant(c.enforced(nominal, 0))
	}
	s := steps{period: c.Period, starts: []time.Duration{0}, values: []int{c.enforced(nominal, 0)}}
	turn := func(at time.Duration) time.Duration { return (at%c.Period + c.Period) % c.Period }
	bounds := []time.Duration{0, turn(c.Phase), turn(c.Phase + c.Period/2), c.Period}
	slices.Sort(bounds)
	for i := range len(bounds) - 1 {
		s.find(bounds[i], bounds[i+1], func(t time.Duration) int { return c.enforced(nominal, t) })
	}
	return s
}

// find adds the changes of a monotone function in (from, to].
func (s *steps) find(from, to time.Duration, value func(time.Duration) int) {
	for at := from; at < to; {
		now := value(at)
		if now == value(to) {
			return
		}
		at += 1 + time.Duration(sort.Search(int(to-at-1), func(d int) bool { return value(at+1+time.Duration(d)) != now }))
		if at < s.period {
			s.starts, s.values = append(s.starts, at), append(s.values, value(at))
		}
	}
}

// at returns the value at t, which is in the first period.
func (s steps) at(t time.Duration) int {
	i := sort.Search(len(s.starts), func(i int) bool { return s.starts[i] > t })
	return s.values[i-1]
}

// cursor reads a step function at times that mostly grow, without searching.
type cursor struct {
	steps
	i int // the step of the latest reading
}

// now returns the value at t.
func (c *cursor) now(t time.Duration) int {
	if c.period > 0 {
		t %= c.period
		if c.starts[c.i] > t {
			c.i = 0
		}
		for c.i+1 < len(c.starts) && c.starts[c.i+1] <= t {
			c.i++
		}
	}
	return c.values[c.i]
}

// integral returns the integral over [0, t], in seconds: exact but for the
// conversion to seconds.
func (s steps) integral(t time.Duration) float64 {
	if s.period == 0 {
		return float64(float64(s.values[0]) * seconds(t))
	}
	return float64(float64(t/s.period)*s.within(s.period)) + s.within(t%s.period)
}

// within is integral for a t of at most a period.
func (s steps) within(t time.Duration) float64 {
	sum := 0.0
	for i, start := range s.starts {
		end := s.period
		if i+1 < len(s.starts) {
			end = s.starts[i+1]
		}
		if end = min(end, t); end > start {
			sum += float64(float64(s.values[i]) * seconds(end-start))
		}
	}
	return sum
}

// limitedTo returns the sum of step functions, which have the same period or
// are constant, but never more than most.
func limitedTo(most int, all []steps) steps {
	sum := steps{starts: []time.Duration{0}}
	for _, s := range all {
		sum.period = max(sum.period, s.period)
		sum.starts = append(sum.starts, s.starts...)
	}
	slices.Sort(sum.starts)
	sum.starts = slices.Compact(sum.starts)
	for _, t := range sum.starts {
		n := 0
		for _, s := range all {
			n += s.at(t)
		}
		sum.values = append(sum.values, min(n, most))
	}
	return sum
}

// enforcedCapacity is what a world's provider enforces, endpoint by endpoint,
// and vendor by vendor with the vendor's own limit.
type enforcedCapacity struct{ endpoints, vendors []steps }

func newEnforcedCapacity(w *World) enforcedCapacity {
	var c enforcedCapacity
	byVendor := map[string][]steps{}
	for i := range w.Endpoints {
		e := &w.Endpoints[i]
		s := w.Cycle.steps(e.nominal())
		if e.Pinned {
			s = constant(enforced(e.nominal()))
		}
		c.endpoints = append(c.endpoints, s)
		vendor := w.vendorOf(i)
		byVendor[vendor] = append(byVendor[vendor], s)
	}
	for _, vendor := range w.vendors() {
		if most, limited := w.VendorCapacity[vendor]; limited {
			c.vendors = append(c.vendors, limitedTo(most, byVendor[vendor]))
		} else {
			c.vendors = append(c.vendors, byVendor[vendor]...)
		}
	}
	return c
}

// offered returns the capacity-seconds until t, of all vendors and of each
// endpoint.
func (c enforcedCapacity) offered(t time.Duration) (total float64, endpoints []float64) {
	for _, v := range c.vendors {
		total += v.integral(t)
	}
	for _, e := range c.endpoints {
		endpoints = append(endpoints, e.integral(t))
	}
	return total, endpoints
}
