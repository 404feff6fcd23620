package provider

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
)

var (
	errDoomed = errors.New("every resource is dead or revoked for good, and no lease is out that could revive one")
	errIdle   = errors.New("nothing has happened for more than an hour, and nothing is to come: all that is left is polling a pool that has nothing left")
)

// idle reports whether the run has only been polling for a long time. A pool
// that is beyond hope is seen at once only if all are: which of them a
// contestant still counts on, only the contestant knows.
func (c *client) idle() bool {
	w := c.world
	quiet := max(c.latest, w.Workload.Horizon)
	if n := len(w.Changes); n > 0 {
		quiet = max(quiet, w.Changes[n-1].At)
	}
	pause := time.Hour + max(w.Retry.Cap, w.Retry.MaxRetryAfter, w.Health.Cooldown, w.Health.MaxRetryAfter)
	return c.clk.Elapsed()-quiet > pause && slices.ContainsFunc(c.vendors, (*pool.Pool).Doomed) && c.leased() == 0
}

// hopeless says why time cannot bring anything any more, if that is so.
func (c *client) hopeless() error {
	if len(c.vendors) > 1 && c.idle() {
		return errIdle
	}
	for _, p := range c.vendors {
		if !p.Doomed() {
			return nil
		}
	}
	if c.publicationsLeft() {
		return nil
	}
	return errDoomed
}

// strand accounts for the jobs of a run that has stalled: whoever had claimed
// one is parked in the middle of it for ever. Those that were still to arrive
// count in the restricted mean, as they do for every other contestant.
func (c *client) strand() {
	c.tally.jobsFailed = c.claimed - len(c.tally.jobs) + c.tally.dropped
	if c.open.arrivals == nil {
		return
	}
	l := &c.world.Workload
	if c.open.told > c.tally.arrivals { // it is known, and has not come
		c.tally.arrive(l.Horizon - c.open.last)
	}
	for c.open.next(l) {
		c.tally.arrive(l.Horizon - c.open.last)
	}
}

// stalled describes where the run got stuck.
func (c *client) stalled(e *clock.StallError) *experiment.Stall {
	s := &experiment.Stall{At: e.At, Why: e.Why}
	if errors.Is(e, errIdle) {
		s.At = c.latest
	}
	for _, t := range e.Tasks {
		s.Tasks = append(s.Tasks, fmt.Sprintf("%s waits for %s", t.Name, t.WaitsFor))
	}
	for _, p := range c.vendors {
		for _, r := range p.Snapshot() {
			s.Resources = append(s.Resources, fmt.Sprintf("%s: %s, %d of %d leased, %d failures in a row", r.ID, r.State, r.Active, r.Capacity, r.Failures))
		}
	}
	return s
}
