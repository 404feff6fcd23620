package clock

import (
	"context"
	"time"
)

// stem is the parent of a scope's genuine context. It never is done by itself;
// it has the AfterFunc method by which package context links a child without
// starting a goroutine, and so gets hold of the function that ends the child.
type stem struct {
	c      *scope
	endStd func()
}

// open is the Done channel of every stem: one that is never closed, because a
// context without a channel would not be linked at all.
var open = make(chan struct{})

func (s *stem) Deadline() (time.Time, bool) { return s.c.Deadline() }
func (s *stem) Done() <-chan struct{}       { return open }
func (s *stem) Err() error                  { return s.c.err }
func (s *stem) Value(key any) any           { return s.c.parent.Value(key) }

func (s *stem) AfterFunc(f func()) func() bool {
	s.endStd = f
	return func() bool { return true }
}

// genuine returns the cancelCtx of package context that ends with c.
func (c *scope) genuine() context.Context {
	if c.std == nil {
		c.stem = &stem{c: c}
		c.std, c.cancel = context.WithCancelCause(c.stem)
		if c.err != nil {
			c.propagate()
		}
	}
	return c.std
}

// propagate ends the genuine context, and with it everything that package
// context derived from it, before it returns.
func (c *scope) propagate() {
	if c.err == context.Canceled {
		c.cancel(c.cause)
		return
	}
	// The child takes the stem's error, and the cause that can be found above.
	c.stem.endStd()
}
