package explain

import (
	"fmt"
	"math"
	"strings"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/provider"
)

// explainWork says what there is to do.
func explainWork(p *page, w *provider.World) {
	l := w.Workload
	p.heading("The work")
	p.item("jobs", "%s", jobs(&l))
	if l.Arrivals == nil {
		text := fmt.Sprintf("as workers are free: %d of them take the next job when they have finished one (a closed loop, so a slow provider is asked less)", l.Concurrency)
		if l.Think > 0 {
			text += fmt.Sprintf(", after a pause of %s on average", span(l.Think))
		}
		p.item("they come", "%s", text)
	} else {
		p.item("they come", "%s, whatever becomes of those before them (an open loop)", arrivals(l.Arrivals))
		switch {
		case l.Concurrency == 0:
			p.item("in progress", "any number of jobs at once")
		case l.Arrivals.Drop:
			p.item("in progress", "at most %d at once; one that arrives then is turned away, and counts as failed", l.Concurrency)
		default:
			p.item("in progress", "at most %d at once; others wait in line", l.Concurrency)
		}
	}
	p.item("horizon", "after %s none is begun; those that were are finished", span(l.Horizon))
	if l.Patience > 0 {
		p.item("deadline", "%s after its beginning or arrival a job is given up", span(l.Patience))
	}
	if l.CallTimeout > 0 {
		p.item("timeout", "an answer is waited for %s at most; the provider goes on with what nobody waits for", span(l.CallTimeout))
	}
	if k := l.Keys; k != nil {
		p.item("keys", "a job is about one of %s, the k-th most popular with a probability in proportion to k^-%s", count(k.Number, "key"), number(k.Skew))
	}
}

func jobs(l *provider.Workload) string {
	steps, calls := "one step", "one call, under a lease"
	if l.StepsPerJob > 1 {
		steps = fmt.Sprintf("%d steps in sequence", l.StepsPerJob)
	}
	if l.CallsPerStep > 1 {
		calls = fmt.Sprintf("%d calls, one after the other, each under a lease of its own", l.CallsPerStep)
	}
	return fmt.Sprintf("%d, each of %s; a try at a step makes %s", l.Jobs, steps, calls)
}

func arrivals(a *provider.Arrivals) string {
	switch {
	case a.Every > 0:
		return "one every " + span(a.Every)
	case a.Phases != nil:
		var phases []string
		for _, phase := range a.Phases {
			phases = append(phases, fmt.Sprintf("%s/s for %s on average", number(phase.Rate), span(phase.Mean)))
		}
		return "at random, in bursts: " + strings.Join(phases, ", then ")
	case a.Profile != nil:
		var points []string
		for _, point := range a.Profile {
			points = append(points, fmt.Sprintf("%s/s at %s", number(point.Rate), span(point.At)))
		}
		return "at random, at a rate that is linear between " + list(points)
	case a.Trace != nil:
		return fmt.Sprintf("as recorded in %s, %s", a.Trace.Name, count(len(a.Trace.Arrivals), "arrival"))
	}
	return fmt.Sprintf("at random, %s/s on average (a Poisson process)", number(a.Rate))
}

// explainClient says how the client behaves, whatever algorithm it uses.
func explainClient(p *page, w *provider.World) {
	p.heading("The client")
	p.item("retries", "%s", retries(w.Retry))
	if b := w.RetryBudget; b != nil {
		p.item("retry budget", "every step earns %s of a retry, at most %d are saved up, and without one there is none", number(b.Ratio), b.Burst)
	}
	p.item("its pool", "%s", health(healthOf(w)))
	if w.Order == pool.FIFO {
		p.item("waiting", "first come, first served: freed capacity goes to whoever has waited longest")
	} else {
		p.item("waiting", "whoever asks first after a release gets it, a newcomer before those who wait, if it is quicker")
	}
}

func retries(r acquire.Retry) string {
	if r.MaxAttempts <= 1 {
		return "none: a step is tried once"
	}
	tries := fmt.Sprintf("a step is tried up to %d times", r.MaxAttempts)
	if r.MaxAttempts == acquire.Unlimited {
		tries = "a step is tried again without limit"
	}
	const shown = 6
	var waits []string
	for n := 1; n < r.MaxAttempts && n <= shown; n++ {
		waits = append(waits, span(r.Raw(n)))
	}
	between := list(waits)
	if r.MaxAttempts-1 > shown {
		between = strings.Join(waits, ", ") + " and so on"
	}
	spread := "are"
	switch r.Jitter {
	case acquire.FullJitter:
		spread = "are uniform from 0 to"
	case acquire.EqualJitter:
		spread = "are uniform from one half to the whole of"
	}
	text := fmt.Sprintf("%s; the waits between %s %s; a Retry-After of the server takes the place of a wait", tries, spread, between)
	if r.MaxTotal > 0 {
		text += fmt.Sprintf("; none begins later than %s after the first try", span(r.MaxTotal))
	}
	if r.RetryUnknown {
		return text + ". To get no lease is retried like any failure"
	}
	return text + ". To get no lease is not retried: it ends the job"
}

// healthOf is the policy of the pools: what is zero stands for the default one.
func healthOf(w *provider.World) pool.Health {
	if w.Health == (pool.Health{}) {
		return pool.DefaultHealth()
	}
	return w.Health
}

func health(h pool.Health) string {
	text := "counts no failures: an endpoint is used whatever it does."
	if h.DegradeAfter > 0 || h.DeadAfter > 0 {
		text = "counts failures in a row."
	}
	if h.DegradeAfter > 0 {
		text += fmt.Sprintf(" After %d an endpoint rests for %s.", h.DegradeAfter, span(h.Cooldown))
	}
	if h.DeadAfter > 0 {
		text += fmt.Sprintf(" After %d it is dead,", h.DeadAfter)
		if h.Probe {
			text += fmt.Sprintf(" until a probe request, one every %s, succeeds.", span(h.Cooldown))
		} else {
			text += " for good, unless a lease that is still out reports success."
		}
	}
	switch {
	case h.DegradeAfter == 0 && h.DeadAfter == 0:
	case h.RefusalFails:
		text += " A refusal counts as a failure."
	default:
		text += " A refusal does not count."
	}
	if h.HonorRetryAfter {
		text += " A Retry-After is honoured: the endpoint rests as long."
	}
	return text
}

// explainConsequences says what follows for everybody.
func explainConsequences(p *page, w *provider.World, supplies []supply) {
	l := w.Workload
	p.heading("What follows")
	low, high, mean := together(w)
	rate, leases, aside := 0.0, 0, ""
	for i := range supplies {
		rate += supplies[i].rate
		leases += w.Endpoints[i].Capacity
		if w.Endpoints[i].Cache != nil {
			aside = ", caches aside"
		}
	}
	p.item("supply", "all endpoints together take %s, and serve at most %s/s%s", levels(low, high, mean), number(rate), aside)
	calls := float64(l.StepsPerJob) * float64(l.CallsPerStep)
	horizon := l.Horizon.Seconds()
	if l.Arrivals == nil {
		p.item("demand", "%s requests if all goes well at once, %s/s to be done by the horizon", number(float64(l.Jobs)*calls), number(float64(l.Jobs)*calls/horizon))
		if most := reach(w, supplies, l.Concurrency); most < rate {
			rate = most
			p.item("reach", "%d workers, each with one request in flight, get about %s/s of it at best, if they always find the fastest endpoint with a place", l.Concurrency, number(rate))
		}
		room(p, rate*horizon/calls, l.Jobs)
		explainPressure(p, l.Concurrency, low, high, leases)
	} else {
		arriving, size := arrivalRate(l.Arrivals, horizon), meanSize(l.Arrivals)
		text := fmt.Sprintf("%s jobs/s on average, %s requests/s if all goes well at once", number(arriving), number(arriving*calls))
		if size != 1 {
			text += fmt.Sprintf(", each taking %s times as long as one of size 1", number(size))
		}
		p.item("demand", "%s: %s of the supply", text, percent(arriving*calls*size/rate))
		if peak := peakRate(l.Arrivals); peak > arriving {
			p.item("at its peak", "%s jobs/s, %s requests/s: %s of the supply", number(peak), number(peak*calls), percent(peak*calls/rate))
		}
		room(p, rate*horizon/(calls*size), int(min(float64(l.Jobs), arriving*horizon)))
	}
	explainLuck(p, w, supplies)
	if h := healthOf(w); h.RefusalFails && h.DeadAfter > 0 && !h.Probe {
		p.item("beware", "%d refusals in a row kill an endpoint, and nobody ever asks it again: who sends into a full endpoint without looking loses it, and with the last one the run comes to a standstill", h.DeadAfter)
	}
	if !w.Retry.RetryUnknown {
		p.item("beware", "an algorithm that answers \"none available\" instead of waiting gives up the job with it")
	}
}

// levels writes a number of requests that varies.
func levels(low, high int, mean float64) string {
	if low == high {
		return count(low, "request") + " at once"
	}
	return fmt.Sprintf("%d to %d requests at once, %s on average", low, high, number(mean))
}

// room says whether the supply is enough for the jobs.
func room(p *page, possible float64, jobs int) {
	if jobs == 0 {
		return
	}
	if possible >= float64(jobs) {
		p.item("enough?", "yes, for %s times the %d jobs that come: what is lost is lost by waiting and failing, not for want of capacity",
			number(possible/float64(jobs)), jobs)
		return
	}
	p.item("enough?", "no: for about %s of %d jobs until the horizon, even if nothing failed; so the number of jobs done measures who makes the most of the supply",
		number(math.Floor(possible)), jobs)
}

// explainPressure says what a closed loop of workers does to the endpoints.
func explainPressure(p *page, workers, low, high, leases int) {
	switch {
	case workers > leases:
		p.item("pressure", "%d workers share %d leases: some always wait for one", workers, leases)
	case workers > high:
		p.item("pressure", "%d workers are more than the endpoints ever take at once: some requests are refused at any time", workers)
	case workers > low:
		p.item("pressure", "%d workers have enough leases (%d), but in the trough the endpoints take only %d: there the pool hands out what will be refused", workers, leases, low)
	default:
		p.item("pressure", "%d workers are never more than the endpoints take at once (%d): a refusal for capacity comes from a bad choice of endpoint", workers, low)
	}
}

// explainLuck says how often things fail by themselves.
func explainLuck(p *page, w *provider.World, supplies []supply) {
	best, worst := 0, 0
	for i, s := range supplies {
		if s.failing < supplies[best].failing {
			best = i
		}
		if s.failing > supplies[worst].failing {
			worst = i
		}
	}
	if supplies[worst].failing == 0 {
		return
	}
	try := func(i int) float64 { return 1 - math.Pow(1-supplies[i].failing, float64(w.Workload.CallsPerStep)) }
	tries := float64(min(w.Retry.MaxAttempts, 1<<20))
	job := func(i int) float64 {
		return 1 - math.Pow(1-math.Pow(try(i), max(1, tries)), float64(w.Workload.StepsPerJob))
	}
	text := fmt.Sprintf("refusals aside, a try at a step fails with probability %s at %s on average over good and bad times", number(try(worst)), w.Endpoints[worst].ID)
	if best != worst {
		text += fmt.Sprintf(" and %s at %s", number(try(best)), w.Endpoints[best].ID)
	}
	if given := job(worst); given > 1e-4 {
		text += fmt.Sprintf("; a job of which all tries went to %s would be given up with probability %s", w.Endpoints[worst].ID, number(given))
	}
	p.item("bad luck", "%s", text)
}
