package pool

import (
	"fmt"
	"time"
)

// Health is a policy: how outcomes change the state of a resource. The zero
// Health stands for DefaultHealth(); start from one of the two named policies
// to make another.
type Health struct {
	// DegradeAfter and DeadAfter are numbers of consecutive failures, 0 means
	// never. At DeadAfter or more the resource is dead, else at DegradeAfter or
	// more it is degraded for Cooldown, again at every further failure.
	DegradeAfter, DeadAfter int
	// Cooldown is how long a failing resource rests, and the time between two
	// probes of a dead one. It must be positive if the policy ever uses it.
	Cooldown time.Duration
	// RefusalFails makes a refusal (429) count as a failure.
	RefusalFails bool
	// HonorRetryAfter makes an unsuccessful outcome with a RetryAfter degrade
	// the resource until then, never shortening a cooldown.
	HonorRetryAfter bool
	// MaxRetryAfter is the longest time that an acquisition waits for the
	// earliest cooldown to end; beyond it fails at once (see CooldownError).
	// The cooldown itself is not shortened. 0 means no limit.
	MaxRetryAfter time.Duration
	// Probe gives a dead resource one lease each Cooldown to show that it
	// lives. Without it only a lease that is still out can bring it back.
	Probe bool
}

// DefaultHealth is the policy for production: degraded after 3 consecutive
// failures for 30 s, dead after 8, probed every 30 s; refusals are no failures,
// their Retry-After is honoured, and nobody waits longer than 10 minutes for it.
func DefaultHealth() Health {
	return Health{
		DegradeAfter: 3, DeadAfter: 8, Cooldown: 30 * time.Second,
		HonorRetryAfter: true, MaxRetryAfter: 10 * time.Minute, Probe: true,
	}
}

// ReferenceHealth is the policy of the reference: degraded after 3 consecutive
// failures for 30 s, dead after 8; refusals are failures, Retry-After is
// ignored, and a dead resource lives again only if a lease that is still out
// reports success.
func ReferenceHealth() Health {
	return Health{
		DegradeAfter: 3, DeadAfter: 8, Cooldown: 30 * time.Second,
		RefusalFails: true, MaxRetryAfter: 10 * time.Minute,
	}
}

func (h *Health) validate() error {
	switch {
	case h.DegradeAfter < 0:
		return fmt.Errorf("health: field \"DegradeAfter\": %d: must not be negative", h.DegradeAfter)
	case h.DeadAfter < 0:
		return fmt.Errorf("health: field \"DeadAfter\": %d: must not be negative", h.DeadAfter)
	case h.MaxRetryAfter < 0:
		return fmt.Errorf("health: field \"MaxRetryAfter\": %v: must not be negative", h.MaxRetryAfter)
	case h.Cooldown < 0:
		return fmt.Errorf("health: field \"Cooldown\": %v: must not be negative", h.Cooldown)
	case h.Cooldown == 0 && (h.DegradeAfter > 0 || h.Probe):
		return fmt.Errorf("health: field \"Cooldown\": 0s: must be positive with DegradeAfter or Probe")
	}
	return nil
}

// retires reports whether failures ever keep a resource from being leased.
func (h *Health) retires() bool { return h.DegradeAfter > 0 || h.DeadAfter > 0 }

// report applies an outcome to the leased resource.
func (p *Pool) report(l *Lease, o *Outcome) {
	r := l.r
	r.measure(o)
	if r.state == Revoked {
		return
	}
	if o.Err == nil && !o.Refused {
		r.failures = 0
		if r.state != Ready {
			p.recover(r)
		}
	} else {
		p.reportFailure(l, o)
	}
	p.changed(r)
}

func (p *Pool) reportFailure(l *Lease, o *Outcome) {
	r, h, now := l.r, &p.options.Health, p.clk.Elapsed()
	var pause time.Duration
	if h.HonorRetryAfter && o.RetryAfter > 0 {
		pause = after(now, o.RetryAfter)
	}
	if !o.Refused || h.RefusalFails {
		p.strike(r, now, pause, o.Err)
	} else if pause > 0 && r.state != Dead {
		p.coolDown(r, now, pause, o.Err)
	}
	if r.probe == l {
		p.endProbe(r, now, pause)
	}
}

// strike counts a failure. The resource rests until pause at least, if that is
// not 0.
func (p *Pool) strike(r *resource, now, pause time.Duration, why error) {
	h := &p.options.Health
	r.failures++
	switch {
	case r.state == Dead || r.state == Revoked:
	case h.DeadAfter > 0 && r.failures >= h.DeadAfter:
		p.die(r, now, pause, why)
	case h.DegradeAfter > 0 && r.failures >= h.DegradeAfter:
		p.coolDown(r, now, max(pause, after(now, h.Cooldown)), why)
	case pause > 0:
		p.coolDown(r, now, pause, why)
	}
}

// coolDown degrades r, which is not dead, until the given instant or the end of
// the cooldown that it already has, whichever is later.
func (p *Pool) coolDown(r *resource, now, until time.Duration, why error) {
	r.state, r.until = Degraded, max(r.until, until)
	p.resetSoonest()
	if len(p.subs) > 0 {
		p.emit(Event{Kind: WentDegraded, Resource: r.id, For: r.until - now, Detail: r.scrub(why)})
	}
	p.wakeAll()
	p.armCooldown(now)
}

// die retires r. Its first probe comes no earlier than it would have returned.
func (p *Pool) die(r *resource, now, pause time.Duration, why error) {
	h := &p.options.Health
	r.state = Dead
	if h.Probe {
		r.until = max(r.until, pause, after(now, h.Cooldown))
	} else {
		r.until = 0
	}
	p.resetSoonest()
	p.recount(r)
	if len(p.subs) > 0 {
		p.emit(Event{Kind: WentDead, Resource: r.id, For: max(0, r.until-now), Detail: r.scrub(why)})
	}
	p.wakeAll()
	if h.Probe {
		p.armCooldown(now)
	}
}

// recover makes r ready, whatever it was, after a success.
func (p *Pool) recover(r *resource) {
	r.state, r.until, r.due, r.probe = Ready, 0, false, nil
	p.resetSoonest()
	p.emit(Event{Kind: Recovered, Resource: r.id})
	p.offer(r)
}

// endProbe sends a dead resource back to wait for its next probe: a Cooldown
// from now, or until pause if that is later.
func (p *Pool) endProbe(r *resource, now, pause time.Duration) {
	r.probe = nil
	r.until = max(pause, after(now, p.options.Health.Cooldown))
	p.resetSoonest()
	p.wakeAll()
	p.armCooldown(now)
}

// recount keeps Pool.hopeful up to date with r.
func (p *Pool) recount(r *resource) {
	var hopeful bool
	switch r.state {
	case Ready, Degraded:
		hopeful = true
	case Dead:
		hopeful = p.options.Health.Probe || r.active > 0
	}
	if hopeful != r.hopeful {
		r.hopeful = hopeful
		if hopeful {
			p.hopeful++
		} else {
			p.hopeful--
		}
	}
}

// after returns now+d, at the latest the last instant before never.
func after(now, d time.Duration) time.Duration {
	if d >= never-now {
		return never - 1
	}
	return now + d
}
