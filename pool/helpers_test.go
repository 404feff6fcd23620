package pool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

const (
	ms  = time.Millisecond
	sec = time.Second
)

// errDown is what a broken server answers.
var errDown = errors.New("503")

var orders = []pool.Order{pool.FIFO, pool.Barging}

// newPool makes a pool named "test" with the resources.
func newPool(t testing.TB, clk clock.Clock, o pool.Options, resources ...pool.Resource) *pool.Pool {
	t.Helper()
	p, err := pool.New("test", clk, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range resources {
		if err := p.Publish(r); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// res is a resource with nothing but a name and a capacity.
func res(id string, capacity int) pool.Resource { return pool.Resource{ID: id, Capacity: capacity} }

// sim is a simulated world with one pool. Its tasks write lines into a
// timeline, each with the time at which it was written.
type sim struct {
	t    *testing.T
	v    *clock.Virtual
	ctx  context.Context // of the main task
	p    *pool.Pool
	line []string
}

// simulate runs f as the main task, and waits for all tasks.
func simulate(t *testing.T, o pool.Options, resources []pool.Resource, f func(s *sim)) {
	t.Helper()
	if err := trySimulate(t, o, resources, f); err != nil {
		t.Error(err)
	}
}

// trySimulate returns the error of the run.
func trySimulate(t *testing.T, o pool.Options, resources []pool.Resource, f func(s *sim)) error {
	t.Helper()
	s := &sim{t: t, v: clock.NewVirtual(clock.VirtualOptions{MaxSwitches: 10_000})}
	s.p = newPool(t, s.v, o, resources...)
	return s.v.Run(context.Background(), func(ctx context.Context) {
		s.ctx = ctx
		f(s)
	})
}

// task starts a task.
func (s *sim) task(name string, f func(ctx context.Context)) { s.v.Go(s.ctx, name, f) }

// until sleeps until an instant.
func (s *sim) until(at time.Duration) { s.v.Sleep(s.ctx, at-s.v.Elapsed()) }

// rest lets the other tasks go on until time has to move.
func (s *sim) rest() {
	for range 5 {
		s.v.Sleep(s.ctx, 0)
	}
}

// note writes a line into the timeline.
func (s *sim) note(format string, args ...any) {
	s.line = append(s.line, fmt.Sprintf("%v ", s.v.Elapsed())+fmt.Sprintf(format, args...))
}

// timeline compares what was noted so far with lines.
func (s *sim) timeline(lines ...string) {
	s.t.Helper()
	got, want := strings.Join(s.line, "\n\t"), strings.Join(lines, "\n\t")
	if got != want {
		s.t.Errorf("timeline:\n\t%s\nwant:\n\t%s", got, want)
	}
}

// lease acquires without waiting; it must succeed.
func (s *sim) lease(q pool.Query) *pool.Lease {
	s.t.Helper()
	l, err := s.p.TryAcquire(s.ctx, q)
	if err != nil {
		s.t.Fatalf("at %v: %v", s.v.Elapsed(), err)
	}
	return l
}

// fail reports n failures of a resource, each by a lease of its own.
func (s *sim) fail(id string, n int) {
	s.t.Helper()
	var all []*pool.Lease
	for range n {
		all = append(all, s.lease(pool.Query{ID: id}))
	}
	for _, l := range all {
		l.Report(pool.Outcome{Err: errDown})
		l.Release()
	}
}

// status returns the status of a resource.
func (s *sim) status(id string) pool.Status {
	s.t.Helper()
	for _, st := range s.p.Snapshot() {
		if st.ID == id {
			return st
		}
	}
	s.t.Fatalf("no resource %q", id)
	return pool.Status{}
}

// states compares all resources with lines like "a: ready, 0 of 1 leased".
func (s *sim) states(lines ...string) {
	s.t.Helper()
	var got []string
	for _, st := range s.p.Snapshot() {
		got = append(got, st.String())
	}
	if g, w := strings.Join(got, "\n\t"), strings.Join(lines, "\n\t"); g != w {
		s.t.Errorf("at %v:\n\t%s\nwant:\n\t%s", s.v.Elapsed(), g, w)
	}
}

// waiter starts a task that waits for a lease, holds it for a while, and notes
// when it got what.
func (s *sim) waiter(name string, q pool.Query, hold time.Duration) {
	s.task(name, func(ctx context.Context) {
		l, err := s.p.Acquire(ctx, q)
		if err != nil {
			s.note("%s fails", name)
			return
		}
		s.note("%s gets %s", name, l.ResourceID())
		s.v.Sleep(ctx, hold)
		l.Release()
	})
}

func refused(after time.Duration) pool.Outcome {
	return pool.Outcome{Err: errors.New("429"), Refused: true, RetryAfter: after}
}

func newClock() *clock.Virtual { return clock.NewVirtual(clock.VirtualOptions{}) }
