package reports

import (
	"math"
	"strconv"
	"strings"
)

// scale maps values to a chart's width.
type scale struct{ lo, hi float64 }

// newScale covers all values, with a little air on both sides.
func newScale(values []float64) scale {
	if len(values) == 0 {
		values = []float64{0}
	}
	s := scale{values[0], values[0]}
	for _, v := range values[1:] {
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
	air := float64(0.03 * (s.hi - s.lo))
	if air <= 1e-12*math.Abs(s.hi) { // all alike
		air = max(math.Abs(s.hi), 1)
	}
	return scale{s.lo - air, s.hi + air}
}

// has reports whether a value lies on the scale.
func (s scale) has(v float64) bool { return v >= s.lo && v <= s.hi }

// part returns where a value lies, from 0 to 1; what is off the scale lies at
// its end.
func (s scale) part(v float64) float64 {
	return max(0, min(1, (float64(v)-s.lo)/(s.hi-s.lo)))
}

// chartWidth is the width of a chart in its own units. It is stretched to the
// width of the page, and so are none of its texts and strokes: texts are HTML,
// and strokes do not scale.
const chartWidth = 1000

// x returns the coordinate of a value.
func (s scale) x(v float64) string { return decimal(chartWidth * s.part(v)) }

// tick is a mark of an axis.
type tick struct {
	At   string // from the left, in per cent
	X    string // the same as a coordinate
	Text string
	Unit string // left out where there is little room
}

// ticks returns round values on the scale, about as many as asked for.
func (s scale) ticks(about int) []tick {
	step := niceNumber((s.hi - s.lo) / float64(about))
	decimals := max(0, -int(math.Floor(float64(math.Log10(step))+1e-9)))
	var all []tick
	for i := math.Ceil(s.lo / step); float64(i*step) <= s.hi; i++ {
		v := float64(i * step)
		all = append(all, tick{
			At:   decimal(100*s.part(v)) + "%",
			X:    s.x(v),
			Text: minus(strconv.FormatFloat(v+0, 'f', decimals, 64)),
		})
	}
	return all
}

// niceNumber returns the smallest of 1, 2 and 5 times a power of ten that is
// at least x.
func niceNumber(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, times := range []float64{1, 2, 5} {
		if times*power >= x*(1-1e-9) {
			return times * power
		}
	}
	return 10 * power
}

// decimal writes a coordinate with at most one decimal.
func decimal(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(math.Round(x*10)/10+0, 'f', 1, 64), ".0")
}

// minus writes the sign as it is printed.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }

// signedPercent writes a part as per cent, with a sign.
func signedPercent(part float64) string {
	digits := 1
	if math.Abs(part) >= 1 {
		digits = 0
	}
	text := strconv.FormatFloat(100*part, 'f', digits, 64)
	if strings.Trim(text, "-0.") == "" {
		return "0 %"
	}
	if part > 0 {
		text = "+" + text
	}
	return minus(text) + " %"
}
