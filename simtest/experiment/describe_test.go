package experiment_test

import (
	"math"
	"testing"

	"github.com/ranktest/ranktest/simtest/experiment"
)

func TestDescribeRefusesWhatCannotBeReported(t *testing.T) {
	metric := func(change func(*experiment.Metric)) func(*world) {
		return func(w *world) {
			m := slow
			change(&m)
			w.metrics = []experiment.Metric{done, m}
		}
	}
	for _, c := range []struct {
		name   string
		damage func(*world)
		says   []string
	}{
		{"a name with capitals", func(w *world) { w.name = "Pond" }, []string{`scenario "Pond"`, "[a-z0-9_]+"}},
		{"no metrics", func(w *world) { w.metrics = nil }, []string{"no metrics"}},
		{"a metric name with a space", metric(func(m *experiment.Metric) { m.Name = "la tency" }), []string{`"la tency"`}},
		{"a metric without unit", metric(func(m *experiment.Metric) { m.Unit = "" }), []string{`metric "latency_ms"`, "unit"}},
		{"a benchstat unit with a space", metric(func(m *experiment.Metric) { m.Bench = "la tency" }), []string{"without spaces"}},
		{"no benchstat unit", metric(func(m *experiment.Metric) { m.Bench = "" }), []string{"no benchstat unit"}},
		{"a scale that is no number", metric(func(m *experiment.Metric) { m.BenchScale = math.NaN() }), []string{"scale NaN"}},
		{"a direction that does not exist", metric(func(m *experiment.Metric) { m.Better = 9 }), []string{"direction 9"}},
		{"a gated row that crowns nobody", metric(func(m *experiment.Metric) { m.Better = experiment.Neutral }), []string{"crowns nobody"}},
		{"two metrics of one name", func(w *world) { w.metrics = []experiment.Metric{done, slow, slow} }, []string{"declared twice"}},
		{"two metrics of one benchstat unit", metric(func(m *experiment.Metric) { m.Bench = "jobs-done" }), []string{`"jobs-done"`, `already the unit of "done"`}},
		{"two completion metrics", metric(func(m *experiment.Metric) { m.Completion, m.Gated, m.Better = true, false, experiment.Higher }), []string{`"done" is the completion metric already`}},
		{"a completion metric that is better when lower", metric(func(m *experiment.Metric) { m.Completion = true }), []string{"better when higher"}},
		{"gated rows without a completion metric", func(w *world) { w.metrics = []experiment.Metric{slow} }, []string{"no metric is marked Completion"}},
		{"no contestants", func(w *world) { w.contestants = nil }, []string{"no contestants"}},
		{"a contestant twice", func(w *world) { w.contestants = []string{"frog", "frog"} }, []string{`"frog"`, "once"}},
		{"a contestant with a space", func(w *world) { w.contestants = []string{"tree frog"} }, []string{`"tree frog"`, "spaces"}},
		{"a contestant with a slash", func(w *world) { w.contestants = []string{"frog/toad"} }, []string{"slashes"}},
		{"a contestant that benchstat would cut", func(w *world) { w.contestants = []string{"power-2"} }, []string{`"power-2"`, `write "power_2"`}},
		{"a contestant without a name", func(w *world) { w.contestants = []string{""} }, []string{"must have a name"}},
		{"an unsuited one without a reason", func(w *world) { w.unsuited = map[string]string{"fish": ""} }, []string{`"fish"`, "reason"}},
		{"an unsuited one that takes part", func(w *world) { w.unsuited = map[string]string{"frog": "no"} }, []string{`"frog"`, "must not be among"}},
		{"a reference that does not take part", func(w *world) { w.references = map[string]string{"fish": "all-seeing"} }, []string{`"fish"`, "must be among"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			c.damage(&w)
			_, err := experiment.Describe(w)
			wantError(t, err, c.says...)
		})
	}
	if _, err := experiment.Describe(newWorld()); err != nil {
		t.Errorf("a sound scenario: %v", err)
	}
	_, err := experiment.Describe(nil)
	wantError(t, err, "must not be nil")
}

func TestContestantNamesSurviveBenchstat(t *testing.T) {
	for _, name := range []string{"wait", "backoff(base=100ms,cap=2s)", "failover(pools=a|b)", "power-two", "v2", "a-1b"} {
		if err := experiment.CheckContestant(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "a b", "a\tb", "a\u00a0b", "a/b", "a-1", "-10", "a\x00", "\xff"} {
		if experiment.CheckContestant(name) == nil {
			t.Errorf("%q was accepted", name)
		}
	}
}

func TestDirectionsAreText(t *testing.T) {
	for _, d := range []experiment.Direction{experiment.Neutral, experiment.Higher, experiment.Lower} {
		text, _ := d.MarshalText()
		var back experiment.Direction
		if err := back.UnmarshalText(text); err != nil || back != d {
			t.Errorf("%v came back as %v, %v", d, back, err)
		}
	}
	var d experiment.Direction
	wantError(t, d.UnmarshalText([]byte("sideways")), `"sideways"`, "neutral, higher or lower")
}
