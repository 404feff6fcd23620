package clock

import (
	"context"
	"time"
)

// Sleep parks the task for d of simulated time, or until ctx ends. A zero or
// negative d lets the other runnable tasks go first. A sleep that ends beyond
// the range of time (292 years) only ends with ctx.
func (v *Virtual) Sleep(ctx context.Context, d time.Duration) error {
	t := v.self()
	if t == nil || v.stopping {
		return v.refuse(t, "Sleep")
	}
	c, ok := ctx.(*scope)
	if !ok || c.v != v {
		return v.sleepUnder(t, ctx, d)
	}
	if c.err != nil {
		return v.spin(t, c.err)
	}
	return v.sleep(t, c, d)
}

// sleep is Sleep under a context of this clock, or under none (nil).
func (v *Virtual) sleep(t *task, c *scope, d time.Duration) error {
	if d <= 0 {
		if v.ready.n == 0 {
			return v.spin(t, nil)
		}
		v.ready.push(&t.event)
		return t.block()
	}
	at := v.after(d)
	if at < v.timers.next && v.ready.n == 0 && v.mayAdvance() {
		v.now = at
		v.instant = v.steps
		return nil
	}
	t.asleep = true
	if c != nil && c != &v.root {
		c.enter(t)
	}
	v.arm(&t.event, at)
	return t.block()
}

// mayAdvance takes the step of a task that is the next one to run anyway: time
// moves under it, without a switch. It declines when the loop has to look at
// something first.
func (v *Virtual) mayAdvance() bool {
	if v.mustLook() {
		return false
	}
	if v.beforeAdvance != nil && v.beforeAdvance() != nil {
		return false
	}
	v.steps++
	return true
}

// mustLook reports whether the loop has to look at something before the next
// step: a watched context, an alarm, or the context of the run.
func (v *Virtual) mustLook() bool {
	return len(v.watched) > 0 || (v.steps+1)&(pollEvery-1) == 0 || v.alarm.Load()
}
