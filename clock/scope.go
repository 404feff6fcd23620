package clock

import (
	"context"
	"time"
)

// scope is the virtual clock's context. It starts no goroutine and knows, in
// order, the tasks that are parked under it and the scopes derived from it, so
// that ending it wakes them synchronously and always in the same order; package
// context would do it from a new goroutine and in the order of a map.
//
// Contexts that package context derives from a scope hang on a genuine
// cancelCtx of that package, which is made when it is first asked for.
type scope struct {
	v        *Virtual
	parent   context.Context // values come from here
	deadline int64           // never = none
	timer    event

	err, cause error
	ended      uint64 // place of the end in the order of wake-ups and ends

	firstTask, lastTask      *task  // parked under it
	up                       *scope // the scope that ends this one
	firstChild, lastChild    *scope
	prevSibling, nextSibling *scope

	std *stem // what package context knows of it; nil until somebody asks
}

// scopeKey is the key under which a context yields the innermost scope of v
// that it derives from.
type scopeKey struct{ v *Virtual }

// WithTimeout returns a context that ends d of simulated time from now, when
// it is cancelled, or when parent ends. A d beyond the range of time (292
// years) sets no deadline: that is this clock's context.WithCancel.
//
// The context ends with the run at the latest. The end of a parent that is not
// of this clock (it derives from context.WithCancel, say) is noticed after the
// step in which it happened.
func (v *Virtual) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	c := &scope{v: v, parent: parent, deadline: never}
	if !v.own() {
		err := v.intrude("WithTimeout")
		c.err, c.cause = context.Canceled, err
		return c, func() {}
	}
	at := v.after(d)
	if d <= 0 {
		at = v.now
	}
	c.deadline = at
	switch p := v.enclosing(parent); {
	case parent.Err() != nil:
		c.end(parent.Err(), context.Cause(parent))
	case p == &v.outside:
		if p, ok := parent.Value(scopeKey{v}).(*scope); ok {
			c.deadline = min(at, p.deadline)
		}
		v.watch(parent, nil, c)
	default:
		c.deadline = min(at, p.deadline)
		p.adopt(c)
	}
	switch {
	case c.err != nil || v.stopping:
	case d <= 0:
		c.end(context.DeadlineExceeded, context.DeadlineExceeded)
	case at != never && c.deadline == at && (c.up == nil || c.up.deadline != at):
		c.timer.ctx = c
		v.arm(&c.timer, at)
	}
	return c, func() {
		if !v.own() {
			v.intrude("a context's cancel function")
			return
		}
		c.end(context.Canceled, context.Canceled)
	}
}

// enclosing returns the scope with which ctx ends: v.root if it does not end
// before the run, v.outside if it ends by means that this clock does not know.
func (v *Virtual) enclosing(ctx context.Context) *scope {
	if c, ok := ctx.(*scope); ok && c.v == v {
		return c
	}
	done := ctx.Done()
	if done == nil {
		return &v.root
	}
	// With nothing but values in between, a scope has the same channel.
	if c, ok := ctx.Value(scopeKey{v}).(*scope); ok && c.Done() == done {
		return c
	}
	return &v.outside
}

// Deadline returns the instant on the virtual clock.
func (c *scope) Deadline() (time.Time, bool) {
	if c.deadline == never {
		return time.Time{}, false
	}
	return Epoch.Add(time.Duration(c.deadline)), true
}

// Err returns nil until the context has ended.
func (c *scope) Err() error { return c.err }

// Done returns the channel of the genuine context.
func (c *scope) Done() <-chan struct{} { return c.genuine().Done() }

// Value makes package context find the genuine context, too.
func (c *scope) Value(key any) any {
	if key == any(scopeKey{c.v}) {
		return c
	}
	return c.genuine().Value(key)
}

// end ends the context, and everything derived from it.
func (c *scope) end(err, cause error) {
	if c.err != nil {
		return
	}
	v := c.v
	v.order++
	c.err, c.cause, c.ended = err, cause, v.order
	v.disarm(&c.timer)
	if c.up != nil {
		c.up.release(c)
	}
	for c.firstTask != nil && !v.stopping {
		v.abort(c.firstTask, err)
	}
	if c.std != nil {
		c.std.end()
	}
	for c.firstChild != nil {
		c.firstChild.end(err, cause)
	}
}

// enter adds t to the tasks that are parked under c.
func (c *scope) enter(t *task) {
	t.scope, t.before, t.after = c, c.lastTask, nil
	if c.lastTask != nil {
		c.lastTask.after = t
	} else {
		c.firstTask = t
	}
	c.lastTask = t
}

// leave removes t from the tasks that are parked under c.
func (c *scope) leave(t *task) {
	if t.before != nil {
		t.before.after = t.after
	} else {
		c.firstTask = t.after
	}
	if t.after != nil {
		t.after.before = t.before
	} else {
		c.lastTask = t.before
	}
	t.scope, t.before, t.after = nil, nil, nil
}

// adopt adds k to the scopes that end with c.
func (c *scope) adopt(k *scope) {
	k.up, k.prevSibling = c, c.lastChild
	if c.lastChild != nil {
		c.lastChild.nextSibling = k
	} else {
		c.firstChild = k
	}
	c.lastChild = k
}

// release removes k from the scopes that end with c.
func (c *scope) release(k *scope) {
	if k.prevSibling != nil {
		k.prevSibling.nextSibling = k.nextSibling
	} else {
		c.firstChild = k.nextSibling
	}
	if k.nextSibling != nil {
		k.nextSibling.prevSibling = k.prevSibling
	} else {
		c.lastChild = k.prevSibling
	}
	k.up, k.prevSibling, k.nextSibling = nil, nil, nil
}
