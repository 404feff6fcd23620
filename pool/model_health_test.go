package pool_test

import (
	"slices"
	"time"

	"github.com/ranktest/ranktest/pool"
)

func (m *model) live(l *modelLease) bool { return slices.Contains(l.r.leases, l) }

func (m *model) release(l *modelLease, now time.Duration) {
	if !m.live(l) {
		return
	}
	l.r.leases = slices.DeleteFunc(l.r.leases, func(o *modelLease) bool { return o == l })
	if l.r.probe == l {
		l.r.probe, l.r.until = nil, now+m.health.Cooldown
	}
	m.sweep()
}

func (m *model) report(l *modelLease, o pool.Outcome, now time.Duration) {
	if !m.live(l) {
		return
	}
	r := l.r
	switch {
	case o.Latency > 0 && r.latency == 0:
		r.latency = float64(o.Latency)
	case o.Latency > 0:
		r.latency = float64(0.7*r.latency) + float64(0.3*float64(o.Latency))
	}
	if r.state == pool.Revoked {
		return
	}
	if o.Err == nil && !o.Refused {
		r.state, r.failures, r.until, r.due, r.probe = pool.Ready, 0, 0, false, nil
		return
	}
	var pause time.Duration
	if m.health.HonorRetryAfter && o.RetryAfter > 0 {
		pause = now + o.RetryAfter
	}
	counts := !o.Refused || m.health.RefusalFails
	if counts {
		r.failures++
	}
	switch dead := r.state == pool.Dead; {
	case dead && r.probe == l:
		r.probe, r.until = nil, max(pause, now+m.health.Cooldown)
	case dead:
	case counts && r.failures >= m.health.DeadAfter:
		r.state = pool.Dead
		if m.health.Probe {
			r.until = max(r.until, pause, now+m.health.Cooldown)
		} else {
			r.until = 0
		}
	case counts && r.failures >= m.health.DegradeAfter:
		r.state, r.until = pool.Degraded, max(r.until, pause, now+m.health.Cooldown)
	case pause > 0:
		r.state, r.until = pool.Degraded, max(r.until, pause)
	}
}

func (m *model) degrade(l *modelLease, d, now time.Duration) {
	if r := l.r; m.live(l) && (r.state == pool.Ready || r.state == pool.Degraded) {
		if d == 0 {
			d = m.health.Cooldown
		}
		r.state, r.until = pool.Degraded, max(r.until, now+d)
	}
}

// nextChange is the next instant at which time alone changes something.
func (m *model) nextChange(now time.Duration) time.Duration {
	next := now + 1000*time.Hour
	for _, r := range m.resources {
		if r.until > now {
			next = min(next, r.until)
		}
	}
	return next
}

func (m *model) expire(now time.Duration) {
	for _, r := range m.resources {
		if r.until == 0 || r.until > now {
			continue
		}
		r.until = 0
		if r.state == pool.Degraded {
			r.state = pool.Ready
		} else {
			r.due = true
		}
	}
}
