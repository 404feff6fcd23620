package reports_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// The differences of a move, by hand: crawl was 5 s slower on two seeds, and
// 2 s faster on a third. By means -8/4 with a standard deviation of 3.559 on
// four seeds: t(3, 97.5 %) = 3.182 standard errors of 1.78 are 5.664.
func TestMovesArePairedDifferences(t *testing.T) {
	sweep, after := listedPond(4), listedPond(4)
	for i, change := range []float64{5, -2, 5, 0} {
		sweep.Runs[4+i].Values["lap_p95_ms"] = 900
		after.Runs[4+i].Values["lap_p95_ms"] = 900 + change
		after.Runs[4+i].Digest += fmt.Sprint(change)
	}
	d, err := reports.Gate(committed(t, sweep), committed(t, after))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range d.Rows {
		for _, m := range row.Moves {
			if row.Metric != "lap_p95_ms" || m.Contestant != "crawl" {
				if m.Seeds != nil {
					t.Errorf("%s moved in %s on %v", m.Contestant, row.Metric, m.Seeds)
				}
				continue
			}
			if m.MeanBefore != 900 || m.MeanNow != 902 || m.Mean != -2 || m.Better != 1 || m.Worse != 2 || m.Equal != 1 {
				t.Errorf("got %+v", m)
			}
			if m.HalfWidth < 5.66 || m.HalfWidth > 5.67 {
				t.Errorf("half of the interval is %v, want 5.664", m.HalfWidth)
			}
			if first := sweep.Seeds[0]; !slices.Equal(m.Seeds, sweep.Seeds[:3]) || m.Most != first {
				t.Errorf("moved on %v, most on %d", m.Seeds, m.Most)
			}
		}
	}
}

func TestDriftsAreReadable(t *testing.T) {
	golden(t, "winner.drift", drift(t, func(r *experiment.Result) { speedUp(r, "crawl") }).String())
	golden(t, "excluded.drift", drift(t, func(r *experiment.Result) {
		for i := range r.Runs {
			if r.Runs[i].Contestant == "crawl" {
				r.Runs[i].Values["crossings"], r.Runs[i].Digest = 5, "new"
			}
		}
	}).String())
	golden(t, "numbers.drift", drift(t, func(r *experiment.Result) {
		r.Runs[13].Values["lap_p95_ms"], r.Runs[13].Digest = 905, "new"
	}).String())
	if got, want := drift(t, func(*experiment.Result) {}).String(), "quiet_pond: nothing changed\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLevelsAreText(t *testing.T) {
	for text, want := range map[string]reports.Level{
		"ranking": {}, "exact": {Exact: true}, "speed": {Rows: []string{"speed"}}, "speed, lap_p95_ms": {Rows: []string{"speed", "lap_p95_ms"}},
	} {
		got, err := reports.ParseLevel(text)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "speed,,", "exact,speed", "ranking,exact"} {
		_, err := reports.ParseLevel(text)
		wantError(t, err, "must be ranking, exact, or a list")
	}
}
