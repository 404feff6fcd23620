package experiment

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// StudentQuantile returns t such that a Student t variable with df degrees of
// freedom (1 or more) is at most t with probability p, 0 < p < 1.
//
// It is rounded to six decimals: math libraries differ in the last bits, and
// a critical value that differs by a bit could turn a verdict around.
func StudentQuantile(df int, p float64) float64 {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(p)
	return math.RoundToEven(t*1e6) / 1e6
}
