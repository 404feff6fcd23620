package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/placement"
)

// explainPlacement explains a world of package placement by the trace of its
// first seed: it says more than the distributions that it was drawn from.
func explainPlacement(p *page, s *placement.Scenario) error {
	seed := s.FirstSeed()
	t, err := s.Trace(seed)
	if err != nil {
		return err
	}
	settings := s.Settings(seed)
	c := newCensus(t)
	p.heading("The world")
	p.text("Workers that serve tasks, in ticks of one length. A task arrives at a tick and needs some units of work from one worker that has the capability which it requires; " +
		"a policy chooses the worker, the task joins its queue, first come, first served. If the choice turns out to be impossible (nobody seen, the worker is offline, it lacks the capability) " +
		"the task stays pending, and asks again in the next tick, once a tick.")
	p.text("All this is a trace, made before any policy runs, from a seed.")
	p.heading(fmt.Sprintf("The trace of seed %d", seed))
	p.item("workers", "%d, with %d units of capacity per tick: %s", len(t.Workers), c.capacity, c.capacities())
	p.item("tasks", "%d with %d units of work, in %s", len(t.Tasks), c.work, count(t.Ticks, "tick"))
	p.item("offered load", "%s: the work that arrives, relative to the capacity of all workers", percent(c.load()))
	p.item("capabilities", "%s", c.abilities())
	if len(t.Outages) == 0 {
		p.item("outages", "none: nobody ever leaves")
	} else {
		p.item("outages", "%d at %s, %s ticks long on average: they take away %s of all capacity", len(t.Outages), count(c.churned, "worker"),
			number(float64(c.outage)/float64(len(t.Outages))), percent(float64(c.lost)/float64(c.capacity*t.Ticks)))
	}
	p.heading("The settings")
	p.item("availability", "%s", lag(settings.AvailabilityLag, "who is online"))
	p.item("load", "%s", lag(settings.LoadLag, "how long the queues of others are"))
	p.item("drain", "%d ticks after the last arrivals in which what is left may finish", settings.Drain)
	if len(t.Outages) > 0 {
		p.item("an outage", "%s", eviction(settings.RestartOnChurn))
	}
	p.heading("What follows")
	one, two := c.chance()
	p.item("blind choice", "a worker at random can do the task with probability %s; other choices cost a tick", number(one))
	if one < 1 {
		p.item("two choices", "of two workers at random at least one can with probability %s, but the less loaded one is taken, able or not", number(two))
	}
	if settings.LoadLag > 0 {
		p.item("herding", "with loads %s old, everybody sends to those who were idle then: more choices can make it worse", count(settings.LoadLag, "tick"))
	}
	p.item("price", "a probe asks a worker for its state: one-random takes 1 an attempt, the choices of two and three at most 2 and 3, the oracle as many as have the capability (%s on average here)", number(one*float64(len(t.Workers))))
	return nil
}

func lag(ticks int, what string) string {
	if ticks == 0 {
		return "local policies see " + what + " as it is"
	}
	return fmt.Sprintf("local policies see %s as it was %s ago", what, count(ticks, "tick"))
}

func eviction(restart bool) string {
	if restart {
		return "throws out the queue of the worker: the tasks are pending again, and the work done on them is lost"
	}
	return "throws out the queue of the worker: the tasks are pending again, and keep the work done on them"
}

// census counts what is in a trace.
type census struct {
	trace          *placement.Trace
	capacity, work int
	byCapacity     map[int]int
	workers        map[string]int // by capability
	tasks          map[string]int
	churned        int // workers with an outage
	outage, lost   int // ticks of outages, and capacity in them
}

func newCensus(t *placement.Trace) *census {
	c := &census{trace: t, byCapacity: map[int]int{}, workers: map[string]int{}, tasks: map[string]int{}}
	for _, w := range t.Workers {
		c.capacity += w.Capacity
		c.byCapacity[w.Capacity]++
		for _, capability := range w.Capabilities {
			c.workers[capability]++
		}
	}
	for _, task := range t.Tasks {
		c.work += task.Work
		c.tasks[task.Capability]++
	}
	hit := map[int]bool{}
	for _, o := range t.Outages {
		hit[o.Worker] = true
		length := max(0, min(o.End, t.Ticks)-o.Start)
		c.outage += length
		c.lost += length * t.Workers[o.Worker].Capacity
	}
	c.churned = len(hit)
	return c
}

func (c *census) load() float64 {
	return float64(c.work) / (float64(c.capacity) * float64(c.trace.Ticks))
}

func (c *census) capacities() string {
	var parts []string
	for _, size := range slices.Sorted(maps.Keys(c.byCapacity)) {
		parts = append(parts, fmt.Sprintf("%d of %d", c.byCapacity[size], size))
	}
	return list(parts)
}

func (c *census) abilities() string {
	var parts []string
	for _, capability := range slices.Sorted(maps.Keys(c.workers)) {
		if n := c.tasks[capability]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s is needed by %s of tasks, and %s of workers have it", capability,
				percent(float64(n)/float64(len(c.trace.Tasks))), percent(float64(c.workers[capability])/float64(len(c.trace.Workers)))))
		}
	}
	return strings.Join(parts, "; ")
}

// chance is the probability that of one, and of two, workers at random at least
// one has a random task's capability.
func (c *census) chance() (one, two float64) {
	n := float64(len(c.trace.Workers))
	for _, capability := range slices.Sorted(maps.Keys(c.tasks)) {
		share := float64(c.tasks[capability]) / float64(len(c.trace.Tasks))
		unable := n - float64(c.workers[capability])
		one += share * (1 - unable/n)
		two += share * (1 - unable/n*max(0, unable-1)/max(1, n-1))
	}
	return one, two
}
