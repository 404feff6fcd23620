package pyrand

import (
	"crypto/sha512"
	"encoding/binary"
	"math/big"
)

// The parameters of MT19937.
const (
	size    = 624
	shift   = 397
	upper   = 0x80000000
	lower   = 0x7fffffff
	matrixA = 0x9908b0df
)

// Rand is one stream. The zero value must be seeded before use. A Rand is not
// safe for concurrent use.
type Rand struct {
	state [size]uint32
	pos   int // the state word that the next output renews

	// The second half of a Box-Muller pair, left over by Gauss.
	angle, radius float64
	half          bool
}

// New returns the stream of random.Random(seed).
func New(seed *big.Int) *Rand {
	r := new(Rand)
	r.Seed(seed)
	return r
}

// NewText returns the stream of random.Random(text).
func NewText(text string) *Rand {
	r := new(Rand)
	r.SeedText([]byte(text))
	return r
}

// Seed restarts the stream from an integer. As in Python the sign is ignored:
// -5 and 5 give the same stream.
func (r *Rand) Seed(seed *big.Int) {
	var buf [8]uint32
	r.seedWords(appendWords(buf[:0], seed.Bytes()))
}

// SeedText restarts the stream from a text in UTF-8 (Python's seeding version
// 2): the key is the text followed by its SHA-512 digest, read as one
// big-endian integer.
func (r *Rand) SeedText(text []byte) {
	digest := sha512.Sum512(text)
	var buf [16 + 32]uint32
	r.seedWords(appendWords(appendWords(buf[:0], digest[:]), text))
}

// appendWords appends the 32-bit words of a big-endian integer, least
// significant first.
func appendWords(words []uint32, bigEndian []byte) []uint32 {
	for n := len(bigEndian); n > 0; n = len(bigEndian) {
		if n >= 4 {
			words = append(words, binary.BigEndian.Uint32(bigEndian[n-4:]))
			bigEndian = bigEndian[:n-4]
			continue
		}
		var top [4]byte
		copy(top[4-n:], bigEndian)
		words = append(words, binary.BigEndian.Uint32(top[:]))
		bigEndian = nil
	}
	return words
}

// base is the state after init_genrand(19650218), from which every
// init_by_array starts. It is never written again.
var base = func() (s [size]uint32) {
	s[0] = 19650218
	for i := uint32(1); i < size; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + i
	}
	return s
}()

// seedWords is init_by_array of the published generator. Leading zero words of
// the integer do not count, but at least one word does.
func (r *Rand) seedWords(key []uint32) {
	for len(key) > 0 && key[len(key)-1] == 0 {
		key = key[:len(key)-1]
	}
	if len(key) == 0 {
		key = []uint32{0}
	}
	r.state, r.pos, r.half = base, 0, false
	s := &r.state
	last := s[0]
	i, j := 1, 0
	for range max(size, len(key)) {
		last = (s[i] ^ (last^last>>30)*1664525) + (key[j] + uint32(j))
		s[i] = last
		if i++; i == size {
			s[0], i = last, 1
		}
		if j++; j == len(key) {
			j = 0
		}
	}
	for range size - 1 {
		last = (s[i] ^ (last^last>>30)*1566083941) - uint32(i)
		s[i] = last
		if i++; i == size {
			s[0], i = last, 1
		}
	}
	s[0] = upper
}

// Uint32 returns the next output word. It renews one word of the state; doing
// this in order, word by word, is the same as the usual renewal of all 624 at
// once, because word i only needs the old i+1 and the word 397 places ahead.
func (r *Rand) Uint32() uint32 {
	i := r.pos
	next := i + 1
	if next == size {
		next = 0
	}
	far := i + shift
	if far >= size {
		far -= size
	}
	y := r.state[i]&upper | r.state[next]&lower
	y = r.state[far] ^ y>>1 ^ -(y&1)&matrixA
	r.state[i] = y
	r.pos = next

	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}
