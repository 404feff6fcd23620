package placement

import (
	"slices"
	"sync"
)

// maxKept bounds what a scenario keeps of its traces: workers, tasks and
// outages together, of some 100 bytes each. The newest trace is kept whatever
// its size.
const maxKept = 500_000

// keeper keeps the newest traces of a scenario, since a sweep asks for the
// trace of a seed once per policy, one seed after the other: making a trace,
// its digest and what else follows from it takes longer than most runs. It is safe for concurrent use; nobody
// may change a trace that it has given out.
type keeper struct {
	mu    sync.Mutex
	seeds map[uint64]func() (named, error)
	kept  []sized // oldest first
	size  int     // of all that are kept
}

// named is a trace with the digest that it had when it was made.
type named struct {
	*prepared
	digest string
}

type sized struct {
	seed uint64
	size int
}

// of returns the trace of a seed. Whoever asks while it is made waits for it.
func (k *keeper) of(seed uint64, source func(uint64) (*Trace, error)) (named, error) {
	k.mu.Lock()
	trace, ok := k.seeds[seed]
	if !ok {
		trace = sync.OnceValues(func() (named, error) {
			t, err := source(seed)
			var ready *prepared
			if err == nil {
				ready, err = prepareTrace(t)
			}
			if err != nil {
				k.forget(seed)
				return named{}, err
			}
			k.keep(sized{seed, len(t.Workers) + len(t.Tasks) + len(t.Outages)})
			return named{ready, t.Digest()}, nil
		})
		if k.seeds == nil {
			k.seeds = map[uint64]func() (named, error){}
		}
		k.seeds[seed] = trace
	}
	k.mu.Unlock()
	return trace()
}

// keep makes room for a trace that has been made.
func (k *keeper) keep(s sized) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(k.kept, s)
	k.size += s.size
	for k.size > maxKept && len(k.kept) > 1 {
		delete(k.seeds, k.kept[0].seed)
		k.size -= k.kept[0].size
		k.kept = slices.Delete(k.kept, 0, 1)
	}
}

func (k *keeper) forget(seed uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.seeds, seed)
}
