package acquire_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
)

const ms = time.Millisecond

// fixed is a stream that always draws the same number, and counts the draws.
type fixed struct {
	u     float64
	draws int
}

func (f *fixed) Float64() float64 {
	f.draws++
	return f.u
}

func TestBackoffDoublesUpToItsCap(t *testing.T) {
	b := acquire.Backoff{Base: 200 * ms, Factor: 2, Cap: 10 * time.Second}
	want := []time.Duration{200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms, 6400 * ms, 10 * time.Second, 10 * time.Second}
	for i, w := range want {
		if got := b.Raw(i + 1); got != w {
			t.Errorf("Raw(%d) = %v, want %v", i+1, got, w)
		}
	}
	if got := b.Raw(math.MaxInt); got != b.Cap {
		t.Errorf("Raw(MaxInt) = %v, want the cap", got)
	}
	if got := b.Raw(-3); got != b.Base {
		t.Errorf("Raw(-3) = %v, want the base: smaller n count as 1", got)
	}
}

func TestBackoffJitter(t *testing.T) {
	for _, c := range []struct {
		jitter acquire.Jitter
		u      float64
		want   time.Duration // of raw = 800 ms
		draws  int
	}{
		{acquire.FullJitter, 0, 0, 1},
		{acquire.FullJitter, 0.25, 200 * ms, 1},
		{acquire.EqualJitter, 0, 400 * ms, 1},
		{acquire.EqualJitter, 0.25, 500 * ms, 1},
		{acquire.NoJitter, 0.25, 800 * ms, 0},
	} {
		b := acquire.Backoff{Base: 200 * ms, Factor: 2, Cap: time.Second, Jitter: c.jitter}
		r := &fixed{u: c.u}
		if got := b.Delay(3, r); got != c.want || r.draws != c.draws {
			t.Errorf("%v jitter of 800ms at u=%v: %v after %d draws, want %v after %d", c.jitter, c.u, got, r.draws, c.want, c.draws)
		}
	}
}

func TestBackoffRoundsOnceAndHalfToEven(t *testing.T) {
	for _, c := range []struct {
		base, quantum, want time.Duration
		u                   float64
	}{
		{1 * time.Second, 0, 500 * ms, 0.5},
		{5 * time.Nanosecond, 0, 2, 0.5}, // 2.5 ns
		{7 * time.Nanosecond, 0, 4, 0.5}, // 3.5 ns
		{500 * time.Microsecond, 100 * time.Microsecond, 200 * time.Microsecond, 0.5},
		{700 * time.Microsecond, 100 * time.Microsecond, 400 * time.Microsecond, 0.5},
		// 50000.4 ns lies above the tie of 50 us; rounded to 50000 ns first it would be even, hence 0.
		{100 * time.Microsecond, 100 * time.Microsecond, 100 * time.Microsecond, 0.500004},
	} {
		b := acquire.Backoff{Base: c.base, Factor: 1, Quantum: c.quantum}
		if got := b.Delay(1, &fixed{u: c.u}); got != c.want {
			t.Errorf("U(0, %v) at u=%v in steps of %v = %v, want %v", c.base, c.u, c.quantum, got, c.want)
		}
	}
}

func TestBackoffDegenerateParameters(t *testing.T) {
	for _, c := range []struct {
		name string
		b    acquire.Backoff
		n    int
		want time.Duration
	}{
		{"an infinite factor is the base once, then the cap", acquire.Backoff{Base: 1, Factor: math.Inf(1), Cap: time.Hour}, 1, 1},
		{"an infinite factor is the base once, then the cap", acquire.Backoff{Base: 1, Factor: math.Inf(1), Cap: time.Hour}, 2, time.Hour},
		{"no base and an infinite factor", acquire.Backoff{Factor: math.Inf(1), Cap: time.Hour}, 9, 0},
		{"a negative base", acquire.Backoff{Base: -time.Second, Factor: 2, Cap: time.Hour}, 3, 0},
		{"a factor below 1 counts as 1", acquire.Backoff{Base: time.Second, Factor: 0.5, Cap: time.Hour}, 30, time.Second},
		{"a NaN factor counts as 1", acquire.Backoff{Base: time.Second, Factor: math.NaN(), Cap: time.Hour}, 30, time.Second},
		{"no cap", acquire.Backoff{Base: time.Second, Factor: 10}, 1000, math.MaxInt64},
		{"the largest cap", acquire.Backoff{Base: time.Second, Factor: 10, Cap: math.MaxInt64}, 1000, math.MaxInt64},
		{"a cap below the base", acquire.Backoff{Base: time.Second, Factor: 2, Cap: ms}, 1, ms},
		{"a cap that no float64 of seconds hits", acquire.Backoff{Base: time.Second, Factor: 2, Cap: math.MaxInt64 - 12345}, 64, math.MaxInt64 - 12345},
	} {
		if got := c.b.Raw(c.n); got != c.want {
			t.Errorf("%s: Raw(%d) = %v, want %v", c.name, c.n, got, c.want)
		}
	}
}

// Whatever the parameters: 0 <= Delay <= Raw + quantum, Raw is in [0, Cap] and
// never falls, and it is the formula's value to a nanosecond and a relative
// 1e-12, computed here in big floats.
func TestBackoffBoundsAndMonotonicity(t *testing.T) {
	seed := uint64(20260917)
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 3000 {
		b := acquire.Backoff{
			Base:   time.Duration(math.Exp(r.Float64() * 43)),
			Factor: 1 + math.Exp(r.Float64()*20-10),
			Cap:    time.Duration(math.Exp(r.Float64() * 43.6)),
			Jitter: acquire.Jitter(r.IntN(3)),
		}
		before := time.Duration(0)
		for _, n := range []int{1, 2, 3, 4, 5, 10, 63, 64, 65, 1000, 1 << 20, math.MaxInt32, math.MaxInt - 1, math.MaxInt} {
			raw, delay := b.Raw(n), b.Delay(n, r)
			if raw < before || raw > b.Cap {
				t.Fatalf("%+v: Raw(%d) = %d after %d: must not fall, nor exceed the cap %d", b, n, raw, before, b.Cap)
			}
			if delay < 0 || delay > raw+1 || delay > b.Cap {
				t.Fatalf("%+v: Delay(%d) = %d: must be in [0, %d]", b, n, delay, raw)
			}
			if b.Jitter == acquire.EqualJitter && delay < raw/2-1 {
				t.Fatalf("%+v: Delay(%d) = %d: equal jitter must keep half of %d", b, n, delay, raw)
			}
			if n <= 10 {
				if want := formula(b, n); math.Abs(float64(raw)-want) > 1+1e-12*want {
					t.Fatalf("%+v: Raw(%d) = %d, the formula says %.1f", b, n, raw, want)
				}
			}
			before = raw
		}
	}
}

// formula is min(Cap, Base*Factor^(n-1)) in nanoseconds.
func formula(b acquire.Backoff, n int) float64 {
	x := new(big.Float).SetPrec(200).SetInt64(int64(b.Base))
	for range n - 1 {
		x.Mul(x, big.NewFloat(b.Factor))
	}
	ns, _ := x.Float64()
	return min(ns, float64(b.Cap))
}

// The zero and the 1 ns span of the jitter do not panic, as an integer
// generator's would (rand.Int64N(0)).
func TestBackoffTinySpans(t *testing.T) {
	for _, base := range []time.Duration{0, 1} {
		for _, j := range []acquire.Jitter{acquire.FullJitter, acquire.EqualJitter, acquire.NoJitter} {
			b := acquire.Backoff{Base: base, Factor: 2, Cap: base, Jitter: j}
			if got := b.Delay(1, nil); got < 0 || got > base {
				t.Errorf("base %v, %v jitter: %v", base, j, got)
			}
		}
	}
}

func TestJitterNames(t *testing.T) {
	for j, want := range map[acquire.Jitter]string{
		acquire.FullJitter: "full", acquire.EqualJitter: "equal", acquire.NoJitter: "none", 9: "Jitter(9)",
	} {
		if j.String() != want {
			t.Errorf("Jitter %d is named %q, want %q", uint8(j), j, want)
		}
	}
}
