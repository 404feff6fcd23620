package clock

import (
	"math"
	"math/bits"
)

// never is a deadline that is not reached.
const never = math.MaxInt64

// entry is one timer in the queue. It is live as long as its event carries the
// same number; a timer that was stopped or reset leaves a tombstone.
type entry struct {
	at  int64 // nanoseconds since the epoch
	seq uint64
	ev  *event
}

func (e *entry) live() bool { return e.ev.seq == e.seq }

// infinite pads the last group of children, so that a group is always full.
var infinite = entry{at: never, seq: math.MaxUint64}

// less is 1 if a comes before b, else 0, without a branch: the borrow of the
// 128-bit subtraction (a.at, a.seq) - (b.at, b.seq).
func less(a, b *entry) uint64 {
	_, borrow := bits.Sub64(a.seq, b.seq, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return borrow
}

// timers is a 4-ary min-heap over (at, seq), with a lazy hole: pop leaves the
// root vacant, because the task that runs next most likely sleeps again, and
// its entry then fills the root with one walk down instead of two walks.
//
// Invariants, with h = 1 if there is a hole, else 0:
//
//	len(a) >= n+4, a[i] = infinite for i >= n
//	a[(i-1)/4] before a[i] for 0 < i < n, unless h = 1 and (i-1)/4 = 0
//	min = 0 if h = 0, else the smallest child of the root
//	next = a[min].at: never if no entry is left, or none that is ever due
//	dead = number of tombstones
type timers struct {
	a    []entry
	n    int // slots in use, the vacant root included
	min  int
	hole bool
	next int64
	dead int
}

func (h *timers) init() {
	h.a = make([]entry, 64)
	for i := range h.a {
		h.a[i] = infinite
	}
	h.next = never
}

// first returns the first entry; there must be one.
func (h *timers) first() *entry { return &h.a[h.min] }

// firstOf returns the first of the four children that start at c.
func (h *timers) firstOf(c int) int {
	g := (*[4]entry)(h.a[c:])
	l := less(&g[1], &g[0])
	r := 2 | less(&g[3], &g[2])
	return c + int(l^(l^r)&-less(&g[r&3], &g[l&3]))
}

func (h *timers) push(at int64, seq uint64, ev *event) {
	e := entry{at: at, seq: seq, ev: ev}
	if h.hole {
		h.hole = false
		if less(&e, &h.a[h.min]) == 1 {
			h.a[0] = e
		} else {
			h.a[0] = h.a[h.min]
			h.down(h.min, e)
		}
	} else {
		if h.n+4 >= len(h.a) {
			h.grow()
		}
		h.up(h.n, e)
		h.n++
	}
	h.min, h.next = 0, h.a[0].at
}

// pop takes the first entry out; there must be one.
func (h *timers) pop() entry {
	if h.hole {
		h.fill()
	}
	e := h.a[0]
	h.hole = true
	if h.n == 1 {
		h.a[0], h.n, h.hole = infinite, 0, false
		h.min, h.next = 0, never
		return e
	}
	h.min = h.firstOf(1)
	h.next = h.a[h.min].at
	return e
}

// fill closes the hole with the last entry.
func (h *timers) fill() {
	h.hole = false
	h.n--
	last := h.a[h.n]
	h.a[0] = h.a[h.min]
	h.a[h.n] = infinite
	if h.min != h.n {
		h.down(h.min, last)
	}
	h.min, h.next = 0, h.a[0].at
}

// down puts e into the vacant slot i or below it.
func (h *timers) down(i int, e entry) {
	for {
		c := 4*i + 1
		if c >= h.n {
			break
		}
		m := h.firstOf(c)
		if less(&h.a[m], &e) == 0 {
			break
		}
		h.a[i] = h.a[m]
		i = m
	}
	h.a[i] = e
}

// up puts e into the vacant slot i or above it.
func (h *timers) up(i int, e entry) {
	for i > 0 {
		p := (i - 1) / 4
		if less(&e, &h.a[p]) == 0 {
			break
		}
		h.a[i] = h.a[p]
		i = p
	}
	h.a[i] = e
}

func (h *timers) grow() {
	a := make([]entry, 2*len(h.a))
	for i := copy(a, h.a); i < len(a); i++ {
		a[i] = infinite
	}
	h.a = a
}

// bury counts a tombstone more, and clears all away when they are more than
// half of a queue that is worth the walk.
func (h *timers) bury() {
	h.dead++
	if h.dead > 32 && 2*h.dead > h.n {
		h.compact()
	}
}

// compact removes the tombstones. The order of what is left does not depend on
// it, because (at, seq) is unique.
func (h *timers) compact() {
	from := 0
	if h.hole {
		from = 1
	}
	n := 0
	for i := from; i < h.n; i++ {
		if h.a[i].live() {
			h.a[n] = h.a[i]
			n++
		}
	}
	for i := n; i < h.n; i++ {
		h.a[i] = infinite
	}
	h.n, h.dead, h.hole = n, 0, false
	for i := (n - 2) / 4; i >= 0 && n > 1; i-- {
		h.down(i, h.a[i])
	}
	h.min, h.next = 0, h.a[0].at
}
