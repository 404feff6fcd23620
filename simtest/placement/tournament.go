package placement

import "math"

// tournament finds the least loaded worker that is online, per capability, in
// constant time, whatever the size of the pool: a binary tree of matches over
// each pool, in which the smaller key wins. A worker whose load changes plays
// its matches again, from its leaf upwards, until somebody else wins one that
// he had won before. That is at most log2(pool) matches, and one or two for a
// worker that is not in the lead.
//
// In the tree of a pool of n, node i has the children 2i and 2i+1, nodes n to
// 2n-1 are the members of the pool, and node 1 is the final. (A pool of one is
// won by its only member, which is node 1.)
type tournament struct {
	directory *directory
	winners   [][]int32 // per capability and node
}

func newTournament(d *directory, workers []worker) *tournament {
	t := &tournament{directory: d, winners: make([][]int32, len(d.pools))}
	for c, pool := range d.pools {
		tree := make([]int32, 2*len(pool))
		copy(tree[len(pool):], pool)
		for i := len(pool) - 1; i > 0; i-- {
			tree[i] = tree[2*i]
			if standing(workers, tree[2*i+1]).less(standing(workers, tree[2*i])) {
				tree[i] = tree[2*i+1]
			}
		}
		t.winners[c] = tree
	}
	return t
}

// standing is the key of a worker as it is now. The ratio of whoever is
// offline is infinite, so that he comes last.
func standing(workers []worker, w int32) key {
	s := &workers[w]
	return key{s.ratio, s.load, w}
}

// update plays the matches of a worker whose load or availability changed.
func (t *tournament) update(workers []worker, w int32) {
	d := t.directory
	s := &workers[w]
	s.ratio = quotient(s.load, s.capacity)
	if s.down > 0 {
		s.ratio = math.Inf(1)
	}
	for m := d.first[w]; m < d.first[w+1]; m++ {
		tree := t.winners[d.of[m]]
		best := standing(workers, w)
		for i := len(tree)/2 + int(d.place[m]); i > 1; i /= 2 {
			if other := standing(workers, tree[i^1]); other.less(best) {
				best = other
			}
			if tree[i/2] == best.worker && best.worker != w {
				break
			}
			tree[i/2] = best.worker
		}
	}
}

// best returns the least loaded worker online with a capability, or none.
func (t *tournament) best(workers []worker, capability int32) int32 {
	w := t.winners[capability][1]
	if workers[w].down > 0 {
		return none
	}
	return w
}
