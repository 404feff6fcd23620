package clock

import (
	"context"
	"time"
)

// watch is a context that ends by means which the clock does not know. It is
// polled, because anything that package context would do about it happens on
// another goroutine. What waits for it is a task (parked for the id-th time
// under such a context) or a scope.
type watch struct {
	done  <-chan struct{}
	ctx   context.Context
	task  *task
	id    uint64
	scope *scope
}

// stale reports whether nobody waits for the context any more.
func (w *watch) stale() bool {
	if w.task != nil {
		return w.task.watch != w.id
	}
	return w.scope.err != nil
}

// poll looks, in order, at every watched context.
func (v *Virtual) poll() {
	kept := v.watched[:0]
	for _, w := range v.watched {
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
	clear(v.watched[len(kept):])
	v.watched = kept
}

// watchFor puts t, which is about to park, on the watch list.
func (v *Virtual) watchFor(t *task, ctx context.Context) {
	v.watches++
	t.watch = v.watches
	v.watched = append(v.watched, watch{done: ctx.Done(), ctx: ctx, task: t, id: t.watch})
}

// sleepUnder is Sleep under a context that is not itself one of this clock's.
func (v *Virtual) sleepUnder(t *task, ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return v.spin(t, err)
	}
	c, foreign := v.resolve(ctx)
	if foreign && d > 0 {
		v.watchFor(t, ctx)
	}
	return v.sleep(t, c, d)
}

// parkUnder is Park under a context that is not itself one of this clock's.
// When a foreign context ended is not known: a wake-up that is there wins.
func (w *waiter) parkUnder(t *task, ctx context.Context) error {
	c, foreign := w.v.resolve(ctx)
	if foreign && w.woke == 0 && w.task == nil {
		if err := ctx.Err(); err != nil {
			return w.v.spin(t, err)
		}
		w.v.watchFor(t, ctx)
	}
	return w.park(t, c)
}
