package pool

import (
	"context"
	"errors"
	"fmt"
)

// acquire is Acquire for those who have to wait, or to make the client of l
// first. A round in which every factory fails is followed by another one, until
// the failures have retired the resources; then there is a cooldown to wait for.
func (p *Pool) acquire(ctx context.Context, q Query, at place, l *Lease, w *waiter) (*Lease, error) {
	for {
		var err error
		if w != nil {
			if l, err = p.wait(ctx, w); err != nil {
				return nil, err
			}
		}
		if !l.opening {
			return l, nil
		}
		l, err = p.openAny(ctx, &q, l)
		if l != nil || ctx.Err() != nil || !p.options.Health.retires() {
			return l, err
		}
		if l, w, err = p.begin(ctx, &q, &at); err != nil {
			return nil, err
		}
	}
}

// openAny makes the client of l, or of the next best resource if that fails, to
// the end of the round.
func (p *Pool) openAny(ctx context.Context, q *Query, l *Lease) (*Lease, error) {
	var t tries
	for {
		err := p.open(ctx, l, q.Holder)
		if err == nil {
			return l, nil
		}
		if ended := ctx.Err(); ended != nil {
			return nil, p.ended(ended)
		}
		t.add(l.r, err)
		if l, err = p.next(q, &t); l == nil || !l.opening {
			return l, err
		}
	}
}

// next begins a round of selection, or goes on with one.
func (p *Pool) next(q *Query, t *tries) (*Lease, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refresh()
	if l := p.round(q, t); l != nil {
		p.changed(l.r)
		return l, nil
	}
	return nil, p.unavailable(q, t)
}

// errFactoryQuit stands for a factory that did not return.
var errFactoryQuit = errors.New("the factory panicked or ended its task")

// open calls the factory of the reserved resource, unlocked, and completes or
// undoes the lease.
func (p *Pool) open(ctx context.Context, l *Lease, holder string) error {
	client, err := any(nil), errFactoryQuit
	defer func() { p.openEnded(l, holder, client, err, ctx.Err() == nil) }()
	if client, err = l.r.factory(ctx); err != nil {
		err = l.r.scrubbed(fmt.Errorf("resource %q: factory: %w", l.r.id, err))
	}
	return err
}

// openEnded applies the result of a factory. A failure counts unless it is the
// caller that has given up.
func (p *Pool) openEnded(l *Lease, holder string, client any, err error, counts bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := l.r
	if err == nil {
		l.opening, r.opening = false, false
		r.client, r.opened = client, true
		p.handOut(l, holder)
		p.offer(r)
		return
	}
	if counts && err != errFactoryQuit {
		if p.options.Health.retires() {
			r.failed = err
		}
		p.emit(Event{Kind: FactoryFailed, Resource: r.id, Holder: holder, Detail: err.Error()})
		p.strike(r, p.clk.Elapsed(), 0, err)
	}
	p.release(l)
}
