package clock_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// Random programs are run twice: as tasks on a Virtual, and by an interpreter
// that knows the rules of the package comment and nothing else. It keeps its
// timers in a plain list, looks through it from the start, and has no
// coroutines. Both must report the same, line by line.

type opKind int

const (
	opSleep   opKind = iota // for d
	opPark                  // at waiter w
	opWake                  // waiter w
	opAfter                 // in d, wake waiter w
	opStop                  // the timer that this task made last
	opTimeout               // go on under a context that ends in d
	opCancel                // the context that this task made last
	opSpawn                 // a task
	opKinds
)

type op struct {
	kind opKind
	d    time.Duration
	w    int
	body []op
}

const waiters = 4

func randomProgram(r *rand.Rand, depth int) []op {
	var p []op
	for range 2 + r.IntN(10) {
		o := op{kind: opKind(r.IntN(int(opKinds))), d: time.Duration(r.IntN(6)), w: r.IntN(waiters)}
		if o.kind == opSpawn {
			if depth == 3 {
				continue
			}
			o.body = randomProgram(r, depth+1)
		}
		p = append(p, o)
	}
	return p
}

// onVirtual runs a program as tasks.
func onVirtual(program []op) (lines []string, err error) {
	v := clock.NewVirtual(clock.VirtualOptions{})
	j := &journal{clk: v}
	ws := make([]clock.Waiter, waiters)
	for i := range ws {
		ws[i] = v.NewWaiter(what(fmt.Sprint(i)))
	}
	tasks := 0
	var body func(name int, p []op) func(context.Context)
	body = func(name int, p []op) func(context.Context) {
		return func(ctx context.Context) {
			contexts := []context.Context{ctx}
			cancels := []func(){nil}
			var timer clock.Timer
			for _, o := range p {
				var result any
				top := len(contexts) - 1
				switch o.kind {
				case opSleep:
					result = v.Sleep(contexts[top], o.d)
				case opPark:
					result = ws[o.w].Park(contexts[top])
				case opWake:
					ws[o.w].Wake()
				case opAfter:
					timer = v.AfterFunc(o.d, func() { j.add("timer %d", o.w); ws[o.w].Wake() })
				case opStop:
					result = timer != nil && timer.Stop()
				case opTimeout:
					c, cancel := v.WithTimeout(contexts[top], o.d)
					contexts, cancels = append(contexts, c), append(cancels, cancel)
					result = c.Err()
				case opCancel:
					if top > 0 {
						cancels[top]()
						contexts, cancels = contexts[:top], cancels[:top]
					}
				case opSpawn:
					tasks++
					v.Go(contexts[top], "task", body(tasks, o.body))
				}
				if errors.Is(result2err(result), clock.ErrStopped) {
					return
				}
				j.add("%d: %d %v", name, o.kind, short(result))
			}
		}
	}
	err = v.Run(context.Background(), body(0, program))
	return j.lines, err
}

func result2err(result any) error { err, _ := result.(error); return err }

// short makes the error of a second task at a waiter comparable.
func short(result any) any {
	if err := result2err(result); err != nil && err != context.Canceled && err != context.DeadlineExceeded {
		return "taken"
	}
	return result
}

// The interpreter.

type modelContext struct {
	parent   *modelContext
	children []*modelContext
	parked   []*modelTask
	err      error
	endedAt  int // place among wake-ups and ends
}

type modelTask struct {
	name    int
	program []op
	stack   []*modelContext
	timer   *modelTimer
	waiter  *modelWaiter
	wakes   *modelTimer // its sleep
	result  any
	blocked bool // its last operation is not reported yet
}

type modelWaiter struct {
	task   *modelTask
	wokeAt int // place among wake-ups and ends; 0 = holds none
}

// modelTimer stands for one that is pending, in the order of creation.
type modelTimer struct {
	at     time.Duration
	task   *modelTask    // to wake, or
	ends   *modelContext // to end, or
	w      int           // waiter to wake
	queued bool
}

type model struct {
	now    time.Duration
	order  int
	timers []*modelTimer
	ready  []any // *modelTask or *modelTimer
	ws     [waiters]modelWaiter
	tasks  int // made
	alive  int
	lines  []string
}

func (m *model) add(format string, args ...any) {
	m.lines = append(m.lines, fmt.Sprintf("%v ", m.now)+fmt.Sprintf(format, args...))
}

func (m *model) drop(t *modelTimer) bool {
	i := slices.Index(m.timers, t)
	if i >= 0 {
		m.timers = slices.Delete(m.timers, i, i+1)
	}
	return i >= 0
}

func (m *model) unpark(t *modelTask, result any) {
	c := t.stack[len(t.stack)-1]
	if i := slices.Index(c.parked, t); i >= 0 {
		c.parked = slices.Delete(c.parked, i, i+1)
	}
	if t.waiter != nil {
		t.waiter.task, t.waiter = nil, nil
	}
	m.drop(t.wakes)
	t.result = result
	m.ready = append(m.ready, t)
}

func (m *model) wake(w *modelWaiter) {
	if w.task != nil {
		m.unpark(w.task, nil)
	} else if w.wokeAt == 0 {
		m.order++
		w.wokeAt = m.order
	}
}

func (m *model) end(c *modelContext, err error) {
	if c.err != nil {
		return
	}
	m.order++
	c.err, c.endedAt = err, m.order
	m.timers = slices.DeleteFunc(m.timers, func(t *modelTimer) bool { return t.ends == c })
	for len(c.parked) > 0 {
		m.unpark(c.parked[0], err)
	}
	for _, k := range c.children {
		m.end(k, err)
	}
}

func (m *model) start(p []op, c *modelContext, name int) {
	m.alive++
	m.ready = append(m.ready, &modelTask{name: name, program: p, stack: []*modelContext{c}})
}

// step runs one operation; it reports false if the task blocks.
func (m *model) step(t *modelTask, o op) (result any, goesOn bool) {
	c := t.stack[len(t.stack)-1]
	switch o.kind {
	case opSleep:
		if c.err != nil {
			return c.err, true
		}
		if o.d == 0 {
			t.result = nil
			m.ready = append(m.ready, t)
			return nil, false
		}
		t.wakes = &modelTimer{at: m.now + o.d, task: t}
		m.timers = append(m.timers, t.wakes)
		c.parked = append(c.parked, t)
		return nil, false
	case opPark:
		w := &m.ws[o.w]
		switch {
		case c.err != nil && (w.wokeAt == 0 || c.endedAt < w.wokeAt):
			return c.err, true
		case w.wokeAt != 0:
			w.wokeAt = 0
			return nil, true
		case w.task != nil:
			return "taken", true
		}
		w.task, t.waiter = t, w
		c.parked = append(c.parked, t)
		return nil, false
	case opWake:
		m.wake(&m.ws[o.w])
	case opAfter:
		t.timer = &modelTimer{at: m.now + o.d, w: o.w}
		if o.d == 0 {
			t.timer.queued = true
			m.ready = append(m.ready, t.timer)
		} else {
			m.timers = append(m.timers, t.timer)
		}
	case opStop:
		stopped := t.timer != nil && (t.timer.queued || m.drop(t.timer))
		if t.timer != nil {
			t.timer.queued = false
		}
		return stopped, true
	case opTimeout:
		k := &modelContext{parent: c}
		c.children = append(c.children, k)
		t.stack = append(t.stack, k)
		switch {
		case c.err != nil:
			m.end(k, c.err)
		case o.d == 0:
			m.end(k, context.DeadlineExceeded)
		default:
			m.timers = append(m.timers, &modelTimer{at: m.now + o.d, ends: k})
		}
		return k.err, true
	case opCancel:
		if len(t.stack) > 1 {
			m.end(c, context.Canceled)
			c.parent.children = slices.DeleteFunc(c.parent.children, func(k *modelContext) bool { return k == c })
			t.stack = t.stack[:len(t.stack)-1]
		}
	case opSpawn:
		m.tasks++
		m.start(o.body, c, m.tasks)
	}
	return nil, true
}

// run reports whether all tasks ended.
func (m *model) run(program []op) bool {
	m.start(program, &modelContext{}, 0)
	for m.alive > 0 {
		if len(m.ready) == 0 {
			if len(m.timers) == 0 {
				return false
			}
			m.advance()
			continue
		}
		next := m.ready[0]
		m.ready = m.ready[1:]
		if timer, ok := next.(*modelTimer); ok {
			if timer.queued {
				timer.queued = false
				m.add("timer %d", timer.w)
				m.wake(&m.ws[timer.w])
			}
			continue
		}
		t := next.(*modelTask)
		result, goesOn := t.result, true
		for {
			if t.blocked {
				m.add("%d: %d %v", t.name, t.program[0].kind, result)
				t.program = t.program[1:]
				t.blocked = false
			}
			if len(t.program) == 0 {
				m.alive--
				break
			}
			t.blocked = true
			if result, goesOn = m.step(t, t.program[0]); !goesOn {
				break
			}
		}
	}
	return true
}

// advance moves time to the first deadline; a stable search keeps the order of
// creation.
func (m *model) advance() {
	m.now = slices.MinFunc(m.timers, func(a, b *modelTimer) int { return int(a.at - b.at) }).at
	for {
		i := slices.IndexFunc(m.timers, func(t *modelTimer) bool { return t.at == m.now })
		if i < 0 {
			return
		}
		t := m.timers[i]
		m.drop(t)
		switch {
		case t.task != nil:
			m.unpark(t.task, nil)
		case t.ends != nil:
			m.end(t.ends, context.DeadlineExceeded)
		default:
			t.queued = true
			m.ready = append(m.ready, t)
		}
	}
}

func TestRandomProgramsMatchTheModel(t *testing.T) {
	programs := 3000
	if testing.Short() {
		programs = 300
	}
	stalled, switched := 0, 0
	for seed := range uint64(programs) {
		program := randomProgram(rand.New(rand.NewPCG(seed, 1)), 0)
		var m model
		ended := m.run(program)
		lines, err := onVirtual(program)
		if ended != (err == nil) || !ended && !errors.Is(err, clock.ErrStalled) {
			t.Fatalf("seed %d: the run: %v; in the model all tasks end: %t", seed, err, ended)
		}
		for i := range max(len(lines), len(m.lines)) {
			if i >= len(lines) || i >= len(m.lines) || lines[i] != m.lines[i] {
				t.Fatalf("seed %d: line %d:\nrun:   %q\nmodel: %q", seed, i, lines[min(i, len(lines)):], m.lines[min(i, len(m.lines)):])
			}
		}
		switched += len(lines)
		if !ended {
			stalled++
		}
	}
	if stalled == 0 || stalled == programs || switched < 10*programs {
		t.Errorf("%d of %d programs stalled, %d lines: too little was tested", stalled, programs, switched)
	}
}
