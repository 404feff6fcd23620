// Package draws makes the exogenous randomness of simulated worlds: what the
// world rolls, whoever asks and whenever.
//
// A draw is named, not fetched from a sequence: Key folds a seed, a stream and
// the identity of what is drawn for (the 17th request of an endpoint, the
// second attempt of a step) into 64 bits, and a Stream started from the key
// gives that identity's numbers. Two contestants that reach the same identity
// see the same numbers however differently they behaved before. That is the
// method of common random numbers; indexing by call order would lose it.
//
// The generator is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast
// splittable pseudorandom number generators, OOPSLA 2014): a counter passed
// through a bijective finalizer with good avalanche. It was chosen over PCG,
// Philox and ChaCha8 because a fresh stream costs one multiplication chain and
// no state beyond one word, where a world starts a fresh stream for every
// request and takes four numbers from it; because it is integer arithmetic
// only, hence the same on every platform; and because it is written out here,
// so that no release of Go can change it. Keys are folded with the same
// finalizer after each word, so that neighbouring identities (ordinal 7 and 8)
// are as unrelated as far ones.
package draws

import "github.com/ranktest/ranktest/simtest/numeric"

// golden is 2^64 divided by the golden ratio, made odd: the increment of
// SplitMix64.
const golden = 0x9e3779b97f4a7c15

// Key names one draw or one stream of draws.
type Key uint64

// Of starts a key from the run's seed and the name of the stream.
func Of(seed uint64, stream string) Key {
	k := Key(finalize(seed + golden))
	for i := range len(stream) {
		k = k.With(uint64(stream[i]) + 1)
	}
	return k
}

// With folds one more part of the identity into the key.
func (k Key) With(part uint64) Key {
	return Key(finalize(uint64(k) ^ finalize(part+golden)))
}

// Stream starts the sequence of numbers of this identity.
func (k Key) Stream() Stream { return Stream{state: uint64(k)} }

// Stream is a sequence of random numbers. The zero value is the stream of
// key 0; a copy goes on independently from the same point.
type Stream struct{ state uint64 }

// Uint64 returns the next 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += golden
	return finalize(s.state)
}

// Float64 returns a uniform number in [0, 1): a multiple of 2^-53.
func (s *Stream) Float64() float64 {
	return float64(s.Uint64()>>11) * (1.0 / (1 << 53))
}

// Normal returns a standard normal variate, made from one uniform number by
// inversion.
func (s *Stream) Normal() float64 {
	return numeric.NormalQuantile(s.open())
}

// Exponential returns an exponential variate with mean 1, by inversion.
func (s *Stream) Exponential() float64 {
	return -numeric.Log(s.open())
}

// open returns a uniform number in the open interval (0, 1).
func (s *Stream) open() float64 {
	return (float64(s.Uint64()>>12) + 0.5) * (1.0 / (1 << 52))
}

// finalize is the output function of SplitMix64 (Stafford's mixer 13).
func finalize(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
