package clock

import (
	"context"
	"time"
)

// Sleep parks the task for d of simulated time, or until ctx ends. A zero or
// negative d lets the other runnable tasks go first. A sleep beyond the range
// of time (292 years) only ends with ctx.
func (v *Virtual) Sleep(ctx context.Context, d time.Duration) error {
	t := v.self()
	if t == nil || v.stopping {
		return v.refuse(t, "Sleep")
	}
	c, ok := ctx.(*scope)
	if !ok || c.v != v {
		c = v.enclosing(ctx)
	}
	if c != &v.root {
		if err := ctx.Err(); err != nil {
			return v.spin(err)
		}
	}
	at := v.now + int64(d)
	if at <= v.now {
		if d <= 0 {
			return v.pass(t)
		}
		at = never
	}
	// The task that is the next one to run anyway moves time and goes on,
	// without a switch, unless the loop has to look at something.
	if at < v.timers.next && v.ready.n == 0 && v.steps < v.lookAt && v.alarm.Load() == 0 && v.mayAdvance(t) {
		v.now, v.instant = at, v.steps
		v.steps++
		return nil
	}
	if c != &v.root {
		v.park(t, c, ctx)
	}
	v.arm(&t.event, at)
	return t.block()
}

// mayAdvance asks BeforeAdvance on behalf of t. After a no the loop asks again.
func (v *Virtual) mayAdvance(t *task) bool {
	if v.beforeAdvance == nil {
		return true
	}
	v.cur = nil // it must not block
	err := v.beforeAdvance()
	v.cur = t
	return err == nil
}

// pass lets the other runnable tasks go first.
func (v *Virtual) pass(t *task) error {
	if v.ready.n == 0 {
		return v.spin(nil)
	}
	v.ready.push(&t.event)
	return t.block()
}
