package experiment_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

func digest(words ...uint64) string {
	var d experiment.Digest
	for _, w := range words {
		d.Add(w)
	}
	return d.String()
}

// Digests are kept in committed files: these values must never change.
func TestDigestsStayTheSame(t *testing.T) {
	var text experiment.Digest
	text.AddString("fast-flaky")
	text.AddFloat(0.25)
	for got, want := range map[string]string{
		digest():                         "68bb3fe5834012ac0a4009b371be0bdd",
		digest(0):                        "b7a3add373cc601704843e04928b080e",
		digest(1, 2, 3):                  "17802f8ace19689e6319ec3ef333b966",
		digest(math.MaxUint64, 20260917): "618b081c4ca8d8ce1f3c2829a0482281",
		text.String():                    "c7682e8e195a1c0355ed8de3cdbe8cf5",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestDigestsTellStreamsApart(t *testing.T) {
	seen := map[string]string{}
	add := func(name, d string) {
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have the digest %s", name, other, d)
		}
		seen[d] = name
	}
	// Lengths of zeros, orders, and one word split into two.
	for n := range 20 {
		add(strings.Repeat("0", n), digest(make([]uint64, n)...))
	}
	add("1 2", digest(1, 2))
	add("2 1", digest(2, 1))
	add("3", digest(3))
	add("1<<32|2", digest(1<<32|2))
	texts := func(all ...string) string {
		var d experiment.Digest
		for _, s := range all {
			d.AddString(s)
		}
		return d.String()
	}
	for _, all := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"12345678"}, {"12345678", ""}, {"1234567"}, {"12345678\x00"}} {
		add(strings.Join(all, "|"), texts(all...))
	}
	floats := func(x float64) string {
		var d experiment.Digest
		d.AddFloat(x)
		return d.String()
	}
	add("1.0", floats(1))
	add("-1.0", floats(-1))
	add("-0.0", floats(math.Copysign(0, -1))) // 0.0 is the word 0, which was there

	// Many streams that differ little: no two of 65536 agree even in 64 of
	// the 128 bits (expected agreements: 1e-10).
	high, low := map[uint64]bool{}, map[uint64]bool{}
	for i := range uint64(1 << 16) {
		var d experiment.Digest
		for shift := range uint64(4) {
			d.Add(i >> (4 * shift) & 15)
		}
		hi, lo := d.Sum()
		if high[hi] || low[lo] {
			t.Fatalf("stream %d repeats half of a digest", i)
		}
		high[hi], low[lo] = true, true
	}
}

// Any bit of any word flips each bit of the digest in about half of all cases.
func TestDigestsAvalanche(t *testing.T) {
	const trials = 1500
	r := rand.New(rand.NewPCG(4, 0))
	for _, at := range []int{0, 5, 9} { // of ten words: first, middle, last
		for bit := 0; bit < 64; bit += 7 {
			var flips [128]int
			for range trials {
				var a, b experiment.Digest
				for i := range 10 {
					w := r.Uint64N(1 << 20) // counts and small numbers, as in real runs
					a.Add(w)
					if i == at {
						w ^= 1 << bit
					}
					b.Add(w)
				}
				ahi, alo := a.Sum()
				bhi, blo := b.Sum()
				for j := range 64 {
					flips[j] += int((ahi ^ bhi) >> j & 1)
					flips[64+j] += int((alo ^ blo) >> j & 1)
				}
			}
			for j, n := range flips {
				// 1500 fair coins: 6 standard deviations are 116.
				if math.Abs(float64(n)-trials/2) > 116 {
					t.Errorf("bit %d of word %d flips bit %d of the digest %d times in %d", bit, at, j, n, trials)
				}
			}
		}
	}
}

// The state is a bijection of the last two words, so a difference that is
// confined to two adjacent words is never lost. Shown on an exhaustive set of
// small changes after a common prefix.
func TestDigestsNeverLoseTwoAdjacentWords(t *testing.T) {
	words := []uint64{0}
	for i := range 64 {
		words = append(words, 1<<i, ^(1 << i))
	}
	seen := map[string]bool{}
	for _, v := range words {
		for _, w := range words {
			seen[digest(7, 7, v, w, 7, 7)] = true
		}
	}
	if want := len(words) * len(words); len(seen) != want {
		t.Errorf("%d streams have %d digests", want, len(seen))
	}
}

func BenchmarkDigest(b *testing.B) {
	var d experiment.Digest
	for i := range uint64(b.N) {
		d.Add(i)
	}
	if hi, _ := d.Sum(); hi == 0 {
		b.Log("zero")
	}
}
