package placement

import "math"

// tournament finds the least loaded worker that is online, per capability, in
// constant time, whatever the size of the pool: a binary tree of matches over
// each pool, in which the smaller key wins. A worker whose load changes plays
// its matches again, from the leaf upwards, until one has the same winner as
// before and it is somebody else. That is at most log2(pool) matches, and one
// or two for a worker that is not in the lead.
//
// Node i of a pool of n has the children 2i and 2i+1; nodes n to 2n-1 are the
// members of the pool, node 1 is the final. (For n = 1 that is a leaf.)
type tournament struct {
	directory *directory
	winner    [][]int32 // per capability: the winners of nodes 1 to n-1
}

func newTournament(d *directory, workers []worker) *tournament {
	t := &tournament{directory: d, winner: make([][]int32, len(d.pools))}
	for c, pool := range d.pools {
		t.winner[c] = make([]int32, len(pool))
		for i := len(pool) - 1; i > 0; i-- {
			t.winner[c][i] = t.play(workers, int32(c), i)
		}
	}
	return t
}

// play returns the winner of match i.
func (t *tournament) play(workers []worker, capability int32, i int) int32 {
	a, b := t.at(capability, 2*i), t.at(capability, 2*i+1)
	if standing(workers, b).less(standing(workers, a)) {
		return b
	}
	return a
}

// at returns the worker that stands at node i.
func (t *tournament) at(capability int32, i int) int32 {
	pool := t.directory.pools[capability]
	if i < len(pool) {
		return t.winner[capability][i]
	}
	return pool[i-len(pool)]
}

// standing is the key of a worker as it is now; whoever is offline comes last.
func standing(workers []worker, w int32) key {
	s := &workers[w]
	if s.down > 0 {
		return key{math.Inf(1), s.load, w}
	}
	return key{s.ratio, s.load, w}
}

// update plays the matches of a worker whose load or availability changed.
func (t *tournament) update(workers []worker, w int32) {
	d := t.directory
	for m := d.first[w]; m < d.first[w+1]; m++ {
		c := d.of[m]
		for i := (len(d.pools[c]) + int(d.place[m])) / 2; i > 0; i /= 2 {
			won := t.play(workers, c, i)
			if t.winner[c][i] == won && won != w {
				break
			}
			t.winner[c][i] = won
		}
	}
}

// of returns the least loaded worker online with a capability, or none.
func (t *tournament) of(workers []worker, capability int32) int32 {
	w := t.at(capability, 1)
	if workers[w].down > 0 {
		return none
	}
	return w
}
