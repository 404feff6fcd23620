package placement

import "slices"

// directory knows which workers offer which capability. Capabilities are
// numbered, in the order in which the workers mention them.
type directory struct {
	names  []string
	byName map[string]int32 // only once there are more than fewNames
	// pools has, per capability, the workers that offer it, in ascending
	// order, once for every time that they mention it.
	pools [][]int32
	// The mentions of worker w are number first[w] to first[w+1]-1: the
	// capability, and the place in its pool.
	first []int32
	of    []int32
	place []int32
}

// none stands for no task, no worker and no capability.
const none = -1

// fewNames are found faster by comparing than by hashing.
const fewNames = 8

func newDirectory(workers []Worker) *directory {
	mentions := 0
	for i := range workers {
		mentions += len(workers[i].Capabilities)
	}
	d := &directory{
		first: make([]int32, 0, len(workers)+1),
		of:    make([]int32, 0, mentions),
		place: make([]int32, 0, mentions),
	}
	var sizes []int32
	for i := range workers {
		d.first = append(d.first, int32(len(d.of)))
		for _, name := range workers[i].Capabilities {
			c := d.number(name)
			if c == none {
				c = d.add(name)
				sizes = append(sizes, 0)
			}
			d.of = append(d.of, c)
			d.place = append(d.place, sizes[c])
			sizes[c]++
		}
	}
	d.first = append(d.first, int32(len(d.of)))
	d.pools = make([][]int32, len(sizes))
	for c, size := range sizes {
		d.pools[c] = make([]int32, size)
	}
	for w := range workers {
		for m := d.first[w]; m < d.first[w+1]; m++ {
			d.pools[d.of[m]][d.place[m]] = int32(w)
		}
	}
	return d
}

// number returns the number of a capability, none if no worker has it.
func (d *directory) number(name string) int32 {
	if d.byName != nil {
		if c, ok := d.byName[name]; ok {
			return c
		}
		return none
	}
	return int32(slices.Index(d.names, name))
}

func (d *directory) add(name string) int32 {
	c := int32(len(d.names))
	d.names = append(d.names, name)
	switch {
	case d.byName != nil:
		d.byName[name] = c
	case len(d.names) > fewNames:
		d.byName = make(map[string]int32)
		for i, n := range d.names {
			d.byName[n] = int32(i)
		}
	}
	return c
}

// pool returns the workers with a capability.
func (d *directory) pool(capability int32) []int32 {
	if capability == none {
		return nil
	}
	return d.pools[capability]
}

// bits returns a worker's capabilities with numbers below 64, one bit each.
func (d *directory) bits(worker int32) (set uint64) {
	for _, c := range d.of[d.first[worker]:d.first[worker+1]] {
		set |= 1 << c // nothing from 64 on
	}
	return set
}

// offers reports whether a worker has a capability.
func (d *directory) offers(worker, capability int32) bool {
	_, ok := slices.BinarySearch(d.pool(capability), worker)
	return ok
}
