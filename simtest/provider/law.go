package provider

import (
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/numeric"
)

// Law is a distribution of latencies.
type Law string

// The laws. What they have in common is a scale, the median.
const (
	// LogNormal latency is Median*exp(Sigma*z), z standard normal: what most
	// measured services look like.
	LogNormal Law = ""
	// Exponential latency has the mean Median/ln 2.
	Exponential Law = "exponential"
	// Deterministic latency is always Median.
	Deterministic Law = "deterministic"
)

// median returns the median latency of an endpoint, from its mean if that is
// what it was given.
func (e *Endpoint) median() time.Duration {
	if e.Mean == 0 {
		return e.Median
	}
	mean := seconds(e.Mean) / (1 + float64(e.TailRate*(e.TailFactor-1)))
	switch e.Law {
	case LogNormal:
		return nanoseconds(float64(mean * numeric.Exp(-float64(e.Sigma*e.Sigma)/2)))
	case Exponential:
		return nanoseconds(float64(mean * math.Ln2))
	}
	return nanoseconds(mean)
}

// latency is how long an admitted request lasts by the law alone, to the
// nearest nanosecond. Median must be set.
func (e *Endpoint) latency(r rolls) time.Duration {
	x := seconds(e.Median)
	switch e.Law {
	case LogNormal:
		x = float64(x * numeric.Exp(float64(e.Sigma*r.z)))
	case Exponential:
		x = float64(x * float64(r.z/math.Ln2))
	}
	if r.tail < e.TailRate {
		x = float64(x * e.TailFactor)
	}
	return nanoseconds(x)
}

// seconds and nanoseconds convert between durations and the numbers that are
// calculated with.
func seconds(d time.Duration) float64 { return float64(d) / 1e9 }

// nanoseconds rounds to the nearest nanosecond. What does not fit (some three
// hundred years) is cut.
func nanoseconds(s float64) time.Duration {
	ns := math.RoundToEven(float64(s * 1e9))
	if ns >= math.MaxInt64/2 {
		return math.MaxInt64 / 2
	}
	return time.Duration(ns)
}
