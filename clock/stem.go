package clock

import (
	"context"
	"time"
)

// stem is what contexts of package context that derive from a scope hang on: a
// genuine cancelCtx of that package (ctx), and the parent of it.
//
// As a parent it never is done by itself, but it has the AfterFunc method by
// which package context links a child without starting a goroutine; so it gets
// hold of the function that ends the child, and all below it, synchronously.
type stem struct {
	c      *scope
	ctx    context.Context
	cancel context.CancelCauseFunc
	follow func() // ends ctx with the error of its parent
}

// genuine returns the cancelCtx that ends with c.
func (c *scope) genuine() context.Context {
	if c.std == nil {
		s := &stem{c: c}
		c.std = s
		s.ctx, s.cancel = context.WithCancelCause(s)
		if c.err != nil {
			s.end()
		}
	}
	return c.std.ctx
}

// end ends the genuine context as c has ended.
func (s *stem) end() {
	if s.c.err == context.Canceled {
		s.cancel(s.c.cause)
	} else {
		s.follow() // and the cause is the one that can be found above
	}
}

func (s *stem) Deadline() (time.Time, bool) { return s.c.Deadline() }
func (s *stem) Done() <-chan struct{}       { return open }
func (s *stem) Err() error                  { return s.c.err }
func (s *stem) Value(key any) any           { return s.c.parent.Value(key) }

// AfterFunc is called once, by context.WithCancelCause.
func (s *stem) AfterFunc(f func()) (stop func() bool) {
	s.follow = f
	return func() bool { return true }
}

// open is the Done channel of every stem. It is never closed, but there has to
// be one: a parent without is not linked to at all.
var open = make(chan struct{})
