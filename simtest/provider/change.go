package provider

import (
	"fmt"
	"slices"
	"time"
)

// Change is something that is done to the client's pools at run time, as an
// operator would. The provider stays what it is.
type Change struct {
	At       time.Duration
	Endpoint string
	Kind     ChangeKind
	// Capacity is the new number of leases of a Resize.
	Capacity int
}

// ChangeKind says what is done.
type ChangeKind string

const (
	// Publish adds an endpoint, anew and ready whatever it was before. One
	// whose first change it is, is not there until then.
	Publish ChangeKind = "publish"
	// Revoke takes an endpoint away; leases that are out stay valid.
	Revoke ChangeKind = "revoke"
	// Resize changes how many leases the pool hands out at once.
	Resize ChangeKind = "resize"
)

// publishedLater reports whether the first change of an endpoint publishes it.
func (w *World) publishedLater(endpoint string) bool {
	i := slices.IndexFunc(w.Changes, func(c Change) bool { return c.Endpoint == endpoint })
	return i >= 0 && w.Changes[i].Kind == Publish
}

// publicationsLeft reports whether anything will still be published.
func (c *client) publicationsLeft() bool {
	return slices.ContainsFunc(c.world.Changes[c.changes:], func(c Change) bool { return c.Kind == Publish })
}

// scheduleChanges sets the timer for the first of the changes left.
func (c *client) scheduleChanges() {
	if c.changes == len(c.world.Changes) {
		return
	}
	next := &c.world.Changes[c.changes]
	c.clk.AfterFunc(next.At-c.clk.Elapsed(), func() {
		c.lock.lock()
		defer c.lock.unlock()
		c.change(next)
		c.changes++
		c.scheduleChanges()
	})
}

// change makes a change. That it can be made was checked before.
func (c *client) change(to *Change) {
	i := c.service.indexOf(to.Endpoint)
	p := c.pools[c.world.vendorOf(i)]
	e := Event{At: c.clk.Elapsed(), Kind: EndpointChanged, Endpoint: i}
	var err error
	switch to.Kind {
	case Publish:
		err = p.Publish(c.world.Endpoints[i].resource())
	case Revoke:
		err = p.Revoke(to.Endpoint)
	case Resize:
		err = p.SetCapacity(to.Endpoint, to.Capacity)
	}
	if err != nil && c.failure == nil {
		c.failure = err
	}
	c.record(&e)
}

// validateChanges follows the changes to see that each can be made.
func (w *World) validateChanges(p *problems) {
	there := map[string]bool{}
	for i := range w.Endpoints {
		there[w.Endpoints[i].ID] = !w.publishedLater(w.Endpoints[i].ID)
	}
	before := time.Duration(0)
	for i, c := range w.Changes {
		field := fmt.Sprintf("Changes[%d]", i)
		p.duration(c.At, 1, field+".At")
		p.check(c.At >= before, field+".At", c.At, "must not be before the change before it")
		before = c.At
		published, known := there[c.Endpoint]
		p.check(known, field+".Endpoint", c.Endpoint, "is the id of no endpoint")
		if c.Kind == Resize {
			p.check(c.Capacity >= 1 && c.Capacity <= 1_000_000, field+".Capacity", c.Capacity, "must be from 1 to 1000000")
		} else {
			p.check(c.Capacity == 0, field+".Capacity", c.Capacity, "must be 0: only a resize has a capacity")
		}
		switch c.Kind {
		case Publish:
			there[c.Endpoint] = true
		case Revoke:
			p.check(!known || published, field+".Kind", string(c.Kind), "must follow a publish: the endpoint is not there")
			there[c.Endpoint] = false
		case Resize:
			p.check(!known || published, field+".Kind", string(c.Kind), "must follow a publish: the endpoint is not there")
		default:
			p.check(false, field+".Kind", string(c.Kind), fmt.Sprintf("must be %q, %q or %q", Publish, Revoke, Resize))
		}
	}
}
