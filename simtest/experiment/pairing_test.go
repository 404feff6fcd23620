package experiment_test

import (
	"math"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// By hand: a and b go up and down together, so half their difference's
// variance would be luck; c goes against a.
func TestPairing(t *testing.T) {
	metric := experiment.Metric{Name: "speed", Unit: "m/s", Bench: "m/s", Better: experiment.Higher}
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
		ok   bool
	}{
		{"the same luck", []float64{1, 2, 3}, []float64{11, 12, 13}, 0, true},
		{"twice the same luck", []float64{1, 2, 3}, []float64{2, 4, 6}, 0.2, true}, // 1 of 1 + 4
		{"opposite luck", []float64{1, 2, 3}, []float64{3, 2, 1}, 2, true},         // 4 of 1 + 1
		{"no luck at all", []float64{1, 1, 1}, []float64{2, 2, 2}, 0, false},
	} {
		result := table(metric, []string{"a", "b"}, map[string][]float64{"a": c.a, "b": c.b})
		ranking := rank(t, result, experiment.Calibrated)
		got, ok := result.Pairing(ranking.Row("speed"))
		if ok != c.ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}
