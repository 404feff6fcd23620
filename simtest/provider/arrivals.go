package provider

import (
	"math"
	"time"

	"github.com/ranktest/ranktest/simtest/draws"
)

// Arrivals say when the jobs of an open loop arrive: by exactly one of Every,
// Rate, Phases, Profile and Trace. The n-th job arrives at the same instant for
// every contestant, since its draws belong to its number.
type Arrivals struct {
	// Every is the time from each arrival to the next; the first is at 0.
	Every time.Duration
	// Rate makes a Poisson process of this many arrivals per second.
	Rate float64
	// Phases make a Markov-modulated Poisson process (bursts): it goes through
	// the phases in turn, from the last to the first again, stays in each for
	// an exponential time, and has the phase's rate meanwhile.
	Phases []Phase
	// Profile makes a Poisson process whose rate is linear between these
	// points, and constant before the first and after the last.
	Profile []RatePoint
	// Trace is a record of real arrivals.
	Trace *Trace
	// Drop turns a job away that arrives when Workload.Concurrency jobs are in
	// progress: it counts as failed. Otherwise jobs wait in line for a place.
	Drop bool
}

// Phase is a state of a Markov-modulated Poisson process.
type Phase struct {
	Rate float64       // arrivals per second, >= 0
	Mean time.Duration // of the stay, > 0
}

// RatePoint is a point of a time-varying rate, in arrivals per second.
type RatePoint struct {
	At   time.Duration
	Rate float64
}

// arrivals tells the arrivals of a run, one after the other.
type arrivals struct {
	*Arrivals
	horizon time.Duration
	gaps    draws.Key // of the unit Poisson process, by job
	stays   draws.Key // in phases, by their number
	n       int       // arrivals told so far

	// The piece of the rate that time has come to: linear from rate to
	// rate + length*slope, with offset seconds of it passed.
	start                       time.Duration
	length, rate, slope, passed float64
	piece                       int
}

func newArrivals(a *Arrivals, horizon time.Duration, seed uint64) *arrivals {
	s := &arrivals{
		Arrivals: a, horizon: horizon,
		gaps: draws.Of(seed, "arrival"), stays: draws.Of(seed, "phase"),
	}
	s.open()
	return s
}

// next returns the instant and the size of the next arrival; false if there is
// none before the horizon.
func (s *arrivals) next() (at time.Duration, size float64, ok bool) {
	n := s.n
	s.n++
	switch {
	case s.Every > 0:
		if at = s.horizon; time.Duration(n) <= s.horizon/s.Every {
			at = time.Duration(n) * s.Every
		}
	case s.Trace != nil:
		if n >= len(s.Trace.Arrivals) {
			return 0, 0, false
		}
		at, size = s.Trace.Arrivals[n].At, s.Trace.Arrivals[n].Size
	default:
		stream := s.gaps.With(uint64(n)).Stream()
		at = s.elapse(stream.Exponential())
	}
	return at, size, at < s.horizon
}

// elapse lets need, a stretch of the unit Poisson process, pass and returns
// where that ends: a process with the rate r(t) is the unit process seen on a
// clock that shows the integral of r (time change; E. Çinlar, Introduction to
// Stochastic Processes, 1975, ch. 4.7). The horizon is as far as it goes.
//
// In a piece, r d + slope d²/2 = need has the solution
// d = 2 need / (r + sqrt(r² + 2 slope need)), which cancels nothing.
func (s *arrivals) elapse(need float64) time.Duration {
	for s.start < s.horizon {
		rate := s.rate + float64(s.slope*s.passed)
		left := s.length - s.passed
		endless := math.IsInf(left, 1)
		if endless && rate == 0 {
			break
		}
		if area := float64(left * (rate + float64(float64(s.slope*left)/2))); endless || need < area {
			root := math.Sqrt(max(0, float64(rate*rate)+float64(2*float64(s.slope*need))))
			s.passed = min(s.length, s.passed+float64(2*need)/(rate+root))
			return min(s.horizon, s.start+nanoseconds(s.passed))
		} else {
			need = max(0, need-area)
		}
		s.start += nanoseconds(s.length)
		s.passed = 0
		s.piece++
		s.open()
	}
	return s.horizon
}

// open sets the piece of the rate that begins at start.
func (s *arrivals) open() {
	s.length, s.slope = math.Inf(1), 0
	switch {
	case s.Phases != nil:
		phase := s.Phases[s.piece%len(s.Phases)]
		stay := s.stays.With(uint64(s.piece)).Stream()
		s.rate, s.length = phase.Rate, seconds(nanoseconds(float64(seconds(phase.Mean)*stay.Exponential())))
	case s.Profile != nil:
		s.profile()
	default:
		s.rate = s.Rate
	}
}

// profile sets the piece that ends with point number piece, or the endless one
// after the last point.
func (s *arrivals) profile() {
	if s.piece == len(s.Profile) {
		s.rate = s.Profile[s.piece-1].Rate
		return
	}
	to := s.Profile[s.piece]
	from := RatePoint{Rate: to.Rate}
	if s.piece > 0 {
		from = s.Profile[s.piece-1]
	}
	s.rate, s.length = from.Rate, seconds(to.At-from.At)
	if s.length > 0 {
		s.slope = (to.Rate - from.Rate) / s.length
	}
}
