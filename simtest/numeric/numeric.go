// Package numeric has the few elementary functions that a simulated world
// needs, computed so that every platform gets the same bits.
//
// The functions of package math do not promise that: some ports have them in
// assembly, and where the processor has a fused multiply-add the compiler may
// use it for x*y + z, which rounds once instead of twice. One differing bit in
// a latency can swap two events, and from there on everything is different.
// Here each product is converted explicitly (float64(x*y)), which the language
// specifies as a rounding that must not be fused away, and only +, -, *, / and
// the square root are used, which IEEE 754 rounds exactly.
//
// The errors are below one unit in the last place over the ranges that are
// documented; the tests compare with package math.
package numeric

import "math"

const (
	// ln2Hi has its last 32 bits clear, so that k*ln2Hi is exact for every
	// exponent k of a double; ln2Hi + ln2Lo is ln 2 to about 100 bits.
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10

	// The same for pi/2, in three parts of 33 bits and a rest.
	halfPi1 = 1.57079632673412561417e+00
	halfPi2 = 6.07710050630396597660e-11
	halfPi3 = 2.02226624879595063154e-21
)

// Exp returns e to the power of x. Below -745.2 the result is 0, above 709.8
// it is +Inf; a NaN stays one.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 709.782712893384:
		return math.Inf(1)
	case x < -745.1332191019412:
		return 0
	}
	// x = k ln 2 + r with |r| <= ln 2 / 2, so e^x = 2^k e^r.
	k := math.RoundToEven(float64(x * math.Log2E))
	hi := x - float64(k*ln2Hi)
	lo := float64(k * ln2Lo)
	r := hi - lo
	rest := (hi - r) - lo

	// e^r - 1 - r by its Taylor series up to r^13, in Estrin's order: four
	// short chains instead of one long one.
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	r8 := float64(r4 * r4)
	a := 1.0/2 + float64(r*(1.0/6))
	b := 1.0/24 + float64(r*(1.0/120))
	c := 1.0/720 + float64(r*(1.0/5040))
	d := 1.0/40320 + float64(r*(1.0/362880))
	e := 1.0/3628800 + float64(r*(1.0/39916800))
	f := 1.0/479001600 + float64(r*(1.0/6227020800))
	low := a + float64(r2*b)
	mid := c + float64(r2*d)
	top := e + float64(r2*f)
	tail := float64(r2 * (low + float64(r4*mid) + float64(r8*top)))

	y := 1 + (r + (tail + rest))
	if n := int(k); n > -1022 && n < 1024 {
		return y * math.Float64frombits(uint64(n+1023)<<52)
	}
	return math.Ldexp(y, int(k))
}

// Log returns the natural logarithm of x; -Inf for 0 and NaN below.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	// x = 2^k m with m in [sqrt(1/2), sqrt(2)), and with s = (m-1)/(m+1)
	// log m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + ...).
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = m*2, k-1
	}
	f := m - 1
	s := f / (m + 1)
	z := float64(s * s)
	sum := 0.0
	for i := 23; i >= 3; i -= 2 {
		sum = float64(z * (1/float64(i) + sum))
	}
	// 2s = f - f^2/2 + s f^2/2 keeps the leading terms exact.
	square, lost := multiply(f, f)
	half := float64(square / 2)
	n := float64(k)
	small := half - ((float64(s*(half+float64(2*sum))) + float64(n*ln2Lo)) - float64(lost/2))
	// n ln2Hi is exact, and what is lost when f is added to it is kept.
	large := float64(n * ln2Hi)
	y := large + f
	return y + ((f - (y - large)) - small)
}

// Cos returns the cosine of x radians, for |x| up to 2^20.
func Cos(x float64) float64 {
	y, rest, quadrant := reduce(x)
	switch quadrant {
	case 0:
		return cosKernel(y, rest)
	case 1:
		return -sinKernel(y, rest)
	case 2:
		return -cosKernel(y, rest)
	}
	return sinKernel(y, rest)
}

// Sin returns the sine of x radians, for |x| up to 2^20.
func Sin(x float64) float64 {
	y, rest, quadrant := reduce(x)
	switch quadrant {
	case 0:
		return sinKernel(y, rest)
	case 1:
		return cosKernel(y, rest)
	case 2:
		return -sinKernel(y, rest)
	}
	return -cosKernel(y, rest)
}

// reduce writes x as y + rest + n pi/2 with |y| <= pi/4 and returns n mod 4.
func reduce(x float64) (y, rest float64, quadrant int) {
	n := math.RoundToEven(float64(x * (2 / math.Pi)))
	r := x - float64(n*halfPi1)
	w := float64(n * halfPi2)
	y1 := r - w
	lost := (r - y1) - w
	v := float64(n*halfPi3) - lost
	y = y1 - v
	rest = (y1 - y) - v
	return y, rest, int(int64(n) & 3)
}

func sinKernel(y, rest float64) float64 {
	z, lost := multiply(y, y)
	p := taylor(z, &sinCoefficients)
	// sin y = y - y^3/6 + y^5 p. The cube's rounding errors are kept, and so
	// is that of its subtraction.
	cube, cubeLost := multiply(y, z)
	sixth := float64(cube / 6)
	left := (cube - float64(4*sixth)) - float64(2*sixth)
	x := y - sixth
	// sin(y + rest) = sin y + rest cos y, and cos y = 1 - y^2/2 is enough.
	small := float64(float64(cube*z)*p) + float64(rest*(1-float64(z*0.5)))
	return x + (((y - x) - sixth) + (small - (left+float64(y*lost)+cubeLost)/6))
}

func cosKernel(y, rest float64) float64 {
	z, lost := multiply(y, y)
	p := taylor(z, &cosCoefficients)
	half := float64(z * 0.5)
	w := 1 - half
	return w + (((1 - w) - half) + (float64(float64(z*z)*p) - (float64(y*rest) + float64(lost/2))))
}

// multiply returns x*y and what its rounding lost (T. J. Dekker, A
// floating-point technique for extending the available precision, 1971).
func multiply(x, y float64) (product, lost float64) {
	xHigh, xLow := halves(x)
	yHigh, yLow := halves(y)
	product = float64(x * y)
	lost = ((float64(xHigh*yHigh) - product) + (float64(xHigh*yLow) + float64(xLow*yHigh))) + float64(xLow*yLow)
	return product, lost
}

// halves splits x into two numbers of 26 bits.
func halves(x float64) (high, low float64) {
	c := float64(x * (1<<27 + 1))
	high = c - (c - x)
	return high, x - high
}

// taylor evaluates the polynomial c[0] + c[1] z + ... by Horner's rule.
func taylor(z float64, c *[8]float64) float64 {
	p := c[7]
	for i := 6; i >= 0; i-- {
		p = c[i] + float64(z*p)
	}
	return p
}

// The Taylor coefficients of (sin y - y + y^3/6)/y^5 and (cos y - 1 + y^2/2)/y^4 in
// powers of y^2.
var (
	sinCoefficients = [8]float64{
		1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
		1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000, -1.0 / 121645100408832000,
	}
	cosCoefficients = [8]float64{
		1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
		-1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000,
	}
)
