package provider

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// Run makes one run on a virtual clock of its own.
func (s *Scenario) Run(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
	return s.run(ctx, contestant, seed, hooks{})
}

// Observe makes the same run as Run, and calls observe with every event as it
// happens; the event is valid only during the call.
func (s *Scenario) Observe(ctx context.Context, contestant string, seed uint64, observe func(*Event)) (experiment.Run, error) {
	return s.run(ctx, contestant, seed, hooks{event: observe})
}

func (s *Scenario) run(ctx context.Context, contestant string, seed uint64, h hooks) (experiment.Run, error) {
	c := &client{world: &s.world, seed: seed, hooks: h}
	v := clock.NewVirtual(clock.VirtualOptions{BeforeAdvance: c.hopeless})
	if err := s.prepare(c, v, contestant); err != nil {
		return experiment.Run{}, err
	}
	wall := clock.Real()
	err := v.Run(ctx, c.start)
	took := wall.Elapsed()

	var stall *experiment.Stall
	if stalled, ok := errors.AsType[*clock.StallError](err); ok {
		stall, err = c.stalled(stalled), nil
	}
	if err != nil {
		return experiment.Run{}, fmt.Errorf("provider: world %q: %d of %d jobs claimed: %w", s.world.Name, c.claimed, s.world.Workload.Jobs, err)
	}
	return c.result(contestant, seed, took, stall)
}

// RunOn makes the run on another clock, which must not be virtual: the workers
// are real goroutines that wait in that clock's time. It exists to check the
// virtual clock against. Such a run has no digest, since goroutines of equal
// deadlines may go in any order.
func (s *Scenario) RunOn(ctx context.Context, clk clock.Clock, contestant string, seed uint64) (experiment.Run, error) {
	c := &client{world: &s.world, seed: seed}
	c.lock.needed = true
	tasks := &counted{Clock: clk}
	if err := s.prepare(c, tasks, contestant); err != nil {
		return experiment.Run{}, err
	}
	wall := clock.Real()
	c.start(ctx)
	tasks.running.Wait()
	if err := context.Cause(ctx); err != nil {
		return experiment.Run{}, fmt.Errorf("provider: world %q: %d of %d jobs claimed: %w", s.world.Name, c.claimed, s.world.Workload.Jobs, err)
	}
	r, err := c.result(contestant, seed, wall.Elapsed(), nil)
	r.Digest = ""
	return r, err
}

// counted is a clock that knows when all tasks that were started on it ended.
type counted struct {
	clock.Clock
	running sync.WaitGroup
}

func (c *counted) Go(ctx context.Context, name string, f func(context.Context)) {
	c.running.Add(1)
	c.Clock.Go(ctx, name, func(ctx context.Context) {
		defer c.running.Done()
		f(ctx)
	})
}

// prepare builds the pools and the provider of a run.
func (s *Scenario) prepare(c *client, clk clock.Clock, contestant string) (err error) {
	if c.algorithm, err = acquire.Parse(contestant); err != nil {
		return err
	}
	c.algorithm = c.hooks.watch(c.algorithm)
	c.clk = clk
	if b := s.world.RetryBudget; b != nil {
		if c.budget, err = acquire.NewBudget(b.Ratio, b.Burst); err != nil {
			return err
		}
	}
	if err := c.openPools(); err != nil {
		return err
	}
	c.derived = s.derive()
	c.service = newService(&s.world, s.drawsOf(c.seed), c.enforced)
	c.service.rolled = c.hooks.rolls
	return nil
}

// result is the outcome of a finished or stalled run.
func (c *client) result(contestant string, seed uint64, wall time.Duration, stall *experiment.Stall) (experiment.Run, error) {
	c.lock.lock() // the provider may still be busy with abandoned requests
	defer c.lock.unlock()
	if c.failure != nil {
		return experiment.Run{}, fmt.Errorf("provider: world %q: %w", c.world.Name, c.failure)
	}
	makespan := c.ended
	if stall != nil {
		makespan = stall.At
		c.strand()
	}
	values, requests, err := c.measure(makespan)
	if err != nil {
		return experiment.Run{}, err
	}
	values["wall_s"] = seconds(wall)
	classes, admitted := map[string]int64{}, map[string]int64{}
	for class, n := range c.tally.classes {
		if n > 0 {
			classes[acquire.Class(class).String()] = n
		}
	}
	for i := range c.service.endpoints {
		admitted[c.service.endpoints[i].ID] = int64(c.service.endpoints[i].admitted)
	}
	return experiment.Run{
		Contestant: contestant, Seed: seed, Values: values, Samples: c.tally.samples(), Iterations: int64(requests),
		Counts: map[string]map[string]int64{"error_classes": classes, "endpoint_admitted": admitted},
		Digest: c.digest.String(), Stall: stall,
	}, nil
}
