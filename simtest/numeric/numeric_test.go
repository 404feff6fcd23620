package numeric_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ranktest/ranktest/simtest/numeric"
)

// ulps is the distance of got from want in units of want's last place.
func ulps(got, want float64) float64 {
	if got == want {
		return 0
	}
	unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
	return math.Abs(got-want) / unit
}

// Package math is itself only good to about one unit, so two are allowed.
func TestAgainstPackageMath(t *testing.T) {
	for name, c := range map[string]struct {
		mine, theirs func(float64) float64
		lo, hi       float64
	}{
		"Exp":          {numeric.Exp, math.Exp, -700, 700},
		"Exp, small":   {numeric.Exp, math.Exp, -3, 3},
		"Log":          {numeric.Log, math.Log, 1e-9, 1e9},
		"Log, near 1":  {numeric.Log, math.Log, 0.5, 2},
		"Cos":          {numeric.Cos, math.Cos, -2 * math.Pi, 2 * math.Pi},
		"Sin":          {numeric.Sin, math.Sin, -2 * math.Pi, 2 * math.Pi},
		"Cos, far off": {numeric.Cos, math.Cos, 1e5, 1 << 20},
		"Sin, far off": {numeric.Sin, math.Sin, 1e5, 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			worst, at := 0.0, 0.0
			for range 200_000 {
				x := c.lo + (c.hi-c.lo)*r.Float64()
				if d := ulps(c.mine(x), c.theirs(x)); d > worst {
					worst, at = d, x
				}
			}
			if worst > 2 {
				t.Errorf("%v units in the last place at %v: got %v, want %v", worst, at, c.mine(at), c.theirs(at))
			}
		})
	}
}

// The bits themselves, so that a platform that rounds otherwise is noticed.
func TestBitsAreTheSameEverywhere(t *testing.T) {
	sum := uint64(0)
	mix := func(x float64) { sum = (sum ^ math.Float64bits(x)) * 0x9e3779b97f4a7c15 }
	for i := range 10_000 {
		u := (float64(i) + 0.5) / 10_000
		mix(numeric.Exp(float64(20*u) - 10)) // or the argument differs
		mix(numeric.Log(u))
		mix(numeric.Cos(40 * u))
		mix(numeric.Sin(40 * u))
		mix(numeric.NormalQuantile(u))
	}
	if want := uint64(0x23b801e4b26d47cf); sum != want {
		t.Errorf("digest of 50,000 values is %#x, want %#x", sum, want)
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"exp 0", numeric.Exp(0), 1},
		{"exp 1, one unit above the nearest", numeric.Exp(1), math.Nextafter(math.E, 3)},
		{"exp of a large number", numeric.Exp(710), inf},
		{"exp of a very negative number", numeric.Exp(-746), 0},
		{"exp -Inf", numeric.Exp(-inf), 0},
		{"exp NaN", numeric.Exp(nan), nan},
		{"exp in the subnormal range", numeric.Exp(-740), math.Exp(-740)},
		{"log 1", numeric.Log(1), 0},
		{"log 0", numeric.Log(0), -inf},
		{"log of a negative number", numeric.Log(-1), nan},
		{"log Inf", numeric.Log(inf), inf},
		{"cos 0", numeric.Cos(0), 1},
		{"sin 0", numeric.Sin(0), 0},
		{"median of a normal", numeric.NormalQuantile(0.5), 0},
		{"quantile of 0", numeric.NormalQuantile(0), -inf},
		{"quantile of 1", numeric.NormalQuantile(1), inf},
		{"quantile of more than 1", numeric.NormalQuantile(1.5), nan},
		{"quantile of NaN", numeric.NormalQuantile(nan), nan},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
}

// erfc inverts the quantile: P(Z <= z) = erfc(-z/sqrt 2)/2.
func TestNormalQuantileInvertsTheDistribution(t *testing.T) {
	for _, p := range []float64{1e-300, 1e-20, 1e-9, 0.001, 0.025, 0.0749, 0.0751, 0.3, 0.5, 0.7, 0.9249, 0.9251, 0.975, 0.999} {
		z := numeric.NormalQuantile(p)
		back := math.Erfc(-z/math.Sqrt2) / 2
		if math.Abs(back-p) > 1e-12*p {
			t.Errorf("p = %v: z = %v gives back %v", p, z, back)
		}
	}
}

func BenchmarkExp(b *testing.B) {
	x := 0.1
	for b.Loop() {
		x = numeric.Exp(x) - 1
	}
}

func BenchmarkMathExp(b *testing.B) {
	x := 0.1
	for b.Loop() {
		x = math.Exp(x) - 1
	}
}

func BenchmarkNormalQuantile(b *testing.B) {
	x := 0.3
	for b.Loop() {
		x = 0.3 + 0*numeric.NormalQuantile(x)
	}
}
