package experiment_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// level is the probability that the calibrated rule asks for among k.
func level(k int) float64 { return 1 - 0.05/float64(k*(k-1)) }

// The values were computed with 40 digits (mpmath's incomplete beta function
// and bisection).
func TestStudentQuantiles(t *testing.T) {
	for _, c := range []struct {
		df, k int
		want  float64
	}{
		{1, 2, 12.706204736175},
		{1, 3, 38.188459297026},
		{1, 5, 127.32133646887},
		{1, 7, 267.37905772947},
		{1, 10, 572.95721335429},
		{1, 20, 2419.1549972077},
		{2, 2, 4.3026527297495},
		{2, 3, 7.6488039379155},
		{2, 5, 14.089047275555},
		{2, 7, 20.457287111139},
		{2, 10, 29.974994210711},
		{2, 20, 61.631972756015},
		{3, 2, 3.1824463052837},
		{3, 3, 4.856657272769},
		{3, 5, 7.4533185051506},
		{3, 7, 9.6241935286097},
		{3, 10, 12.471456529034},
		{3, 20, 20.252808120083},
		{4, 2, 2.7764451051978},
		{4, 3, 3.9607864827702},
		{4, 5, 5.5975683670755},
		{4, 7, 6.8471419955442},
		{4, 10, 8.376331132893},
		{4, 20, 12.151910416137},
		{5, 2, 2.5705818356363},
		{5, 3, 3.5341107040584},
		{5, 5, 4.7733406048555},
		{5, 7, 5.6664512216695},
		{5, 10, 6.7125930929146},
		{5, 20, 9.1365041487608},
		{8, 2, 2.3060041352042},
		{8, 3, 3.0157618368872},
		{8, 5, 3.8325186853443},
		{8, 7, 4.3698537178819},
		{8, 10, 4.9569729324852},
		{8, 20, 6.1869092649293},
		{9, 2, 2.2621571627982},
		{9, 3, 2.933324088374},
		{9, 5, 3.6896623923042},
		{9, 7, 4.1786219250936},
		{9, 10, 4.7057673777908},
		{9, 20, 5.7887570639779},
		{19, 2, 2.0930240544083},
		{19, 3, 2.6251059132228},
		{19, 5, 3.1737245307923},
		{19, 7, 3.5026559386266},
		{19, 10, 3.8372662075406},
		{19, 20, 4.4688361137976},
		{29, 2, 2.0452296421327},
		{29, 3, 2.5409081494989},
		{29, 5, 3.0380467448492},
		{29, 7, 3.3290953610283},
		{29, 10, 3.6197521923231},
		{29, 20, 4.1537090942488},
		{99, 2, 1.9842169515864},
		{99, 3, 2.4353393004017},
		{99, 5, 2.8713076612148},
		{99, 7, 3.1184530260775},
		{99, 10, 3.3591649193656},
		{99, 20, 3.7854055224486},
		{999, 2, 1.9623414611334},
		{999, 3, 2.398018863124},
		{999, 5, 2.8132841237453},
		{999, 7, 3.0458701959171},
		{999, 10, 3.2702849663418},
		{999, 20, 3.6622179611467},
	} {
		got := experiment.StudentQuantile(c.df, level(c.k))
		if want := math.Round(c.want*1e6) / 1e6; got != want {
			t.Errorf("t(%d, %v) = %v, want %v", c.df, level(c.k), got, want)
		}
	}
	// Two contestants: the two-sided 95 % values of every textbook.
	for n, want := range map[int]float64{3: 4.303, 5: 2.776, 10: 2.262, 20: 2.093} {
		if got := experiment.StudentQuantile(n-1, level(2)); math.Abs(got-want) > 0.0005 {
			t.Errorf("%d seeds: %v, want %v", n, got, want)
		}
	}
}

// Another math library moves the last bits of a quantile. That must not move
// its sixth decimal: no value may lie closer to where the rounding turns than
// any library errs.
func TestStudentQuantilesAreNotNearARoundingBoundary(t *testing.T) {
	for n := 2; n <= 100; n++ {
		for k := 2; k <= 20; k++ {
			q := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(level(k))
			_, fraction := math.Modf(q * 1e6)
			if distance := math.Abs(fraction-0.5) / (q * 1e6); distance < 5e-12 {
				t.Errorf("%d seeds, %d contestants: quantile %v is within %.1g of a rounding boundary", n, k, q, distance)
			}
		}
	}
}
