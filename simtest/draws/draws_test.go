package draws_test

import (
	"math"
	"testing"

	"github.com/ranktest/ranktest/simtest/draws"
)

// The first outputs of SplitMix64 from state 0, as in every published
// implementation of it.
func TestStreamIsSplitMix64(t *testing.T) {
	var s draws.Stream
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := s.Uint64(); got != want {
			t.Errorf("output %d is %#x, want %#x", i, got, want)
		}
	}
}

// Pinned: a change here changes every result of every scenario.
func TestKeysAreStable(t *testing.T) {
	s := draws.Of(20260917, "request").With(3).With(17).Stream()
	if got, want := s.Uint64(), uint64(0xd8e4bf2bb5975f42); got != want {
		t.Errorf("first number is %#x, want %#x", got, want)
	}
}

func TestIdentitiesDoNotCollide(t *testing.T) {
	seen := map[draws.Key]string{}
	for _, name := range []string{"a", "b", "ab", "ba"} {
		for seed := range uint64(10) {
			for i := range uint64(50) {
				for j := range uint64(50) {
					k := draws.Of(seed, name).With(i).With(j)
					if other, ok := seen[k]; ok {
						t.Fatalf("%s, seed %d, (%d, %d) has the key of %s", name, seed, i, j, other)
					}
					seen[k] = name
				}
			}
		}
	}
}

// First numbers of neighbouring identities, the way a world uses them:
// uniform in every tenth, and uncorrelated with the neighbour's.
func TestFirstNumbersOfNeighbours(t *testing.T) {
	const n = 100_000
	var bins [10]int
	var sum, sumSq, cross, previous float64
	for i := range uint64(n) {
		s := draws.Of(1, "request").With(i).Stream()
		u := s.Float64()
		bins[int(u*10)]++
		x := u - 0.5
		sum, sumSq, cross = sum+x, sumSq+x*x, cross+x*previous
		previous = x
	}
	chi := 0.0
	for _, b := range bins {
		d := float64(b) - n/10
		chi += d * d / (n / 10)
	}
	// 9 degrees of freedom: 27.9 is exceeded once in a thousand.
	if chi > 27.9 {
		t.Errorf("chi-square of the tenths is %.1f", chi)
	}
	if r := cross / sumSq; math.Abs(r) > 4/math.Sqrt(n) {
		t.Errorf("neighbours are correlated: %.4f", r)
	}
}

func TestMomentsOfTheVariates(t *testing.T) {
	const n = 200_000
	s := draws.Of(7, "moments").Stream()
	var z, zz, e float64
	for range n {
		x := s.Normal()
		z, zz = z+x, zz+x*x
		e += s.Exponential()
	}
	if m := z / n; math.Abs(m) > 4/math.Sqrt(n) {
		t.Errorf("mean of the normal variates is %.4f", m)
	}
	if v := zz / n; math.Abs(v-1) > 4*math.Sqrt(2.0/n) {
		t.Errorf("variance of the normal variates is %.4f", v)
	}
	if m := e / n; math.Abs(m-1) > 4/math.Sqrt(n) {
		t.Errorf("mean of the exponential variates is %.4f", m)
	}
}

func BenchmarkFreshStreamOfFourNumbers(b *testing.B) {
	base := draws.Of(1, "request").With(2)
	i, sum := uint64(0), 0.0
	for b.Loop() {
		s := base.With(i).Stream()
		sum += s.Normal() + s.Float64() + s.Float64() + s.Float64()
		i++
	}
	_ = sum
}

// The numbers of an identity do not depend on what was drawn before.
func TestClientFollowsTheIdentity(t *testing.T) {
	for name, c := range map[string]*draws.Client{
		"keyed":  draws.NewClient(1, "retry"),
		"python": draws.NewPythonClient(1, "retry"),
	} {
		c.At(4, 1, 2)
		want := []float64{c.Float64(), c.Float64()}
		c.At(4, 1, 3)
		if c.Float64() == want[0] {
			t.Errorf("%s: two attempts have the same number", name)
		}
		c.At(4, 1, 2)
		if got := []float64{c.Float64(), c.Float64()}; got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%s: the second time the numbers are %v, want %v", name, got, want)
		}
	}
}
