package explain

import "github.com/ranktest/ranktest/simtest/provider"

// arrivalRate is the mean number of jobs per second that arrive in an open loop
// until the horizon, which is in seconds.
func arrivalRate(a *provider.Arrivals, horizon float64) float64 {
	switch {
	case a.Every > 0:
		return 1 / a.Every.Seconds()
	case a.Phases != nil:
		jobs, time := 0.0, 0.0
		for _, phase := range a.Phases {
			jobs += phase.Rate * phase.Mean.Seconds()
			time += phase.Mean.Seconds()
		}
		return jobs / time
	case a.Profile != nil:
		return profileJobs(a.Profile, horizon) / horizon
	case a.Trace != nil && len(a.Trace.Arrivals) > 0:
		n := 0
		for _, arrival := range a.Trace.Arrivals {
			if arrival.At.Seconds() < horizon {
				n++
			}
		}
		return float64(n) / horizon
	}
	return a.Rate
}

// profileJobs is the area under a rate that is linear between its points and
// constant before the first and after the last.
func profileJobs(points []provider.RatePoint, horizon float64) float64 {
	jobs, at, rate := 0.0, 0.0, points[0].Rate
	for _, p := range points {
		end := p.At.Seconds()
		to := p.Rate
		if end > horizon {
			if end > at {
				to = rate + (p.Rate-rate)*(horizon-at)/(end-at)
			}
			end = horizon
		}
		jobs += (rate + to) / 2 * (end - at)
		at, rate = end, to
		if at == horizon {
			return jobs
		}
	}
	return jobs + rate*(horizon-at)
}

// meanSize is that of the jobs: 1 but for recorded ones.
func meanSize(a *provider.Arrivals) float64 {
	if a.Trace == nil || len(a.Trace.Arrivals) == 0 {
		return 1
	}
	sum := 0.0
	for _, arrival := range a.Trace.Arrivals {
		if arrival.Size == 0 {
			sum++
		}
		sum += arrival.Size
	}
	return sum / float64(len(a.Trace.Arrivals))
}

// peakRate is the highest rate of arrivals that is written down, 0 if none is
// above the mean.
func peakRate(a *provider.Arrivals) float64 {
	peak := 0.0
	for _, phase := range a.Phases {
		peak = max(peak, phase.Rate)
	}
	for _, point := range a.Profile {
		peak = max(peak, point.Rate)
	}
	return peak
}
