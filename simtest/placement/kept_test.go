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
	return &Trace{Seed: new(big.Int).SetUint64(seed), Ticks: 1, Workers: make([]Worker, f.workers)}, nil
}

// All who ask for a seed, at once or later, get the one trace that is made.
func TestTracesAreMadeOnce(t *testing.T) {
	f, k := &factory{workers: 3}, &keeper{}
	var asking sync.WaitGroup
	for i := range uint64(64) {
		asking.Go(func() {
			if got, err := k.of(i%4, f.trace); err != nil || got.Seed.Uint64() != i%4 || got.digest != got.Digest() {
				t.Errorf("seed %d: got the trace of seed %v, error %v", i%4, got.Seed, err)
			}
		})
	}
	asking.Wait()
	if n := f.made.Load(); n != 4 {
		t.Errorf("made %d traces for 4 seeds", n)
	}
}

// What is kept is bounded: the first traces stay, later ones are made anew.
func TestTracesThatDoNotFitAreNotKept(t *testing.T) {
	f, k := &factory{workers: maxKept / 3}, &keeper{}
	for range 2 {
		for seed := range uint64(5) {
			if _, err := k.of(seed, f.trace); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := f.made.Load(); n != 5+2 {
		t.Errorf("made %d traces, want 5, and 2 of them again", n)
	}
	if len(k.seeds) != 3 || k.size != 3*f.workers {
		t.Errorf("%d traces of size %d are kept, want 3 of %d each", len(k.seeds), k.size, f.workers)
	}
}

// An error is told to all who wait for it, and is not kept.
func TestErrorsAreNotKept(t *testing.T) {
	f, k := &factory{workers: 3, err: errors.New("out of ink")}, &keeper{}
	if _, err := k.of(1, f.trace); !errors.Is(err, f.err) {
		t.Errorf("error %v, want %v", err, f.err)
	}
	f.err = nil
	if got, err := k.of(1, f.trace); err != nil || got.Trace == nil {
		t.Errorf("error %v, want the trace", err)
	}
}
