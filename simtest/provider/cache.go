package provider

import "math"

// Cache is what an endpoint remembers of the jobs that it has worked on: the
// prefix cache of a language model, a warmed-up data set, a session. It holds
// the Entries keys that were used last (see Workload.Keys); every admitted
// request uses its job's.
type Cache struct {
	Entries int
	// Factor scales the latency of a request whose key is there, from 0 to 1.
	Factor float64
	// Cost is the part of a request that it counts for in Limits and in the
	// usage that the client reports, from 0 to 1.
	Cost float64
}

// parts is what a request that the cache knows counts for in limits.
func (c *Cache) parts() int64 { return int64(math.RoundToEven(float64(c.Cost * parts))) }

// lru is a cache at work: a map, and a ring of entries in order of use.
type lru struct {
	most    int
	place   map[int]int // by key
	entries []lruEntry  // entry 0 is the ring's fixed point
}

type lruEntry struct{ key, newer, older int }

func newLRU(most int) *lru {
	return &lru{most: most, place: map[int]int{}, entries: make([]lruEntry, 1)}
}

func (c *lru) knows(key int) bool {
	_, ok := c.place[key]
	return ok
}

// use makes key the latest; the oldest goes if there are too many.
func (c *lru) use(key int) {
	at, ok := c.place[key]
	switch {
	case ok:
		c.unlink(at)
	case len(c.place) < c.most:
		at = len(c.entries)
		c.entries = append(c.entries, lruEntry{})
	default:
		at = c.entries[0].newer // seen from the fixed point, the oldest is next
		c.unlink(at)
		delete(c.place, c.entries[at].key)
	}
	c.place[key] = at
	latest := c.entries[0].older
	c.entries[at] = lruEntry{key: key, newer: 0, older: latest}
	c.entries[latest].newer = at
	c.entries[0].older = at
}

func (c *lru) unlink(at int) {
	e := c.entries[at]
	c.entries[e.newer].older = e.older
	c.entries[e.older].newer = e.newer
}
