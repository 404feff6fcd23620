package placement

import (
	"fmt"
	"strings"
)

// policy says how a task's worker is chosen: from a random sample of all
// workers or of those with the capability, or from everybody.
type policy struct {
	name    string
	choices int  // size of the sample
	able    bool // sample from the workers with the capability only
	global  bool // see everything, and now
	meaning string
}

// The policies, in the order of every output.
var policies = []policy{
	{name: "one-random", choices: 1,
		meaning: "one worker at random"},
	{name: "power-two", choices: 2,
		meaning: "the less loaded of two workers at random"},
	{name: "power-three", choices: 3,
		meaning: "the least loaded of three workers at random"},
	{name: "capability-power-two", choices: 2, able: true,
		meaning: "the less loaded of two random workers with the capability, from a directory"},
	{name: Oracle, global: true,
		meaning: "the least loaded of all workers with the capability, with current loads and availability"},
}

// Oracle is the policy that sees everything without any lag. It is a reference
// point and no lower bound: it is greedy, and among idle workers it takes the
// first, not the fastest.
const Oracle = "global-least-loaded"

// Policies returns the names of the policies, in the order of every output.
func Policies() []string {
	names := make([]string, len(policies))
	for i, p := range policies {
		names[i] = p.name
	}
	return names
}

// PolicyMeaning says in a few words what a policy does, "" if there is none of
// that name.
func PolicyMeaning(name string) string {
	p, _ := findPolicy(name)
	return p.meaning
}

func findPolicy(name string) (policy, error) {
	for _, p := range policies {
		if p.name == name {
			return p, nil
		}
	}
	return policy{}, fmt.Errorf("placement: policy %q: unknown: must be one of %s", name, strings.Join(Policies(), ", "))
}

// choose returns the policy's worker for a task, or none, and the number of
// workers that it had to ask.
func (e *engine) choose(capability int32) (worker int32, probes int) {
	pool, n := e.directory.pool(capability), len(e.workers)
	if e.policy.global {
		if len(pool) == 0 {
			return none, 0
		}
		return e.ranking.best(e.workers, capability), len(pool)
	}
	if e.policy.able {
		if n = len(pool); n == 0 {
			return none, 0
		}
	}
	var buf [4]int
	picks := e.random.Sample(buf[:0], n, min(e.policy.choices, n))
	worker = none
	var least key
	for _, pick := range picks {
		w := int32(pick)
		if e.policy.able {
			w = pool[pick]
		}
		s := &e.workers[w]
		if s.seenDown > 0 {
			continue
		}
		load := s.seen
		if e.fresh {
			load = s.load
		}
		if k := (key{quotient(load, s.capacity), load, w}); worker == none || k.less(least) {
			worker, least = w, k
		}
	}
	return worker, len(picks)
}

// key orders workers: by load relative to capacity, then by load, then by
// index.
type key struct {
	ratio  float64
	load   int64
	worker int32
}

func (a key) less(b key) bool {
	if a.ratio != b.ratio {
		return a.ratio < b.ratio
	}
	if a.load != b.load {
		return a.load < b.load
	}
	return a.worker < b.worker
}
