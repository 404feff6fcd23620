package reports_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a reviewed file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s, line %d differs:\ngot  %q\nwant %q\n(go test ./reports -update rewrites it)", path, i+1, at(g, i), at(w, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "<end>"
}

// format runs one of the Write functions into a text.
func format(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var text strings.Builder
	if err := write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// pond is a small world with everything that a report must be able to show: a
// contestant that does next to nothing, a reference, an unsuited one, a row of
// zeros, absent values, a volatile row, counts and a stall. shift moves every
// value a little, as another commit would.
func pond(seeds int, shift float64) *experiment.Result {
	d := experiment.Description{
		Name:        "quiet_pond",
		Summary:     "which swimmer crosses <fast> & often?",
		Fingerprint: "4f2a90c1d37700aa5e",
		Contestants: []string{"idle", "crawl", "back(lane=1|2)", "dolphin"},
		Unsuited:    map[string]string{"dive": "the pond is too shallow"},
		References:  map[string]string{"dolphin": "is no person"},
		Metrics: []experiment.Metric{
			{Name: "speed", Unit: "m/s", Bench: "m/s", Better: experiment.Higher, Gated: true, Headline: true, Meaning: "metres per second"},
			{Name: "crossings", Unit: "crossings", Bench: "crossings", Better: experiment.Higher, Completion: true, Headline: true, Meaning: "ponds crossed"},
			{Name: "lap_p95_ms", Unit: "ms", Bench: "lap-p95-ns", BenchScale: 1e6, Better: experiment.Lower, Gated: true, Headline: true, Meaning: "time of a lap"},
			{Name: "stroke_rate", Unit: "ratio", Bench: "stroke-%", BenchScale: 100, Meaning: "strokes per metre"},
			{Name: "collisions", Unit: "collisions", Bench: "collisions", Better: experiment.Lower, Meaning: "swimmers hit"},
			{Name: "wait_ms", Unit: "ms", Bench: "wait-ns", BenchScale: 1e6, Better: experiment.Lower, Meaning: "time until a lane was free"},
			{Name: "rescue_s", Unit: "s", Bench: "rescue-ns", BenchScale: 1e9, Better: experiment.Lower, Meaning: "time until help came, if it was needed"},
			{Name: "wall_s", Unit: "s", Better: experiment.Lower, Volatile: true, Meaning: "real time"},
		},
	}
	r := &experiment.Result{Scenario: d, Contestants: d.Contestants}
	for s := range seeds {
		r.Seeds = append(r.Seeds, uint64(1<<63+7)+uint64(s))
	}
	for c, contestant := range r.Contestants {
		for s, seed := range r.Seeds {
			noise := float64((s*7+c*3)%11) / 10 // common shape, own phase
			values := map[string]float64{
				"crossings":   float64(1400 + 10*c + s*7%11),
				"speed":       1.2 + 0.1*float64(c) + noise/50 + shift,
				"lap_p95_ms":  900.123456 - 20*float64(c) + noise*30 + shift*100,
				"stroke_rate": 0.87 + noise/100 + shift/10,
				"collisions":  0,
				"wait_ms":     float64(s%3*c) * (1 + noise + shift), // 0 on some seeds, and always for idle
				"wall_s":      0.001 * float64(s+1),
			}
			if contestant == "idle" {
				values["crossings"], values["lap_p95_ms"] = float64(3+s), 1.5+noise
			}
			if contestant != "idle" && s%4 != 3 {
				values["rescue_s"] = 10 + noise + shift
			}
			r.Runs = append(r.Runs, experiment.Run{
				Contestant: contestant, Seed: seed, Values: values, Iterations: int64(5000 + 100*c + s),
				Digest: fmt.Sprintf("%032x", c*100+s), Wall: time.Duration(s),
				Counts: map[string]map[string]int64{
					"laps_by_lane": {"north": int64(10*c + s), "south_2": 5},
					"errors":       {},
				},
			})
		}
	}
	r.Runs[len(r.Seeds)+1].Stall = &experiment.Stall{
		At: 432036781903, Why: "every lane is closed", Tasks: []string{"swimmer 1: waits for lane north"},
		Resources: []string{"north: dead since 229.7 s", "south_2: revoked"},
	}
	return r
}

// result makes a report, which must succeed.
func result(t *testing.T, sweep *experiment.Result, p reports.Provenance) *reports.Result {
	t.Helper()
	if p.Rule == "" {
		p.Rule = experiment.Calibrated
	}
	r, err := reports.New(sweep, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantError checks that err says each of the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}
