package explain_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/explain"
	"github.com/ranktest/ranktest/simtest/placement"
	"github.com/ranktest/ranktest/simtest/provider"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func written(t *testing.T, s experiment.Scenario) string {
	t.Helper()
	var text bytes.Buffer
	if err := explain.Write(&text, s); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 96 {
			t.Errorf("a line has %d columns: %s", n, line)
		}
	}
	return text.String()
}

// world is what is said of the world itself: not what it says of its ranking
// and its metrics.
func world(text string) string {
	return text[strings.Index(text, "\nThe world\n")+1 : strings.Index(text, "\nWho takes part\n")]
}

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
	if got != string(want) {
		t.Errorf("%s is not what was written (go test -update rewrites it):\n%s", path, got)
	}
}

func TestTheBaseScenario(t *testing.T) {
	s, w := base(t, same)
	text := written(t, s)
	golden(t, "bursty_provider.txt", world(text))
	for _, c := range w.Contestants {
		if !strings.Contains(text, "\n  "+c) {
			t.Errorf("%s is not explained", c)
		}
	}
	for c, why := range w.Unsuited {
		if !strings.Contains(text, "\n  "+c) || !strings.Contains(strings.Join(strings.Fields(text), " "), why) {
			t.Errorf("%s is not explained", c)
		}
	}
	for _, a := range s.Assumptions() {
		if !regexp.MustCompile(`\n  ` + regexp.QuoteMeta(a.Key) + `\s+` + regexp.QuoteMeta(a.Value) + `\n`).MatchString(text) {
			t.Errorf("the assumption %s is not listed", a.Key)
		}
	}
	for _, m := range s.Metrics() {
		if !strings.Contains(text, " "+m.Name) {
			t.Errorf("the metric %s is not explained", m.Name)
		}
	}
}

// A world with everything that a world can have.
func TestARichWorld(t *testing.T) {
	s, _ := base(t, func(w *provider.World) {
		w.Cycle.Phase = 15 * time.Second
		w.VendorCapacity = map[string]int{"north": 9}
		w.Endpoints[0].Vendor, w.Endpoints[1].Vendor, w.Endpoints[2].Vendor = "north", "north", "south"
		w.Endpoints[0].Pinned = true
		w.Endpoints[0].Limits = []provider.Limit{
			{Kind: provider.FixedWindow, Amount: 5000, Window: 24 * time.Hour},
			{Kind: provider.SlidingWindow, Amount: 100, Window: 10 * time.Second},
			{Kind: provider.TokenBucket, Amount: 60, Window: time.Minute},
		}
		w.Endpoints[1].Outages = []provider.Outage{
			{From: time.Minute, Until: 2 * time.Minute, ErrorRate: 1, After: 5 * time.Second},
			{From: 5 * time.Minute, Until: 6 * time.Minute, ErrorRate: 0.5, After: 20 * time.Millisecond},
		}
		w.Endpoints[1].Slowdown = 0.1
		w.Endpoints[2].Cache = &provider.Cache{Entries: 20, Factor: 0.25, Cost: 0.1}
		twin := w.Endpoints[2]
		twin.ID = "metered-too"
		w.Endpoints = append(w.Endpoints, twin)
		w.Changes = []provider.Change{
			{At: time.Minute, Endpoint: "metered-too", Kind: provider.Publish},
			{At: 2 * time.Minute, Endpoint: "metered-too", Kind: provider.Resize, Capacity: 2},
			{At: 3 * time.Minute, Endpoint: "metered-too", Kind: provider.Revoke},
		}
		w.Workload = provider.Workload{
			Jobs: 900, StepsPerJob: 1, CallsPerStep: 1, Concurrency: 40, Horizon: 10 * time.Minute,
			Arrivals: &provider.Arrivals{Drop: true, Phases: []provider.Phase{{Rate: 1, Mean: 40 * time.Second}, {Rate: 9, Mean: 5 * time.Second}}},
			Patience: time.Minute, CallTimeout: 10 * time.Second, Keys: &provider.Keys{Number: 500, Skew: 0.9},
		}
		w.RetryBudget = &provider.RetryBudget{Ratio: 0.1, Burst: 10}
		w.Retry = acquire.Retry{MaxAttempts: 10, RetryUnknown: true, MaxTotal: time.Minute, Backoff: acquire.Backoff{Base: time.Second, Factor: 2, Cap: 30 * time.Second, Jitter: acquire.EqualJitter}}
		w.Health, w.Order = pool.DefaultHealth(), pool.FIFO
		w.Contestants = []string{"wait", "failover(pools=north|south)"}
	})
	golden(t, "rich.txt", world(written(t, s)))
}

// Words that depend on a number, each with the world that makes them true.
func TestConsequences(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(w *provider.World)
		says   string
	}{
		{"a zero policy is the default one", func(w *provider.World) { w.Health = pool.Health{} },
			"counts failures in a row. After 3 an endpoint rests for 30s. After 8 it is dead, until a probe request, one every 30s, succeeds. A refusal does not count."},
		{"a policy that counts nothing", func(w *provider.World) { w.Health = pool.Health{MaxRetryAfter: time.Second} },
			"counts no failures: an endpoint is used whatever it does."},
		{"fewer workers than the trough takes", func(w *provider.World) { w.Workload.Concurrency = 8 }, "8 workers are never more than the endpoints take at once (8)"},
		{"one more", func(w *provider.World) { w.Workload.Concurrency = 9 }, "9 workers have enough leases (22), but in the trough the endpoints take only 8"},
		{"more than there are leases", func(w *provider.World) { w.Workload.Concurrency = 23 }, "23 workers share 22 leases"},
		{"more than ever taken", func(w *provider.World) {
			w.Workload.Concurrency = 10
			w.Endpoints[0].Weight, w.Endpoints[1].Weight, w.Endpoints[2].Weight = 0.1, 0.1, 0.1
		}, "10 workers are more than the endpoints ever take at once"},
		{"little work", func(w *provider.World) { w.Workload.Jobs = 186 }, "yes, for 10 times the 186 jobs that come"},
		{"no retries", func(w *provider.World) { w.Retry.MaxAttempts = 1 }, "none: a step is tried once"},
		{"no cycle", func(w *provider.World) { w.Cycle = provider.Cycle{Peak: 0.5} }, "Its capacity is 50 % of the nominal one all the time."},
		{"a steady world", func(w *provider.World) { w.Cycle = provider.Cycle{Peak: 1} }, "all endpoints together take 24 requests at once, and serve"},
		{"thinking", func(w *provider.World) { w.Workload.Think = 3 * time.Second }, "after a pause of 3s on average"},
		{"reference draws", func(w *provider.World) { w.Draws = provider.PythonDraws }, "Its randomness is the reference's"},
		{"a line", func(w *provider.World) { w.Workload.Arrivals = &provider.Arrivals{Rate: 2} }, "at most 12 at once; others wait in line"},
		{"a rhythm", func(w *provider.World) { w.Workload.Arrivals = &provider.Arrivals{Every: 250 * time.Millisecond} }, "one every 250ms, whatever becomes"},
		{"a profile", func(w *provider.World) {
			w.Workload.Arrivals = &provider.Arrivals{Profile: []provider.RatePoint{{At: 0, Rate: 1}, {At: 10 * time.Minute, Rate: 3}}}
		}, "2 jobs/s on average, 12 requests/s"},
		{"its peak", func(w *provider.World) {
			w.Workload.Arrivals = &provider.Arrivals{Profile: []provider.RatePoint{{At: 0, Rate: 1}, {At: 10 * time.Minute, Rate: 3}}}
		}, "at its peak 3 jobs/s, 18 requests/s"},
	} {
		s, _ := base(t, c.change)
		if text := strings.Join(strings.Fields(written(t, s)), " "); !strings.Contains(text, c.says) {
			t.Errorf("%s: want %q in\n%s", c.name, c.says, world(written(t, s)))
		}
	}
}

func TestPlacement(t *testing.T) {
	s, err := placement.New(placement.Documented())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "placement.txt", world(written(t, s)))
	for _, w := range []placement.World{placement.OneAble(), placement.Stale(10), placement.OfferedLoad(0.5), placement.Regional()} {
		s, err := placement.New(w)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(written(t, s)), " ")
		for name, says := range map[string]string{
			"placement_one_able":         "can do the task with probability 0.01; other choices cost a tick two choices of two workers at random at least one can with probability 0.02,",
			"placement_stale_10":         "as it was 5 ticks ago",
			"placement_offered_load_050": "outages none: nobody ever leaves",
			"placement_regional_outage":  "20 at 20 workers, 6 ticks long on average",
		} {
			if name == w.Name && !strings.Contains(text, says) {
				t.Errorf("%s: want %q in\n%s", name, says, written(t, s))
			}
		}
	}
}

// An unknown world is explained by what every scenario says of itself.
func TestAnyScenario(t *testing.T) {
	s, _ := base(t, same)
	text := written(t, plain{s})
	for _, says := range []string{"Who takes part", "What is measured", "Why the ranking comes out as it does: because."} {
		if !strings.Contains(text, says) {
			t.Errorf("want %q in\n%s", says, text)
		}
	}
	if strings.Contains(text, "The world") {
		t.Errorf("it knows the world of\n%s", text)
	}
}

// plain hides what kind of a world a scenario is.
type plain struct{ experiment.Scenario }

func (plain) Mechanism() string { return "because." }
