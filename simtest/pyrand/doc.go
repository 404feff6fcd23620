// Package pyrand is Python's random.Random, bit for bit: the Mersenne Twister
// MT19937 (Matsumoto and Nishimura, 1998), seeded and read the way CPython
// does it. It exists so that a seed means the same world here and in a system
// written in Python.
//
// A stream is seeded from an integer of any size or from a text:
//
//	var r pyrand.Rand
//	r.SeedText([]byte("20260917:metered:1")) // random.Random("20260917:metered:1")
//	z := r.Gauss(0, 1)                       // .gauss(0, 1)
//
// A text stream of which only a few words are used is cheap: seeding costs
// 2 x 624 steps that cannot be avoided, but the recurrence is then run word by
// word, on demand, instead of 624 words at once. Reseeding allocates nothing
// for texts up to 128 bytes.
//
// Integers, bits, Float64, Uniform, samples and choices are exactly Python's.
// Gauss goes through a logarithm and a cosine, on which not even C libraries
// agree: it is the same everywhere, and Python's within a few units in the
// last place.
//
// Arguments out of range are errors of the program and panic, as in math/rand.
package pyrand
