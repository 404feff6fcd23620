package pool_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

var stressOps = flag.Int("pool.stress-ops", 400_000, "acquisitions in TestStress, in total (10000000 is the full test)")

// stressed is a resource with the test's own count of leases in use, which must
// never exceed its capacity.
type stressed struct {
	id       string
	capacity int64
	inUse    atomic.Int64
}

// TestStress has many goroutines share few slots on the real clock: they wait,
// try, give up, fail, and so send resources to cool down, while others look on.
// No slot is held twice, and every acquisition without a deadline is served: a
// lost wake-up would leave somebody waiting when all others are done.
//
//	go test ./pool -race -run TestStress -pool.stress-ops=10000000 -timeout 1h
func TestStress(t *testing.T) {
	ops := *stressOps
	if testing.Short() {
		ops = min(ops, 100_000)
	}
	for _, order := range orders {
		for _, c := range []stressCase{
			{"one slot", 16, 0, false, []*stressed{{id: "a", capacity: 1}}},
			{"few slots, one resource", 16, 0, false, []*stressed{{id: "a", capacity: 4}}},
			{"three resources that fail", 16, 40, false, []*stressed{{id: "a", capacity: 1}, {id: "b", capacity: 2}, {id: "c", capacity: 5}}},
			{"more slots than workers", 4, 1, false, []*stressed{{id: "a", capacity: 8}, {id: "b", capacity: 8}}},
			{"resources come, go, grow and shrink", 16, 10, true, []*stressed{{id: "a", capacity: 5}, {id: "b", capacity: 1}}},
		} {
			t.Run(fmt.Sprintf("order %d, %s", order, c.name), func(t *testing.T) { c.run(t, order, ops/10) })
		}
	}
}

type stressCase struct {
	name    string
	workers int
	fail    int // percent of reports
	churn   bool
	all     []*stressed
}

func (c *stressCase) run(t *testing.T, order pool.Order, ops int) {
	health := pool.DefaultHealth()
	health.Cooldown = 100 * time.Microsecond
	p := newPool(t, clock.Real(), pool.Options{Health: health, Order: order, SlowWait: 10 * ms, LeakAfter: 10 * ms})
	for _, r := range c.all {
		if err := p.Publish(res(r.id, int(r.capacity))); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	var onlookers sync.WaitGroup
	onlookers.Go(func() { c.watch(t, p, done) })

	var crew sync.WaitGroup
	var served atomic.Int64
	for n := range c.workers {
		crew.Go(func() {
			w := &stressWorker{t: t, p: p, all: c.all, fail: c.fail, rng: rand.New(rand.NewPCG(uint64(n), 7))}
			for range ops / c.workers {
				if w.do() {
					served.Add(1)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { crew.Wait(); close(ended) }()
	for last := int64(-1); ; {
		select {
		case <-ended:
			close(done)
			onlookers.Wait()
			c.checkAtRest(t, p)
			return
		case <-time.After(30 * time.Second):
			// Not a limit of time: nobody was served at all.
			if now := served.Load(); now == last {
				t.Fatalf("nobody is served any more: %v", p.Snapshot())
			} else {
				last = now
			}
		}
	}
}

// watch looks at everything that can be looked at, and changes what may be
// changed, until done.
func (c *stressCase) watch(t *testing.T, p *pool.Pool, done chan struct{}) {
	sub := p.Subscribe(64)
	defer sub.Close()
	for n := 0; ; n++ {
		for _, st := range p.Snapshot() {
			if st.Active < 0 || st.Active > st.Capacity && !c.churn {
				t.Errorf("%v", st)
			}
		}
		if p.Doomed() {
			t.Error("doomed, though dead resources are probed")
		}
		sub.Drain()
		if c.churn {
			c.change(t, p, n)
		}
		time.Sleep(50 * time.Microsecond)
		select {
		case <-done:
			return
		default:
		}
	}
}

// change lets the first resource shrink and grow again, and a further one come
// and go.
func (c *stressCase) change(t *testing.T, p *pool.Pool, n int) {
	first := c.all[0]
	err := p.SetCapacity(first.id, 1+n%int(first.capacity))
	if n%3 == 0 {
		err = errors.Join(err, p.Publish(res("guest", 1+n%2)))
	} else if n%3 == 1 {
		err = errors.Join(err, p.Revoke("guest"))
	}
	if err != nil {
		t.Error(err)
	}
}

// checkAtRest checks that nothing is held and that everything can be had.
func (c *stressCase) checkAtRest(t *testing.T, p *pool.Pool) {
	for _, st := range p.Snapshot() {
		if st.Active != 0 {
			t.Errorf("%v", st)
		}
	}
	for _, r := range c.all {
		if n := r.inUse.Load(); n != 0 {
			t.Errorf("%s: %d in use", r.id, n)
		}
		if err := p.SetCapacity(r.id, int(r.capacity)); err != nil {
			t.Error(err)
		}
		for range r.capacity {
			l, err := p.Acquire(context.Background(), pool.Query{ID: r.id})
			if err != nil {
				t.Fatal(err)
			}
			l.Report(pool.Outcome{}) // so that a probe is followed by more
		}
	}
}

type stressWorker struct {
	t    *testing.T
	p    *pool.Pool
	all  []*stressed
	fail int
	rng  *rand.Rand
}

// do makes one acquisition and uses it, and reports whether there was a lease.
func (w *stressWorker) do() bool {
	var q pool.Query
	ctx := context.Background()
	x := w.rng.IntN(100)
	switch target := w.all[w.rng.IntN(len(w.all))]; {
	case x < 10:
		q.ID = target.id
	case x < 20:
		q.Filter = is(target.id)
	case x < 25:
		q.Rank = preferring(target.id)
	case x < 30:
		q.Holder = target.id
	case x < 35:
		l, err := w.p.TryAcquire(ctx, q)
		if err != nil {
			w.expect(err, pool.ErrUnavailable)
			return false
		}
		w.use(l)
		return true
	case x < 45:
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(w.rng.IntN(40))*time.Microsecond)
		defer cancel()
		l, err := w.p.Acquire(ctx, q)
		if err != nil {
			w.expect(err, context.DeadlineExceeded)
			return false
		}
		w.use(l)
		return true
	}
	l, err := w.p.Acquire(ctx, q)
	if err != nil {
		w.t.Errorf("%v", err)
		return false
	}
	w.use(l)
	return true
}

func (w *stressWorker) expect(err, want error) {
	if !errors.Is(err, want) {
		w.t.Errorf("%v, want %v", err, want)
	}
}

// use counts itself in, yields now and then, reports, counts itself out, and
// releases.
func (w *stressWorker) use(l *pool.Lease) {
	for _, r := range w.all {
		if r.id != l.ResourceID() { // or a guest
			continue
		}
		if n := r.inUse.Add(1); n > r.capacity {
			w.t.Errorf("%s: %d leases of %d", r.id, n, r.capacity)
		}
		if w.rng.IntN(64) == 0 {
			time.Sleep(time.Microsecond)
		}
		o := pool.Outcome{Latency: ms}
		if w.rng.IntN(100) < w.fail {
			o.Err = errDown
		}
		l.Report(o)
		r.inUse.Add(-1)
	}
	l.Release()
	if w.rng.IntN(8) == 0 {
		l.Release()
	}
}
