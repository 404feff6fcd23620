package placement

import "sync"

// maxKept bounds how much of its traces a scenario keeps: workers, tasks and
// outages together, of some 80 bytes each. It is enough for ten seeds of
// 100,000 workers.
const maxKept = 1_500_000

// keeper keeps the traces of a scenario's first seeds, as many as fit, since a
// sweep comes back to every seed once per policy: making a trace and its digest
// takes longer than most runs. What no longer fits is made anew each time. It is safe for
// concurrent use; nobody may change a trace that it has given out.
type keeper struct {
	mu    sync.Mutex
	seeds map[uint64]func() (named, error)
	size  int
}

// named is a trace with the digest that it had when it was made.
type named struct {
	*Trace
	digest string
}

// of returns the trace of a seed. Whoever asks while it is made waits for it.
func (k *keeper) of(seed uint64, source func(uint64) (*Trace, error)) (named, error) {
	k.mu.Lock()
	trace, ok := k.seeds[seed]
	if !ok {
		trace = sync.OnceValues(func() (named, error) {
			t, err := source(seed)
			k.made(seed, t)
			if err != nil {
				return named{}, err
			}
			return named{t, t.Digest()}, nil
		})
		if k.seeds == nil {
			k.seeds = map[uint64]func() (named, error){}
		}
		k.seeds[seed] = trace
	}
	k.mu.Unlock()
	return trace()
}

// made decides whether a trace is kept, nil being none.
func (k *keeper) made(seed uint64, t *Trace) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t == nil {
		delete(k.seeds, seed)
		return
	}
	size := len(t.Workers) + len(t.Tasks) + len(t.Outages)
	if k.size+size > maxKept {
		delete(k.seeds, seed)
		return
	}
	k.size += size
}
