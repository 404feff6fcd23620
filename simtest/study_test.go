package simtest_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/draws"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// How do the rules judge contestants that are equal, in a world that is no
// textbook's? Five times backoff, each with jitter of its own: the same law,
// the same world's luck, other runs (an A/A test).
//
// By default this is a small sample of a short world, which only catches what
// is grossly wrong. SIMTEST_STUDY=10000 studies the base scenario on that many
// seeds, which takes some minutes of CPU, and prints the table of the README.

// reseeded is an algorithm whose random numbers are other ones: each is a
// function of the number that it would have had, and of a name.
type reseeded struct {
	acquire.Algorithm
	name string
}

func (a reseeded) Acquire(ctx context.Context, r acquire.Request) (*pool.Lease, error) {
	r.Rand = reseed{r.Rand, a.name}
	return a.Algorithm.Acquire(ctx, r)
}

type reseed struct {
	acquire.Rand
	name string
}

func (r reseed) Float64() float64 {
	s := draws.Of(math.Float64bits(r.Rand.Float64()), r.name).Stream()
	return s.Float64()
}

// equals are the contestants of the study.
var equals = []string{"equal_1", "equal_2", "equal_3", "equal_4", "equal_5"}

// study is how large the study is.
type study struct {
	world *provider.Scenario
	seeds int
}

func newStudy(t *testing.T) study {
	t.Helper()
	for _, name := range equals {
		register(t, name, reseeded{parsed("backoff"), name})
	}
	base, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	w := base.(*provider.Scenario).World()
	w.Contestants, w.Unsuited = equals, nil
	s := study{seeds: 300}
	if text := os.Getenv("SIMTEST_STUDY"); text != "" {
		if s.seeds, err = strconv.Atoi(text); err != nil || s.seeds < 30 {
			t.Fatalf("SIMTEST_STUDY=%q: must be a number of seeds, from 30", text)
		}
	} else {
		w.Workload.Horizon = 30 * time.Second
	}
	if s.world, err = provider.New(w); err != nil {
		t.Fatal(err)
	}
	return s
}

// block sweeps the k-th thirty seeds.
func (s study) block(t *testing.T, k int) *experiment.Result {
	t.Helper()
	o := experiment.Options{WallBudget: 24 * time.Hour}
	for i := range uint64(30) {
		o.Seeds = append(o.Seeds, 1+uint64(k)*30+i)
	}
	r, err := experiment.Sweep(t.Context(), s.world, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// part is a sweep of some of the contestants on some of the seeds.
func part(r *experiment.Result, contestants []string, seeds []uint64) *experiment.Result {
	p := &experiment.Result{Scenario: r.Scenario, Contestants: contestants, Seeds: seeds}
	for _, run := range r.Runs {
		if slices.Contains(contestants, run.Contestant) && slices.Contains(seeds, run.Seed) {
			p.Runs = append(p.Runs, run)
		}
	}
	return p
}

// tally counts sweeps by what a rule made of equals.
type tally struct {
	rule               experiment.Rule
	contestants, seeds int
	sweeps             int
	separated          map[string]int // by row: somebody lost
	decided            map[string]int // by row: it has winners
	anywhere           int            // somebody lost in some row
	excluded           int            // somebody was left out by the completion gate
}

func (c *tally) add(t *testing.T, r *experiment.Result) {
	t.Helper()
	ranking, err := experiment.Rank(r, c.rule)
	if err != nil {
		t.Fatal(err)
	}
	c.sweeps++
	anywhere, excluded := false, false
	for _, row := range ranking.Rows {
		excluded = excluded || len(row.Excluded) > 0
		if row.Verdict != experiment.Decided {
			continue
		}
		c.decided[row.Metric.Name]++
		if len(row.Winners) < len(row.Eligible) {
			c.separated[row.Metric.Name]++
			anywhere = true
		}
	}
	if anywhere {
		c.anywhere++
	}
	if excluded {
		c.excluded++
	}
}

// between is the exact interval (Clopper and Pearson 1934) of the probability
// of what was seen x times in n, in per cent, that misses with probability p.
func between(x, n int, p float64) (lo, hi float64) {
	lo, hi = 0, 100
	if x > 0 {
		lo = 100 * distuv.Beta{Alpha: float64(x), Beta: float64(n - x + 1)}.Quantile(p/2)
	}
	if x < n {
		hi = 100 * distuv.Beta{Alpha: float64(x + 1), Beta: float64(n - x)}.Quantile(1-p/2)
	}
	return lo, hi
}

func share(x, n int) string {
	lo, hi := between(x, n, 0.05)
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*float64(x)/float64(n), lo, hi)
}

func TestEqualsInTheBaseScenario(t *testing.T) {
	s := newStudy(t)
	var tallies []*tally
	for _, k := range []int{5, 2} {
		for _, n := range []int{3, 10, 30} {
			for _, rule := range []experiment.Rule{experiment.Calibrated, experiment.Reference} {
				tallies = append(tallies, &tally{rule: rule, contestants: k, seeds: n, separated: map[string]int{}, decided: map[string]int{}})
			}
		}
	}
	jobs := make([][]float64, len(equals)) // by contestant, seed by seed
	differ := 0
	for k := range s.seeds / 30 {
		block := s.block(t, k)
		for c, name := range equals {
			jobs[c] = append(jobs[c], block.Values(name, "jobs_done")...)
		}
		for _, seed := range block.Seeds {
			a, _ := block.Run(equals[0], seed)
			if b, _ := block.Run(equals[1], seed); a.Digest != b.Digest {
				differ++
			}
		}
		for _, c := range tallies {
			for at := 0; at < 30; at += c.seeds {
				if at+c.seeds <= 30 {
					c.add(t, part(block, equals[:c.contestants], block.Seeds[at:at+c.seeds]))
				}
			}
		}
	}
	if differ < s.seeds/30*30*9/10 {
		t.Errorf("equal_1 and equal_2 ran differently on %d of %d seeds only: that compares runs with themselves", differ, s.seeds)
	}
	for _, c := range tallies {
		var worst, jobsDone string
		most, sum, rows := -1.0, 0.0, 0
		for _, m := range s.world.Metrics() {
			n := c.decided[m.Name]
			if n == 0 {
				continue
			}
			x := c.separated[m.Name]
			rate := float64(x) / float64(n)
			sum, rows = sum+rate, rows+1
			if rate > most {
				most, worst = rate, m.Name+" "+share(x, n)
			}
			if m.Name == "jobs_done" {
				jobsDone = share(x, n)
			}
			// Of some hundred intervals, one of 95 % would miss by chance.
			if lo, _ := between(x, n, 0.001); c.rule == experiment.Calibrated && lo > 5 {
				t.Errorf("%d equals on %d seeds: %s: somebody is separated in %s of %d sweeps, which is more than 5 %%", c.contestants, c.seeds, m.Name, share(x, n), n)
			}
		}
		t.Logf("%s, %d equals, %2d seeds, %5d sweeps: somebody separated: jobs_done %s; most in %s; mean of rows %.1f %%; in any row %s; gate excludes somebody in %s",
			c.rule, c.contestants, c.seeds, c.sweeps, jobsDone, worst, 100*sum/float64(rows), share(c.anywhere, c.sweeps), share(c.excluded, c.sweeps))
	}
	s.power(t, jobs)
}
