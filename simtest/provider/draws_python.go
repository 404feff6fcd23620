package provider

import (
	"strconv"
	"sync"

	"github.com/ranktest/ranktest/simtest/numeric"
	"github.com/ranktest/ranktest/simtest/pyrand"
)

// pythonDraws are the reference's rolls: a generator per identity, seeded by
// the text "seed:endpoint:ordinal" or "seed:endpoint:storm:window".
//
// Seeding costs microseconds, and every contestant asks for the same rolls:
// they are kept, and shared by all runs of a seed.
type pythonDraws struct {
	mu        sync.Mutex
	generator *pyrand.Rand
	text      []byte
	endpoints []pythonEndpoint
}

type pythonEndpoint struct {
	prefix   string
	law      Law
	requests []rolls // by ordinal
	known    []bool
	storms   []float64 // by window
}

func newPythonDraws(w *World, seed uint64) *pythonDraws {
	p := &pythonDraws{generator: pyrand.NewText("")}
	for i := range w.Endpoints {
		prefix := strconv.FormatUint(seed, 10) + ":" + w.Endpoints[i].ID + ":"
		p.endpoints = append(p.endpoints, pythonEndpoint{prefix: prefix, law: w.Endpoints[i].Law})
	}
	return p
}

func (p *pythonDraws) request(endpoint int, ordinal uint64) rolls {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &p.endpoints[endpoint]
	for uint64(len(e.requests)) <= ordinal {
		e.requests, e.known = append(e.requests, rolls{}), append(e.known, false)
	}
	if !e.known[ordinal] {
		r := p.seed(e.prefix, ordinal)
		// In the reference's order. It draws the kind only for a request that
		// fails, which makes no difference: it is the last one.
		var z float64
		if e.law == Exponential {
			z = -numeric.Log(1 - r.Float64()) // as random.expovariate
		} else {
			z = r.Gauss(0, 1)
		}
		e.requests[ordinal] = rolls{z: z, tail: r.Float64(), failure: r.Float64(), kind: r.Float64()}
		e.known[ordinal] = true
	}
	return e.requests[ordinal]
}

func (p *pythonDraws) storm(endpoint int, window uint64) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &p.endpoints[endpoint]
	for n := uint64(len(e.storms)); n <= window; n++ {
		e.storms = append(e.storms, p.seed(e.prefix+"storm:", n).Float64())
	}
	return e.storms[window]
}

func (p *pythonDraws) seed(prefix string, number uint64) *pyrand.Rand {
	p.text = strconv.AppendUint(append(p.text[:0], prefix...), number, 10)
	p.generator.SeedText(p.text)
	return p.generator
}

// pythonCache keeps the rolls of each seed of a scenario.
type pythonCache struct {
	mu    sync.Mutex
	seeds map[uint64]*pythonDraws
}

func (c *pythonCache) of(w *World, seed uint64) *pythonDraws {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seeds == nil {
		c.seeds = map[uint64]*pythonDraws{}
	}
	if c.seeds[seed] == nil {
		c.seeds[seed] = newPythonDraws(w, seed)
	}
	return c.seeds[seed]
}
