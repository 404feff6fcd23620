package experiment

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Digest is a 128-bit streaming hash of 64-bit words, made to name everything
// that happens in a run at about a nanosecond a word. The zero value is ready
// to use. Its results are the same on every platform and are kept in committed
// files, so the function must never change.
//
// With the state (a, b), one word w does
//
//	(hi, lo) = (a xor w xor c) * m      (64 x 64 -> 128 bits, m odd)
//	(a, b)   = (b + hi, lo)
//
// lo is a bijection of a xor w (m is odd), and hi follows from it. Therefore a
// step is a permutation of the state for any fixed word, so nothing that was
// fed in is ever forgotten, and any two adjacent words map one to one to the
// state: two equally long streams that differ only within two adjacent words
// can never have equal digests. Everything else collides with the probability
// of a random function, about 2^-128 for a pair: the multiplication carries low
// bits up into hi, and the halves change places in every step, so that all bits
// reach all others in a few steps; Sum adds the length and eight empty steps.
//
// A cryptographic hash would protect from somebody who searches for a
// collision; a run has no such enemy, and SHA-256 costs ten times as much.
type Digest struct {
	a, b  uint64
	words uint64
}

// The fractional bits of the golden ratio (the multiplier, odd) and of pi.
const (
	digestMul = 0x9e3779b97f4a7c15
	digestXor = 0x243f6a8885a308d3
)

func (d *Digest) step(w uint64) {
	hi, lo := bits.Mul64(d.a^(w^digestXor), digestMul)
	d.a, d.b = d.b+hi, lo
}

// Add feeds one word.
func (d *Digest) Add(w uint64) {
	d.step(w)
	d.words++
}

// AddFloat feeds the bits of a number. 0 and -0 are different.
func (d *Digest) AddFloat(x float64) { d.Add(math.Float64bits(x)) }

// AddString feeds the length of s and its bytes, eight to a word.
func (d *Digest) AddString(s string) {
	d.Add(uint64(len(s)))
	for ; len(s) >= 8; s = s[8:] {
		d.Add(binary.LittleEndian.Uint64([]byte(s[:8])))
	}
	if len(s) > 0 {
		var last [8]byte
		copy(last[:], s)
		d.Add(binary.LittleEndian.Uint64(last[:]))
	}
}

// Sum returns the digest of what was fed until now; more can be fed after it.
func (d Digest) Sum() (hi, lo uint64) {
	d.step(d.words)
	for range 8 {
		d.step(0)
	}
	return d.a, d.b
}

// String returns the sum as 32 hexadecimal digits.
func (d Digest) String() string {
	hi, lo := d.Sum()
	return fmt.Sprintf("%016x%016x", hi, lo)
}
