package clock

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// checkTimers verifies the invariants that stand above the type.
func checkTimers(t *testing.T, h *timers) {
	t.Helper()
	hole := 0
	if h.hole {
		hole = 1
	}
	if len(h.a) < h.n+4 {
		t.Fatalf("%d slots for %d entries", len(h.a), h.n)
	}
	for i := h.n; i < len(h.a); i++ {
		if h.a[i] != infinite {
			t.Fatalf("slot %d of %d is not padding: %v", i, h.n, h.a[i])
		}
	}
	dead, first := 0, infinite
	for i := hole; i < h.n; i++ {
		if p := (i - 1) / 4; i > 0 && (p > 0 || hole == 0) && less(&h.a[p], &h.a[i]) == 0 {
			t.Fatalf("entry %d is not after its parent %d", i, p)
		}
		if less(&h.a[i], &first) == 1 {
			first = h.a[i]
		}
		if !h.a[i].live() {
			dead++
		}
	}
	if h.next != first.at || first != infinite && *h.first() != first {
		t.Fatalf("next is %d, min is %d; want %v", h.next, h.min, first)
	}
	if dead != h.dead {
		t.Fatalf("%d tombstones, counted %d", dead, h.dead)
	}
	if h.dead > 32 && 2*h.dead > h.n {
		t.Fatalf("%d of %d are tombstones", h.dead, h.n)
	}
}

// Random pushes, pops and cancellations come out as a sorted list would have
// them.
func TestTimersMatchASortedList(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		v := NewVirtual(VirtualOptions{})
		h := &v.timers
		var model []*event // in order
		pushes := 1 + r.IntN(8)
		for range 400 {
			switch k := r.IntN(10); {
			case k < pushes:
				e := &event{}
				v.arm(e, v.now+1+r.Int64N(20))
				at, _ := slices.BinarySearchFunc(model, e, func(a, b *event) int {
					if a.at <= b.at { // equal deadlines: behind
						return -1
					}
					return 1
				})
				model = slices.Insert(model, at, e)
			case k < 9 && len(model) > 0:
				for !h.first().live() {
					h.pop()
					h.dead--
				}
				e := h.pop()
				if e.ev != model[0] || e.at != model[0].at {
					t.Fatalf("seed %d: popped (%d, %d), want (%d, %d)", seed, e.at, e.seq, model[0].at, model[0].seq)
				}
				e.ev.seq = 0
				v.now = e.at
				model = model[1:]
			case len(model) > 0:
				i := r.IntN(len(model))
				if !v.disarm(model[i]) || v.disarm(model[i]) {
					t.Fatalf("seed %d: a pending timer is disarmed exactly once", seed)
				}
				model = slices.Delete(model, i, i+1)
			}
			checkTimers(t, h)
		}
	}
}

// Most timers are cancelled while the root is vacant.
func TestTombstonesAreClearedAroundTheHole(t *testing.T) {
	v := NewVirtual(VirtualOptions{})
	events := make([]event, 100)
	for i := range events {
		v.arm(&events[i], int64(1+i))
	}
	if e := v.timers.pop(); e.ev != &events[0] || !v.timers.hole {
		t.Fatalf("popped %v", e)
	}
	for i := 1; i < 99; i++ {
		v.disarm(&events[i])
		checkTimers(t, &v.timers)
	}
	for !v.timers.first().live() {
		v.timers.pop()
		v.timers.dead--
	}
	if e := v.timers.pop(); e.ev != &events[99] || v.timers.next != never {
		t.Errorf("popped %v, next is %d", e, v.timers.next)
	}
}

// Timeouts that are set and cancelled all the time, as around requests, do not
// pile up until they are due.
func TestCancelledTimersDoNotPileUp(t *testing.T) {
	v := NewVirtual(VirtualOptions{})
	kept := &event{}
	v.arm(kept, 1<<40)
	for range 100_000 {
		e := &event{}
		v.arm(e, 1<<30)
		v.disarm(e)
	}
	checkTimers(t, &v.timers)
	if v.timers.n > 64 || len(v.timers.a) > 256 {
		t.Errorf("%d entries in %d slots for one timer", v.timers.n, len(v.timers.a))
	}
	if v.timers.next > 1<<40 || kept.seq == 0 {
		t.Errorf("the timer that is pending is lost")
	}
}

func TestRingIsFirstInFirstOut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	var q ring
	var model []*event
	for range 10_000 {
		if r.IntN(100) < 52 {
			e := &event{}
			q.push(e)
			model = append(model, e)
		} else {
			e := q.pop()
			switch {
			case len(model) == 0 && e != nil:
				t.Fatal("popped from an empty queue")
			case len(model) > 0 && e != model[0]:
				t.Fatal("out of order")
			case len(model) > 0:
				model = model[1:]
			}
		}
		if q.n != len(model) || q.n > 0 && q.at(q.n-1) != model[q.n-1] {
			t.Fatal("the queue does not hold what was pushed")
		}
	}
}
