package placement

import (
	"maps"
	"math/big"
	"slices"
)

// Summary counts what is in a trace.
type Summary struct {
	Seed                    *big.Int
	Ticks                   int
	Workers, Tasks, Outages int
	Capacity                int            // of all workers together, per tick
	Able                    map[string]int // workers per capability
	Digest                  string
}

// Summary returns the counts and the digest.
func (t *Trace) Summary() Summary {
	s := Summary{
		Seed: t.Seed, Ticks: t.Ticks, Workers: len(t.Workers), Tasks: len(t.Tasks), Outages: len(t.Outages),
		Able: map[string]int{}, Digest: t.Digest(),
	}
	for i := range t.Workers {
		w := &t.Workers[i]
		s.Capacity += w.Capacity
		for j, c := range w.Capabilities {
			if !slices.Contains(w.Capabilities[:j], c) {
				s.Able[c]++
			}
		}
	}
	return s
}

func (s Summary) encode(e *encoder) {
	e.begin('{')
	e.key("capability_worker_counts")
	e.begin('{')
	for _, name := range slices.Sorted(maps.Keys(s.Able)) {
		e.key(name)
		e.int(int64(s.Able[name]))
	}
	e.end('}')
	e.key("outage_count")
	e.int(int64(s.Outages))
	e.key("seed")
	e.big(s.Seed)
	e.key("task_count")
	e.int(int64(s.Tasks))
	e.key("ticks")
	e.int(int64(s.Ticks))
	e.key("total_worker_capacity")
	e.int(int64(s.Capacity))
	e.key("trace_digest")
	e.text(s.Digest)
	e.key("worker_count")
	e.int(int64(s.Workers))
	e.end('}')
}
