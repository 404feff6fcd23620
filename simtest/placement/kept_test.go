package placement

import (
	"errors"
	"math/big"
	"sync"
	"sync/atomic"
	"testing"
)

// factory makes traces of so many workers, and counts them.
type factory struct {
	workers int
	made    atomic.Int64
	err     error
}

func (f *factory) trace(seed uint64) (*Trace, error) {
	f.made.Add(1)
	if f.err != nil {
		return nil, f.err
	}
	t := &Trace{Seed: new(big.Int).SetUint64(seed), Ticks: 1, Workers: make([]Worker, f.workers)}
	able := []string{"any"}
	for i := range t.Workers {
		t.Workers[i] = Worker{Capacity: 1, Capabilities: able}
	}
	return t, nil
}

// All who ask for a seed, at once or later, get the one trace that is made.
func TestTracesAreMadeOnce(t *testing.T) {
	f, k := &factory{workers: 3}, &keeper{}
	var asking sync.WaitGroup
	for i := range uint64(64) {
		asking.Go(func() {
			got, err := k.of(i%4, f.trace)
			if err != nil {
				t.Error(err)
			} else if got.Seed.Uint64() != i%4 || got.digest != got.Digest() {
				t.Errorf("seed %d: got the trace of seed %v", i%4, got.Seed)
			}
		})
	}
	asking.Wait()
	if n := f.made.Load(); n != 4 {
		t.Errorf("made %d traces for 4 seeds", n)
	}
}

// What is kept is bounded: the oldest trace makes room for the newest, which
// is kept even if it is too large.
func TestOldTracesMakeRoom(t *testing.T) {
	f, k := &factory{workers: maxKept / 3}, &keeper{}
	ask := func(wantMade int64, seeds ...uint64) {
		t.Helper()
		f.made.Store(0)
		for _, seed := range seeds {
			if _, err := k.of(seed, f.trace); err != nil {
				t.Fatal(err)
			}
		}
		if n := f.made.Load(); n != wantMade {
			t.Errorf("seeds %v: made %d traces, want %d", seeds, n, wantMade)
		}
	}
	ask(3, 1, 2, 3, 1, 2, 3)
	ask(1, 4, 2, 3, 4)
	ask(1, 1) // in place of 2
	f.workers = maxKept + 1
	ask(1, 5, 5, 5)
	if len(k.seeds) != 1 || k.size != f.workers {
		t.Errorf("%d traces of size %d are kept, want the newest of %d", len(k.seeds), k.size, f.workers)
	}
	f.workers = 1
	ask(2, 6, 5)
}

// An error is told to all who wait for it, and is not kept.
func TestErrorsAreNotKept(t *testing.T) {
	f, k := &factory{workers: 3, err: errors.New("out of ink")}, &keeper{}
	if _, err := k.of(1, f.trace); !errors.Is(err, f.err) {
		t.Errorf("error %v, want %v", err, f.err)
	}
	f.err = nil
	if got, err := k.of(1, f.trace); err != nil || got.prepared == nil {
		t.Errorf("error %v, want the trace", err)
	}
}
