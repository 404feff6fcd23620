package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// pair finds what both reports have, and notes what they have not.
func (c *Comparison) pair(before, now []*Result) {
	for _, a := range before {
		b := findScenario(now, a.Sweep.Scenario.Name)
		if b == nil {
			c.unpaired("%s: the scenario is in the old report only", a.Sweep.Scenario.Name)
			continue
		}
		c.Scenarios = append(c.Scenarios, c.pairScenario(a, b))
	}
	for _, b := range now {
		if findScenario(before, b.Sweep.Scenario.Name) == nil {
			c.unpaired("%s: the scenario is in the new report only", b.Sweep.Scenario.Name)
		}
	}
}

func (c *Comparison) unpaired(format string, args ...any) {
	c.Unpaired = append(c.Unpaired, fmt.Sprintf(format, args...))
}

func findScenario(results []*Result, name string) *Result {
	i := slices.IndexFunc(results, func(r *Result) bool { return r.Sweep.Scenario.Name == name })
	if i < 0 {
		return nil
	}
	return results[i]
}

func (c *Comparison) pairScenario(a, b *Result) ScenarioComparison {
	name := a.Sweep.Scenario.Name
	c.worlds(a, b)
	s := ScenarioComparison{
		Scenario:    name,
		Seeds:       both(a.Sweep.Seeds, b.Sweep.Seeds),
		Contestants: both(a.Sweep.Contestants, b.Sweep.Contestants),
	}
	c.sides(name+": seeds", formatSeeds(onlyIn(a.Sweep.Seeds, b.Sweep.Seeds)), formatSeeds(onlyIn(b.Sweep.Seeds, a.Sweep.Seeds)))
	c.sides(name+": contestants", strings.Join(onlyIn(a.Sweep.Contestants, b.Sweep.Contestants), ", "),
		strings.Join(onlyIn(b.Sweep.Contestants, a.Sweep.Contestants), ", "))
	metrics := c.pairMetrics(name, a.Sweep.Scenario.Metrics, b.Sweep.Scenario.Metrics)
	for _, contestant := range s.Contestants {
		old, new := runsOf(a, contestant), runsOf(b, contestant)
		ranOld, ranNew := present(s.Seeds, old), present(s.Seeds, new)
		c.sides(name+": runs of "+contestant, formatSeeds(onlyIn(ranOld, ranNew)), formatSeeds(onlyIn(ranNew, ranOld)))
		c.sides(name+": standstills of "+contestant, formatSeeds(onlyIn(stalled(ranOld, old), stalled(ranNew, new))),
			formatSeeds(onlyIn(stalled(ranNew, new), stalled(ranOld, old))))
		for _, m := range metrics {
			var before, now []float64
			var onlyOld, onlyNew []uint64
			for _, seed := range both(ranOld, ranNew) {
				x, had := old[seed].Values[m.Name]
				y, has := new[seed].Values[m.Name]
				switch {
				case had && has:
					before, now = append(before, x), append(now, y)
				case had:
					onlyOld = append(onlyOld, seed)
				case has:
					onlyNew = append(onlyNew, seed)
				}
			}
			c.sides(name+": values of "+contestant+" in "+m.Name, formatSeeds(onlyOld), formatSeeds(onlyNew))
			if len(before) > 0 {
				s.Changes = append(s.Changes, newChange(contestant, m, before, now))
			}
		}
	}
	return s
}

// worlds notes in what the two reports differ as a whole.
func (c *Comparison) worlds(a, b *Result) {
	name := a.Sweep.Scenario.Name
	if x, y := a.Sweep.Scenario.Fingerprint, b.Sweep.Scenario.Fingerprint; x != y {
		c.unpaired("%s: the assumptions differ (fingerprints %.12s and %.12s): what changed may be the world, and not the contestants", name, x, y)
	}
	if a.Draws != b.Draws {
		c.unpaired("%s: the draws differ (%s and %s): the same seed is not the same luck", name, a.Draws, b.Draws)
	}
	for _, side := range []struct {
		which string
		r     *Result
	}{{"old", a}, {"new", b}} {
		for _, why := range side.r.Partial {
			c.unpaired("%s: the %s report is partial: %s", name, side.which, why)
		}
	}
}

// pairMetrics returns the metrics that mean the same in both.
func (c *Comparison) pairMetrics(name string, a, b []experiment.Metric) []experiment.Metric {
	var common []experiment.Metric
	var onlyOld, onlyNew []string
	for _, m := range a {
		i := slices.IndexFunc(b, func(o experiment.Metric) bool { return o.Name == m.Name })
		switch {
		case m.Volatile:
		case i < 0:
			onlyOld = append(onlyOld, m.Name)
		case b[i].Better != m.Better:
			c.unpaired("%s: metric %s: better was %v and is %v", name, m.Name, m.Better, b[i].Better)
		case b[i].Unit != m.Unit:
			c.unpaired("%s: metric %s: the unit was %s and is %s", name, m.Name, m.Unit, b[i].Unit)
		default:
			common = append(common, b[i])
		}
	}
	for _, m := range b {
		if !m.Volatile && !slices.ContainsFunc(a, func(o experiment.Metric) bool { return o.Name == m.Name }) {
			onlyNew = append(onlyNew, m.Name)
		}
	}
	c.sides(name+": metrics", strings.Join(onlyOld, ", "), strings.Join(onlyNew, ", "))
	return common
}

// sides notes what only the old, or only the new report has; empty is nothing.
func (c *Comparison) sides(what, onlyOld, onlyNew string) {
	if onlyOld != "" {
		c.unpaired("%s in the old report only: %s", what, onlyOld)
	}
	if onlyNew != "" {
		c.unpaired("%s in the new report only: %s", what, onlyNew)
	}
}

func both[T comparable](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return !slices.Contains(b, x) })
}

func onlyIn[T comparable](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return slices.Contains(b, x) })
}

// runsOf are a contestant's runs by seed.
func runsOf(r *Result, contestant string) map[uint64]experiment.Run {
	runs := map[uint64]experiment.Run{}
	for _, run := range r.Sweep.Runs {
		if run.Contestant == contestant {
			runs[run.Seed] = run
		}
	}
	return runs
}

// stalled are the seeds on which the run came to a standstill.
func stalled(seeds []uint64, runs map[uint64]experiment.Run) []uint64 {
	return slices.DeleteFunc(slices.Clone(seeds), func(s uint64) bool { return runs[s].Stall == nil })
}

// present are the seeds that have a run.
func present(seeds []uint64, runs map[uint64]experiment.Run) []uint64 {
	return slices.DeleteFunc(slices.Clone(seeds), func(s uint64) bool { _, ok := runs[s]; return !ok })
}
