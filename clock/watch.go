package clock

import "context"

// watched is a context that ends by means which the clock does not know. It is
// polled, because all that package context does about its end it does on
// another goroutine. What waits for the end is a task or a scope.
type watched struct {
	ctx   context.Context
	done  <-chan struct{}
	task  *task
	park  uint64 // number of the task's stay on the list
	scope *scope
}

// stale reports whether nobody waits for the context any more.
func (w *watched) stale() bool {
	if w.scope != nil {
		return w.scope.err != nil
	}
	return w.task.scope == nil || w.task.watch != w.park
}

// watch has the loop look at ctx after every step.
func (v *Virtual) watch(ctx context.Context, t *task, c *scope) {
	v.watches++
	if t != nil {
		t.watch = v.watches
	}
	v.list = append(v.list, watched{ctx: ctx, done: ctx.Done(), task: t, park: v.watches, scope: c})
	v.alarm.Or(watching)
}

// poll looks at every watched context, in the order in which they came.
func (v *Virtual) poll() {
	kept := v.list[:0]
	for _, w := range v.list {
		if w.stale() {
			continue
		}
		select {
		case <-w.done:
			if w.task != nil {
				v.abort(w.task, w.ctx.Err())
			} else {
				w.scope.end(w.ctx.Err(), context.Cause(w.ctx))
			}
		default:
			kept = append(kept, w)
		}
	}
	clear(v.list[len(kept):])
	v.list = kept
	if len(kept) == 0 {
		v.alarm.And(^uint32(watching))
	}
}

// park notes that t parks under ctx, which ends with c.
func (v *Virtual) park(t *task, c *scope, ctx context.Context) {
	c.enter(t)
	if c == &v.outside {
		v.watch(ctx, t, nil)
	}
}
