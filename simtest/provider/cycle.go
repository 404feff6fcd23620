package provider

import (
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/numeric"
)

// Cycle is how the provider's capacity comes and goes, the same at every
// endpoint:
//
//	factor(t) = m - a cos(2 pi (t - Phase)/Period),  m, a = (Peak ± Trough)/2
//
// so that it starts at the trough. A Period of 0 or less means always Peak.
type Cycle struct {
	Period, Phase time.Duration
	Trough, Peak  float64
}

func (c Cycle) mean() float64      { return float64((c.Peak + c.Trough) / 2) }
func (c Cycle) amplitude() float64 { return (c.Peak - c.Trough) / 2 }

// Factor returns the share of the nominal capacity that there is at t.
func (c Cycle) Factor(t time.Duration) float64 {
	if c.Period <= 0 {
		return c.Peak
	}
	// Whole periods are taken off as integers: the cosine's argument stays
	// small, and a run of any length has the accuracy of its first period.
	angle := float64(2*math.Pi*seconds((t-c.Phase)%c.Period)) / seconds(c.Period)
	return c.mean() - float64(c.amplitude()*numeric.Cos(angle))
}

// enforced returns how many requests may be in flight at t where nominal is
// offered at the peak: at least one.
func (c Cycle) enforced(nominal float64, t time.Duration) int {
	return enforced(float64(nominal * c.Factor(t)))
}

// enforced is the whole number of requests that a capacity stands for.
func enforced(capacity float64) int { return int(max(1, math.RoundToEven(capacity))) }

// integral returns the integral of Factor over [0, t], in seconds:
//
//	m t - a/w (sin(w (t - phase)) - sin(-w phase)),  w = 2 pi/period
func (c Cycle) integral(t time.Duration) float64 {
	if c.Period <= 0 {
		return float64(c.Peak * seconds(t))
	}
	period := seconds(c.Period)
	w := 2 * math.Pi / period
	sine := func(at time.Duration) float64 {
		return numeric.Sin(float64(w * seconds(at%c.Period)))
	}
	return float64(c.mean()*seconds(t)) - float64((c.amplitude()/w)*(sine(t-c.Phase)-sine(-c.Phase)))
}
