package acquire

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Rand is a stream of uniform random numbers in [0, 1). A simulation hands
// every attempt a stream of its own; a nil Rand is the process's global one.
type Rand interface {
	Float64() float64
}

func draw(r Rand) float64 {
	if r == nil {
		return rand.Float64()
	}
	return r.Float64()
}

// Backoff is a capped exponential backoff: before the (n+1)-th try wait for
//
//	raw(n) = min(Cap, Base * Factor^(n-1)),  n = 1, 2, ...
//
// spread out by Jitter, so that clients that failed together do not come back
// together (Brooker, "Exponential Backoff And Jitter", AWS 2015).
//
// For any n and any Factor, infinity included, raw is in [0, Cap] and never
// falls as n grows. A Factor below 1, or NaN, counts as 1; a Base of zero or
// less waits for nothing; a Cap of zero or less is the largest Duration.
type Backoff struct {
	Base   time.Duration
	Factor float64
	Cap    time.Duration
	Jitter Jitter

	// Quantum rounds Delay to a multiple of itself, ties to even. Zero is 1 ns.
	Quantum time.Duration
}

// Raw returns the wait after the n-th try without jitter, n from 1 (a smaller
// n counts as 1), rounded to the nearest nanosecond.
func (b Backoff) Raw(n int) time.Duration {
	return b.round(b.seconds(n), 1)
}

// Delay returns the wait after the n-th try, n from 1, jitter included. Unless
// Jitter is NoJitter it takes exactly one number from r, whatever the result.
func (b Backoff) Delay(n int, r Rand) time.Duration {
	return b.round(b.Jitter.spread(b.seconds(n), r), max(b.Quantum, 1))
}

// seconds is raw(n). It stays a float until jitter has been applied: rounding
// twice would differ from the formula by a quantum now and then.
func (b Backoff) seconds(n int) float64 {
	factor := b.Factor
	if !(factor >= 1) {
		factor = 1
	}
	return min(b.ceiling().Seconds(), b.Base.Seconds()*math.Pow(factor, float64(max(n, 1)-1)))
}

func (b Backoff) ceiling() time.Duration {
	if b.Cap <= 0 {
		return math.MaxInt64
	}
	return b.Cap
}

func (b Backoff) round(seconds float64, quantum time.Duration) time.Duration {
	if !(seconds > 0) { // or NaN: no base times an infinite power
		return 0
	}
	quanta := math.RoundToEven(seconds * (1e9 / float64(quantum)))
	if ns := quanta * float64(quantum); ns < math.MaxInt64 {
		return min(time.Duration(quanta)*quantum, b.ceiling())
	}
	return b.ceiling()
}

// Jitter says how a backoff is spread out. The zero value is FullJitter.
type Jitter uint8

const (
	FullJitter  Jitter = iota // uniform in [0, raw)
	EqualJitter               // raw/2 + uniform in [0, raw/2)
	NoJitter                  // raw
)

var jitterNames = []string{FullJitter: "full", EqualJitter: "equal", NoJitter: "none"}

// String returns the name that spec strings use: full, equal or none.
func (j Jitter) String() string {
	if int(j) < len(jitterNames) {
		return jitterNames[j]
	}
	return fmt.Sprintf("Jitter(%d)", uint8(j))
}

func (j Jitter) spread(raw float64, r Rand) float64 {
	switch j {
	case FullJitter:
		return raw * draw(r)
	case EqualJitter:
		// The conversion forbids a fused multiply-add: the same bits everywhere.
		return float64(raw/2) + float64(raw/2*draw(r))
	default:
		return raw
	}
}
