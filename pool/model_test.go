package pool_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
)

var modelRuns = flag.Int("pool.model-runs", 150, "random histories per order and policy in TestRandomHistories")

// TestRandomHistories drives a pool and a naive model of it through the same
// random history of publications, leases, reports, waits, cancellations and
// time, and compares after every step: every choice, every state, every waiter,
// and whether the pool is doomed. -pool.model-runs=N makes it longer.
func TestRandomHistories(t *testing.T) {
	short := pool.DefaultHealth()
	short.DegradeAfter, short.DeadAfter, short.Cooldown = 1, 3, 7*sec
	for _, order := range orders {
		for _, health := range []pool.Health{pool.DefaultHealth(), pool.ReferenceHealth(), short} {
			for seed := range uint64(*modelRuns) {
				if !randomHistory(t, pool.Options{Order: order, Health: health}, seed) {
					t.Fatalf("order %d, health %+v, seed %d; see the history above", order, health, seed)
				}
			}
		}
	}
}

// history is one random history.
type history struct {
	*sim
	m       *model
	rng     *rand.Rand
	held    []*held
	waiting []*asker
	log     []string
	failed  bool
}

type held struct {
	lease *pool.Lease
	model *modelLease
}

// asker is a task that waits. Lease or err are set when it is done.
type asker struct {
	name   string
	query  modelQuery
	cancel context.CancelFunc
	lease  *pool.Lease
	err    error
}

func randomHistory(t *testing.T, o pool.Options, seed uint64) bool {
	h := &history{m: &model{health: o.Health}, rng: rand.New(rand.NewPCG(seed, 1))}
	simulate(t, o, nil, func(s *sim) {
		h.sim = s
		for step := 0; step < 120 && !h.failed; step++ {
			h.step(step)
			h.settle()
		}
		for _, a := range h.waiting {
			a.cancel()
		}
	})
	if h.failed {
		t.Logf("history:\n\t%s", strings.Join(h.log, "\n\t"))
	}
	return !h.failed
}

func (h *history) say(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf("%v ", h.v.Elapsed())+fmt.Sprintf(format, args...))
}

func (h *history) errorf(format string, args ...any) {
	h.failed = true
	h.t.Errorf("%v: "+format, append([]any{h.v.Elapsed()}, args...)...)
}

var modelIDs = []string{"a", "b", "c", "d"}

// step does one random thing to both.
func (h *history) step(step int) {
	id := modelIDs[h.rng.IntN(len(modelIDs))]
	switch x := h.rng.IntN(100); {
	case x < 8 || step < 3:
		n := 1 + h.rng.IntN(4)
		h.say("publish %s with %d", id, n)
		if err := h.p.Publish(res(id, n)); err != nil {
			h.errorf("%v", err)
		}
		h.m.publish(id, n)
	case x < 11:
		h.say("revoke %s", id)
		if err := h.p.Revoke(id); (err == nil) != h.m.revoke(id) {
			h.errorf("revoke: %v", err)
		}
	case x < 15:
		n := 1 + h.rng.IntN(5)
		h.say("capacity of %s is %d", id, n)
		if err := h.p.SetCapacity(id, n); (err == nil) != h.m.setCapacity(id, n) {
			h.errorf("set capacity: %v", err)
		}
	case x < 35:
		h.try()
	case x < 50:
		h.wait(fmt.Sprintf("w%d", step))
	case x < 53 && len(h.waiting) > 0:
		a := h.waiting[h.rng.IntN(len(h.waiting))]
		h.say("cancel %s", a.name)
		a.cancel()
		h.m.cancel(a.name)
	case x < 65 && len(h.held) > 0:
		i := h.rng.IntN(len(h.held))
		l := h.held[i]
		h.say("release a lease of %s", l.lease.ResourceID())
		l.lease.Release()
		l.lease.Release()
		h.m.release(l.model, h.v.Elapsed())
		if h.rng.IntN(4) > 0 { // the others stay in hand, released
			h.held = slices.Delete(h.held, i, i+1)
		}
	case x < 85 && len(h.held) > 0:
		l := h.held[h.rng.IntN(len(h.held))]
		o := h.outcome()
		h.say("report %+v of %s", o, l.lease.ResourceID())
		l.lease.Report(o)
		h.m.report(l.model, o, h.v.Elapsed())
	case x < 87 && len(h.held) > 0:
		l := h.held[h.rng.IntN(len(h.held))]
		d := time.Duration(h.rng.IntN(20)) * sec
		h.say("degrade %s for %v", l.lease.ResourceID(), d)
		l.lease.Degrade(d)
		h.m.degrade(l.model, d, h.v.Elapsed())
	default:
		h.sleep(time.Duration(h.rng.IntN(12)) * sec)
	}
}

func (h *history) outcome() pool.Outcome {
	switch h.rng.IntN(8) {
	case 0, 1:
		return pool.Outcome{Latency: time.Duration(h.rng.IntN(3)) * sec}
	case 2:
		return refused(time.Duration(h.rng.IntN(15)) * sec)
	case 3:
		return refused(time.Duration(h.rng.IntN(30)) * time.Minute)
	}
	return pool.Outcome{Err: errDown}
}

func (h *history) query() modelQuery {
	q := modelQuery{}
	switch h.rng.IntN(4) {
	case 0:
		q.id = modelIDs[h.rng.IntN(len(modelIDs))]
	case 1:
		q.filter = 1 + h.rng.IntN(1<<len(modelIDs)-1)
	}
	if h.rng.IntN(3) == 0 {
		q.ranked = true
		for i := range q.scores {
			q.scores[i] = pool.Score{float64(h.rng.IntN(2)), float64(h.rng.IntN(2))}
		}
	}
	return q
}

func (h *history) try() {
	q := h.query()
	l, err := h.p.TryAcquire(h.ctx, q.real())
	m, chosen := h.m.try(q)
	h.say("try %+v: %s", q, chosen)
	switch got := ""; {
	case l != nil:
		if got = l.ResourceID(); got != chosen {
			h.errorf("leased %q, the model says %q", got, chosen)
		}
		h.held = append(h.held, &held{l, m})
	case chosen != "":
		h.errorf("%v, the model says %q", err, chosen)
	case !errors.Is(err, pool.ErrUnavailable):
		h.errorf("error %v", err)
	default:
		h.checkReturn(err, q)
	}
}

// checkReturn compares what an error says about the first resource that returns.
func (h *history) checkReturn(err error, q modelQuery) {
	var cooling *pool.CooldownError
	until, known := h.m.firstReturn(q)
	if errors.As(err, &cooling) != known || known && cooling.RetryAfter != until-h.v.Elapsed() {
		h.errorf("error %v, the model says that something returns (%v) at %v", err, known, until)
	}
}

func (h *history) wait(name string) {
	a := &asker{name: name, query: h.query()}
	h.say("%s waits for %+v", name, a.query)
	ctx, cancel := h.v.WithTimeout(h.ctx, 1000*time.Hour)
	a.cancel = cancel
	h.waiting = append(h.waiting, a)
	h.task(name, func(context.Context) { a.lease, a.err = h.p.Acquire(ctx, a.query.real()) })
	h.m.wait(name, a.query)
}

// sleep stops at every instant at which the model changes.
func (h *history) sleep(d time.Duration) {
	h.say("sleep %v", d)
	for end := h.v.Elapsed() + d; ; {
		next := min(end, h.m.nextChange(h.v.Elapsed()))
		h.until(next)
		h.m.expire(next)
		if next == end {
			return
		}
		h.settle()
	}
}

// settle lets all tasks come to rest, then compares.
func (h *history) settle() {
	h.rest()
	done := h.m.settle(h.v.Elapsed())
	h.waiting = slices.DeleteFunc(h.waiting, func(a *asker) bool {
		want, ok := done[a.name]
		switch {
		case !ok && a.lease == nil && a.err == nil:
			return false
		case !ok:
			h.errorf("%s is done (%v, %v), the model says that it waits", a.name, a.lease, a.err)
		case want.lease != nil:
			if a.lease == nil || a.lease.ResourceID() != want.lease.r.id {
				h.errorf("%s: %v, %v; the model says %s", a.name, a.lease, a.err, want.lease.r.id)
				return true
			}
			h.say("%s gets %s", a.name, want.lease.r.id)
			h.held = append(h.held, &held{a.lease, want.lease})
		case a.err == nil || !errors.Is(a.err, want.err):
			h.errorf("%s: %v; the model says %v", a.name, a.err, want.err)
		}
		a.cancel()
		return true
	})
	if h.failed {
		return
	}
	var got []string
	for _, st := range h.p.Snapshot() {
		got = append(got, fmt.Sprint(st, ", latency ", st.Latency))
	}
	if g, w := strings.Join(got, "; "), h.m.String(); g != w {
		h.errorf("\n\t%s\nthe model says\n\t%s", g, w)
	}
	if g, w := h.p.Doomed(), h.m.doomed(); g != w {
		h.errorf("doomed: %v, the model says %v", g, w)
	}
}
