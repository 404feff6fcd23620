package clock

// ring is the queue of what is runnable, first in, first out. Its length is a
// power of two.
type ring struct {
	buf  []*event
	head int // index of the oldest
	n    int
}

func (r *ring) push(e *event) {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.buf[(r.head+r.n)&(len(r.buf)-1)] = e
	r.n++
}

// pop returns nil if the queue is empty.
func (r *ring) pop() *event {
	if r.n == 0 {
		return nil
	}
	p := &r.buf[r.head&(len(r.buf)-1)]
	e := *p
	*p = nil
	r.head++
	r.n--
	return e
}

// at returns the i-th oldest, 0 <= i < n.
func (r *ring) at(i int) *event { return r.buf[(r.head+i)&(len(r.buf)-1)] }

func (r *ring) grow() {
	buf := make([]*event, max(16, 2*len(r.buf)))
	for i := range r.n {
		buf[i] = r.at(i)
	}
	r.buf, r.head = buf, 0
}
