package pool_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ranktest/ranktest/pool"
)

// model is a pool as one would write it down: nothing is cached, everything is
// looked up in lists, waiting is a list that is tried from the front.
type model struct {
	health    pool.Health
	resources []*modelResource
	waiters   []modelWaiter
	done      map[string]modelResult
	granted   int
}

type modelResource struct {
	id       string
	capacity int
	leases   []*modelLease
	state    pool.State
	until    time.Duration // of a cooldown, or until the next probe; 0 is neither
	due      bool
	probe    *modelLease
	failures int
	latency  float64
}

type modelLease struct{ r *modelResource }

type modelWaiter struct {
	name  string
	query modelQuery
}

type modelResult struct {
	lease *modelLease
	err   error
}

// modelQuery is a pool.Query that can be printed.
type modelQuery struct {
	id     string
	filter int // bits of modelIDs; 0 is no filter
	ranked bool
	scores [4]pool.Score
}

func (q modelQuery) admits(id string) bool {
	return (q.id == "" || q.id == id) && (q.filter == 0 || q.filter>>slices.Index(modelIDs, id)&1 == 1)
}

// real makes the query for the pool.
func (q modelQuery) real() pool.Query {
	r := pool.Query{ID: q.id}
	if q.filter != 0 {
		r.Filter = func(v pool.View) bool { return q.filter>>slices.Index(modelIDs, v.ID())&1 == 1 }
	}
	if q.ranked {
		r.Rank = func(v pool.View) pool.Score { return q.scores[slices.Index(modelIDs, v.ID())] }
	}
	return r
}

// published finds the resource that now goes by the id.
func (m *model) published(id string) *modelResource {
	for _, r := range m.resources {
		if r.id == id && r.state != pool.Revoked {
			return r
		}
	}
	return nil
}

func (m *model) publish(id string, capacity int) {
	r := &modelResource{id: id, capacity: capacity}
	if old := m.published(id); old != nil {
		m.resources[slices.Index(m.resources, old)] = r
		old.state, old.probe = pool.Revoked, nil
		return
	}
	m.resources = append(m.resources, r)
}

func (m *model) revoke(id string) bool {
	r := m.published(id)
	if r == nil {
		return false
	}
	r.state, r.until, r.due, r.probe = pool.Revoked, 0, false, nil
	m.sweep()
	return true
}

// sweep forgets revoked resources without leases.
func (m *model) sweep() {
	m.resources = slices.DeleteFunc(m.resources, func(r *modelResource) bool {
		return r.state == pool.Revoked && len(r.leases) == 0
	})
}

func (m *model) setCapacity(id string, n int) bool {
	r := m.published(id)
	if r != nil {
		r.capacity = n
	}
	return r != nil
}

// try is the rule of selection, with loads as float64 quotients.
func (m *model) try(q modelQuery) (*modelLease, string) {
	var best []*modelResource
	load := func(r *modelResource) float64 { return float64(len(r.leases)) / float64(r.capacity) }
	for _, r := range m.resources {
		if (r.state == pool.Ready || r.due) && len(r.leases) < r.capacity && q.admits(r.id) {
			best = append(best, r)
		}
	}
	keep := func(better func(a, b *modelResource) bool) {
		all := best
		best = nil
		for _, r := range all {
			if !slices.ContainsFunc(all, func(o *modelResource) bool { return better(o, r) }) {
				best = append(best, r)
			}
		}
	}
	if q.ranked {
		keep(func(a, b *modelResource) bool {
			x, y := q.scores[slices.Index(modelIDs, a.id)], q.scores[slices.Index(modelIDs, b.id)]
			return x[0] > y[0] || x[0] == y[0] && x[1] > y[1]
		})
	}
	keep(func(a, b *modelResource) bool { return load(a) < load(b) })
	if len(best) == 0 {
		return nil, ""
	}
	r := best[m.granted%len(best)]
	m.granted++
	l := &modelLease{r}
	r.leases = append(r.leases, l)
	if r.due {
		r.due, r.probe = false, l
	}
	return l, r.id
}

func (m *model) wait(name string, q modelQuery) {
	m.waiters = append(m.waiters, modelWaiter{name, q})
}

func (m *model) cancel(name string) {
	m.waiters = slices.DeleteFunc(m.waiters, func(w modelWaiter) bool {
		if w.name == name {
			m.finish(name, modelResult{err: context.Canceled})
		}
		return w.name == name
	})
}

func (m *model) finish(name string, r modelResult) {
	if m.done == nil {
		m.done = map[string]modelResult{}
	}
	m.done[name] = r
}

// settle serves the waiters from the front and returns those that are done.
func (m *model) settle(now time.Duration) map[string]modelResult {
	m.waiters = slices.DeleteFunc(m.waiters, func(w modelWaiter) bool {
		if l, _ := m.try(w.query); l != nil {
			m.finish(w.name, modelResult{lease: l})
			return true
		}
		if w.query.id != "" && m.published(w.query.id) == nil {
			m.finish(w.name, modelResult{err: pool.ErrRevoked})
			return true
		}
		if until, ok := m.firstReturn(w.query); ok && m.health.MaxRetryAfter > 0 && until-now > m.health.MaxRetryAfter {
			m.finish(w.name, modelResult{err: pool.ErrTooLong})
			return true
		}
		return false
	})
	done := m.done
	m.done = nil
	return done
}

// firstReturn says when the first resource returns, if all that the query
// admits are away.
func (m *model) firstReturn(q modelQuery) (first time.Duration, known bool) {
	for _, r := range m.resources {
		switch {
		case !q.admits(r.id) || r.state == pool.Revoked:
		case r.until > 0:
			if !known || r.until < first {
				first, known = r.until, true
			}
		case r.state == pool.Ready || r.due || r.probe != nil:
			return 0, false
		}
	}
	return first, known
}

func (m *model) doomed() bool {
	for _, r := range m.resources {
		switch {
		case r.state == pool.Ready, r.state == pool.Degraded, r.state == pool.Dead && (m.health.Probe || len(r.leases) > 0):
			return false
		}
	}
	return true // the histories begin with a publication
}

func (m *model) String() string {
	var all []string
	for _, r := range m.resources {
		st := pool.Status{ID: r.id, State: r.state, Until: r.until, Capacity: r.capacity, Active: len(r.leases), Failures: r.failures}
		all = append(all, fmt.Sprint(st, ", latency ", time.Duration(r.latency)))
	}
	return strings.Join(all, "; ")
}
