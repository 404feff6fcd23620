package pool

import (
	"time"

	"github.com/ranktest/ranktest/clock"
)

// Time alone changes a resource in one way: the instant until passes. A
// degraded resource is then ready, a dead one due for its probe. Whoever looks
// at the pool applies that first (refresh), so nothing needs to happen at the
// instant itself, unless somebody waits. Then one alarm is set for the earliest
// such instant.

// refresh applies the passage of time. It reads the clock only if that can
// matter.
func (p *Pool) refresh() {
	if p.soonest != never {
		p.expire(p.clk.Elapsed())
	}
}

// expire ends the cooldowns that have passed at now. It keeps the failure
// count, for otherwise no resource would ever reach DeadAfter.
func (p *Pool) expire(now time.Duration) {
	if now < p.soonest {
		return
	}
	for _, r := range p.list {
		if r.until == 0 || r.until > now {
			continue
		}
		r.until, r.failed = 0, nil
		if r.state == Dead {
			r.due = true
			continue
		}
		r.state = Ready
		p.emit(Event{Kind: Recovered, Resource: r.id})
	}
	p.resetSoonest()
	if p.options.Order == FIFO {
		p.serve(nil)
	}
}

// resetSoonest recomputes the earliest instant at which time changes something.
func (p *Pool) resetSoonest() {
	p.soonest = never
	for _, r := range p.list {
		if r.until != 0 {
			p.soonest = min(p.soonest, r.until)
		}
	}
}

// armCooldown sets the alarm for the earliest instant at which time changes
// something, if anybody waits. An alarm that is set for an earlier instant
// stays, one for a later instant is replaced. An instant that has passed never
// sets it: who begins to wait, and the alarm itself, expire first, and who
// degrades a resource while others wait finds the alarm set.
func (p *Pool) armCooldown(now time.Duration) {
	if p.waiters.head != nil && p.soonest != never {
		p.cooldown.set(p, now, p.soonest)
	}
}

// cooldownEnded is what the alarm calls.
func (p *Pool) cooldownEnded(now time.Duration) {
	p.expire(now)
	if p.options.Order == Barging {
		p.wakeAll()
	}
	p.armCooldown(now)
}

// alarm is a timer for one instant that can be moved to an earlier one.
type alarm struct {
	ring  func(now time.Duration) // called with the pool locked
	timer clock.Timer             // nil if it is not set
	at    time.Duration
	sets  uint64 // number of times that it was set
}

// set makes the alarm ring at the instant at, which is later than now. If it is
// set already the earlier instant counts.
func (a *alarm) set(p *Pool, now, at time.Duration) {
	if a.timer != nil {
		if a.at <= at {
			return
		}
		a.timer.Stop()
	}
	a.sets++
	a.at = at
	number := a.sets
	a.timer = p.clk.AfterFunc(at-now, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		// On a real clock Stop may come too late to keep a replaced timer
		// from calling.
		if a.sets == number {
			a.timer = nil
			a.ring(p.clk.Elapsed())
		}
	})
}
