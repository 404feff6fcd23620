package provider_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/ranktest/ranktest/simtest/provider"
)

// digestOfWait is the run of wait on the base scenario's first seed: pinned, so
// that another platform, -race or a new version of Go cannot change it in
// silence. A deliberate change of the world, of an algorithm or of the draws
// changes it; then the new one belongs here.
const digestOfWait = "bf9020f28ccc53e71ad6f8fde7562c82"

// 200 runs, on one core and on all, one after the other and together.
func TestTwoHundredRunsAreOne(t *testing.T) {
	s, err := provider.New(baseWorld())
	if err != nil {
		t.Fatal(err)
	}
	runs := 200
	if testing.Short() {
		runs = 20
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2} {
		runtime.GOMAXPROCS(procs)
		var together sync.WaitGroup
		for range procs {
			together.Go(func() {
				for range runs / 2 / procs {
					r, err := s.Run(t.Context(), "wait", 20260917)
					if err != nil {
						t.Error(err)
						return
					}
					if r.Digest != digestOfWait {
						t.Errorf("on %d cores the digest is %s, want %s", procs, r.Digest, digestOfWait)
						return
					}
				}
			})
		}
		together.Wait()
	}
}

func TestSeedsAndContestantsDiffer(t *testing.T) {
	s, err := provider.New(baseWorld())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, contestant := range []string{"wait", "backoff", "sticky", "quota_aware", "immediate"} {
		for seed := range uint64(3) {
			r, err := s.Run(t.Context(), contestant, seed)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := seen[r.Digest]; ok {
				t.Errorf("%s with seed %d happened exactly as %s", contestant, seed, other)
			}
			seen[r.Digest] = contestant
		}
	}
}

// failover and least_busy are wait in this world; so their runs are, too.
func TestUnsuitedAlgorithmsAreWaitHere(t *testing.T) {
	s, err := provider.New(baseWorld())
	if err != nil {
		t.Fatal(err)
	}
	for _, contestant := range []string{"failover", "least_busy"} {
		if r, err := s.Run(t.Context(), contestant, 20260917); err != nil || r.Digest != digestOfWait {
			t.Errorf("%s: digest %s, error %v, want that of wait", contestant, r.Digest, err)
		}
	}
}
