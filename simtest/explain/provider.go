package explain

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

func explainProvider(p *page, s *provider.Scenario) {
	w := s.World()
	p.heading("The world")
	p.text("%s", setting(&w))
	p.text("%s", cycle(&w))
	if w.Draws == provider.PythonDraws {
		p.text("Its randomness is the reference's, a Mersenne Twister for each identity.")
	}
	p.text("Luck is the same for everybody on a seed: the n-th request at an endpoint has the same latency and failure whoever sends it, " +
		"storms depend on the time alone, and a retry's jitter on job, step and attempt.")

	supplies := explainEndpoints(p, &w)
	explainChanges(p, &w)
	explainWork(p, &w)
	explainClient(p, &w)
	explainConsequences(p, &w, supplies)
}

func setting(w *provider.World) string {
	text := fmt.Sprintf("A simulated API provider with %s, all behind one pool of the client's.", count(len(w.Endpoints), "endpoint"))
	if vendors := vendorsOf(w); len(vendors) > 1 {
		text = fmt.Sprintf("Simulated API providers with %s of %s: %s. The client has a pool for each vendor; algorithms are pointed at %s and can name the others.",
			count(len(w.Endpoints), "endpoint"), count(len(vendors), "vendor"), list(vendors), vendors[0])
	}
	for _, v := range vendorsOf(w) {
		if most, ok := w.VendorCapacity[v]; ok {
			text += fmt.Sprintf(" %s takes at most %s at once over all its endpoints.", v, count(most, "request"))
		}
	}
	return text + " The client knows how many leases each endpoint is good for, what was reported to the pool, and nothing else."
}

// vendorOf is the vendor of an endpoint, and the name of the client's pool.
func vendorOf(w *provider.World, e *provider.Endpoint) string {
	if e.Vendor != "" {
		return e.Vendor
	}
	return w.Name
}

func vendorsOf(w *provider.World) []string {
	var names []string
	for i := range w.Endpoints {
		if name := vendorOf(w, &w.Endpoints[i]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func cycle(w *provider.World) string {
	c := w.Cycle
	if c.Period <= 0 || c.Trough == c.Peak {
		if c.Peak == 1 {
			return "Its capacity stays the same all the time."
		}
		return fmt.Sprintf("Its capacity is %s of the nominal one all the time.", percent(c.Peak))
	}
	text := fmt.Sprintf("Its capacity comes and goes like a cosine: in every %s from %s of the nominal one in the trough to %s at the peak and back",
		span(c.Period), percent(c.Trough), percent(c.Peak))
	if c.Phase == 0 {
		return text + ", starting in the trough. Customers are not told of it."
	}
	return text + fmt.Sprintf(", with the trough at %s. Customers are not told of it.", span(c.Phase))
}

// explainEndpoints explains each endpoint, those that differ in nothing but
// their ids together, and returns what each can do.
func explainEndpoints(p *page, w *provider.World) []supply {
	supplies := make([]supply, len(w.Endpoints))
	for i := range w.Endpoints {
		supplies[i] = newSupply(w, &w.Endpoints[i])
	}
	done := make([]bool, len(w.Endpoints))
	for i := range w.Endpoints {
		if done[i] {
			continue
		}
		var alike []string
		for j := i; j < len(w.Endpoints); j++ {
			if sameButID(&w.Endpoints[i], &w.Endpoints[j]) && supplies[i] == supplies[j] { // changes make a difference
				done[j] = true
				alike = append(alike, w.Endpoints[j].ID)
			}
		}
		title := "The endpoint " + list(alike)
		if n := len(alike); n > 4 {
			title = fmt.Sprintf("The endpoint %s, %s, ... %s", alike[0], alike[1], alike[n-1])
		}
		if len(alike) > 1 {
			title = strings.Replace(title, "endpoint", "endpoints", 1) + fmt.Sprintf(" (%d alike)", len(alike))
		}
		if v := w.Endpoints[i].Vendor; v != "" {
			title += " of " + v
		}
		p.heading(title)
		explainEndpoint(p, w, &w.Endpoints[i], supplies[i])
	}
	return supplies
}

func sameButID(a, b *provider.Endpoint) bool {
	x, y := *a, *b
	x.ID, y.ID = "", ""
	return reflect.DeepEqual(x, y)
}

func explainEndpoint(p *page, w *provider.World, e *provider.Endpoint, s supply) {
	p.item("leases", "%d at once: what the client's pool hands out", e.Capacity)
	p.item("takes", "%s", takes(e, s))
	p.item("latency", "%s", latency(e, s))
	p.item("failures", "%s", failures(w, e, s))
	if b := e.Bucket; b != nil {
		p.item("token bucket", "%s requests in %s (%s/s), up to %s saved up and as many at the start; without a token it refuses with Retry-After %s. "+
			"Every refusal, for whatever reason, multiplies the refill by %s, down to %s of it; it recovers by %s of it in %s",
			number(b.PerWindow), span(b.Window), number(b.PerWindow/b.Window.Seconds()), number(max(1, b.PerWindow*b.Burst)), span(b.RetryAfter),
			number(b.Tightening), percent(b.Floor), percent(b.Recovery), span(b.Window))
	}
	for _, l := range e.Limits {
		p.item("limit", "%s", limit(l))
	}
	if c := e.Cache; c != nil {
		p.item("cache", "remembers the last %s that it worked on: a request about one of them takes %s of the time and counts %s of a whole one in limits",
			count(c.Entries, "key"), percent(c.Factor), percent(c.Cost))
	}
	for _, unit := range slices.Sorted(maps.Keys(e.Quota)) {
		p.item("declares", "%s %s: what quota_aware is told, and nobody enforces", number(e.Quota[unit]), unit)
	}
	aside := ""
	if e.Cache != nil {
		aside = ", caches aside"
	}
	p.item("so it serves", "at most %s requests/s on average until the horizon, limited by %s%s", number(s.rate), s.binds, aside)
}

func takes(e *provider.Endpoint, s supply) string {
	if s.low == s.high {
		text := fmt.Sprintf("%d at once, whatever the time", s.low)
		if s.low < e.Capacity {
			text += fmt.Sprintf(": %d fewer than there are leases, and what comes above is refused with Retry-After 250ms", e.Capacity-s.low)
		}
		return text
	}
	text := fmt.Sprintf("%d to %d at once, %s on average", s.low, s.high, number(s.mean))
	switch {
	case s.low < e.Capacity:
		text += fmt.Sprintf(": in the trough up to %s too many, and what comes above is refused with Retry-After 250ms", count(e.Capacity-s.low, "lease"))
	case s.high > e.Capacity:
		text += ": always more than the leases can use"
	}
	return text
}

func latency(e *provider.Endpoint, s supply) string {
	var text string
	switch e.Law {
	case provider.Deterministic:
		text = "always the same"
	case provider.Exponential:
		text = "exponential"
	default:
		text = fmt.Sprintf("log-normal, sigma %s", number(e.Sigma))
	}
	if e.Median > 0 {
		text += fmt.Sprintf(", median %s", span(e.Median))
	}
	if e.TailRate > 0 {
		text += fmt.Sprintf(", and %s of requests take %s times as long", percent(e.TailRate), number(e.TailFactor))
	}
	text += fmt.Sprintf(": %s on average", span(seconds(s.latency)))
	if e.Slowdown > 0 {
		text += fmt.Sprintf(", and %s more for each other one in flight: %s when it is full", percent(e.Slowdown), span(seconds(s.full)))
	}
	return text
}

func failures(w *provider.World, e *provider.Endpoint, s supply) string {
	text := percent(e.ErrorRate) + " of requests"
	if e.ErrorRate == 0 {
		text = "none by itself"
	}
	if s.stormy > 0 {
		text += fmt.Sprintf("; in storms %s: every 10 s one of %s may begin, with probability %s, so it is stormy for %s of the time",
			percent(e.Storm.ErrorRate), span(e.Storm.Duration), number(e.Storm.Rate), percent(s.stormy))
	}
	for _, o := range e.Outages {
		text += "; " + outage(o, w.Workload.Horizon)
	}
	if s.stormy > 0 || s.out > 0 {
		text += fmt.Sprintf(". Who keeps sending sees %s fail, all in all", percent(s.failing))
	}
	return text
}

func outage(o provider.Outage, horizon time.Duration) string {
	when := fmt.Sprintf("from %s to %s", span(o.From), span(o.Until))
	if o.From == 0 && o.Until >= horizon {
		when = "all the time"
	}
	what := "it is down " + when
	if o.ErrorRate < 1 {
		what = fmt.Sprintf("%s of requests fail %s", percent(o.ErrorRate), when)
	}
	return what + fmt.Sprintf(", seen after %s", span(o.After))
}

func limit(l provider.Limit) string {
	rate := number(float64(l.Amount) / l.Window.Seconds())
	switch l.Kind {
	case provider.FixedWindow:
		return fmt.Sprintf("%s in each window of %s (%s/s), counted from scratch in each; above it, it refuses with the time until the next", count(l.Amount, "request"), span(l.Window), rate)
	case provider.SlidingWindow:
		return fmt.Sprintf("%s within any %s (%s/s); above it, it refuses with the time until one leaves the window", count(l.Amount, "request"), span(l.Window), rate)
	}
	burst := l.Burst
	if burst == 0 {
		burst = l.Amount
	}
	return fmt.Sprintf("%s in %s (%s/s) and a burst of %d; above it, it refuses with the time until the next token", count(l.Amount, "request"), span(l.Window), rate, burst)
}

// explainChanges says what an operator does to the pools meanwhile.
func explainChanges(p *page, w *provider.World) {
	if len(w.Changes) == 0 {
		return
	}
	p.heading("What changes on the way")
	for _, c := range w.Changes {
		text := c.Endpoint + " is added to its pool, as new"
		switch c.Kind {
		case provider.Revoke:
			text = c.Endpoint + " is taken out of its pool; leases that are out stay valid"
		case provider.Resize:
			text = fmt.Sprintf("the pool hands out %d leases of %s at once", c.Capacity, c.Endpoint)
		}
		p.item("at "+span(c.At), "%s", strings.TrimSpace(text))
	}
}
