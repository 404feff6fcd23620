package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Warning is something that a reader of a ranking should know, with the way
// out of it.
type Warning struct {
	// Metrics are the rows that it is about; none means all.
	Metrics []string
	// What is the case.
	What string
	// Remedy is what to do about it.
	Remedy string
}

// String puts rows, what and remedy into one line.
func (w Warning) String() string {
	text := w.What + "; " + w.Remedy
	if len(w.Metrics) > 0 {
		text = strings.Join(w.Metrics, ", ") + ": " + text
	}
	return text
}

// warnings collects what is to be said about a ranking.
func warnings(r *Result, k *Ranking) []Warning {
	var all []Warning
	for _, c := range r.Contestants {
		if missing := r.Missing(c); len(missing) > 0 {
			all = append(all, Warning{
				What:   fmt.Sprintf("%s has no result on %d of %s (%s)", c, len(missing), count(len(r.Seeds), "seed"), list(missing)),
				Remedy: "rows compare on the seeds that all contestants have; see the errors of the sweep",
			})
		}
		if stalled := stalled(r, c); len(stalled) > 0 {
			all = append(all, Warning{
				What:   fmt.Sprintf("%s came to a standstill on %d of %s (%s)", c, len(stalled), count(len(r.Seeds), "seed"), list(stalled)),
				Remedy: "these runs count as they are, with the work done until then; see the stalls for the state of every resource",
			})
		}
	}
	if n := len(r.Seeds); n < enoughSeeds && slices.ContainsFunc(k.Rows, func(row Row) bool { return len(row.Eligible) > 1 }) {
		what := fmt.Sprintf("%s: too few to separate any but gross differences", count(n, "seed"))
		if n < 2 {
			what = "1 seed: nothing tells a difference from chance, and only the 1 % guard applies"
		}
		all = append(all, Warning{What: what, Remedy: fmt.Sprintf("run %s more, %d or more in all", count(enoughSeeds-n, "seed"), enoughSeeds)})
	}
	return slices.Concat(all, closeExclusions(r, k), shortRows(r, k), smallSamples(r, k))
}

// closeExclusions warns of contestants that the completion gate left out by a
// ratio of means that chance alone may have put below the level: the gate
// itself makes no allowance for chance.
func closeExclusions(r *Result, k *Ranking) []Warning {
	completion := r.Scenario.completion()
	best, most := "", 0.0
	for _, c := range r.Contestants {
		if g, ok := r.Aggregate(c, completion); ok && r.Scenario.Compared(c) && g.Mean > most {
			best, most = c, g.Mean
		}
	}
	var all []Warning
	for i := range k.Rows {
		if len(k.Rows[i].Excluded) == 0 {
			continue
		}
		for _, x := range k.Rows[i].Excluded {
			// How much is missing, seed by seed.
			var missing []float64
			for _, seed := range r.Seeds {
				a, okA := r.Run(best, seed)
				b, okB := r.Run(x.Contestant, seed)
				if okA && okB {
					missing = append(missing, float64(completionLevel*a.Values[completion])-b.Values[completion])
				}
			}
			n := len(missing)
			if n < 2 {
				continue
			}
			mean, stdev := meanStdev(missing)
			if mean <= float64(StudentQuantile(n-1, 1-rowLevel)*stdev)/math.Sqrt(float64(n)) {
				all = append(all, Warning{
					What:   fmt.Sprintf("%s is excluded for %.1f %% of the best %s, which could be chance on %s", x.Contestant, 100*x.Ratio, completion, count(n, "seed")),
					Remedy: "run more seeds, or look at the rows that are not gated",
				})
			}
		}
		break // all gated rows leave out the same
	}
	return all
}

// smallSamples warns of percentiles of samples that are too small to have one:
// below 1/(1-q) values the q-quantile is little more than the largest value.
func smallSamples(r *Result, k *Ranking) []Warning {
	var all []Warning
	for i := range k.Rows {
		row := &k.Rows[i]
		q := row.Metric.Quantile
		if q == 0 || !row.Metric.Directional() {
			continue
		}
		need := int64(math.Ceil(1/(1-q) - 1e-9))
		var small []string
		for _, s := range row.Eligible {
			if least, known := r.smallestSample(s.Contestant, row.Metric.Name); known && least < need {
				small = append(small, fmt.Sprintf("%s has %d", s.Contestant, least))
			}
		}
		if small != nil {
			all = append(all, Warning{
				Metrics: []string{row.Metric.Name},
				What:    fmt.Sprintf("a percentile of a run with fewer than %d values (%s)", need, strings.Join(small, ", ")),
				Remedy:  "give the runs more work, or look at a lower percentile",
			})
		}
	}
	return all
}

// smallestSample returns the size of a contestant's smallest sample behind a
// metric.
func (r *Result) smallestSample(contestant, metric string) (least int64, known bool) {
	for i := range r.Runs {
		if n, ok := r.Runs[i].Samples[metric]; ok && r.Runs[i].Contestant == contestant && (!known || n < least) {
			least, known = n, true
		}
	}
	return least, known
}

// shortRows warns of rows that could not use every seed, those that miss the
// same seeds of the same contestants together.
func shortRows(r *Result, k *Ranking) []Warning {
	runs := map[string]int{}
	for i := range r.Runs {
		runs[r.Runs[i].Contestant]++
	}
	var all []Warning
	for i := range k.Rows {
		row := &k.Rows[i]
		if len(row.Eligible) < 2 || len(row.Seeds) == len(r.Seeds) {
			continue
		}
		var incomplete []string
		for _, s := range row.Eligible {
			n := len(r.Values(s.Contestant, row.Metric.Name))
			if n < runs[s.Contestant] {
				incomplete = append(incomplete, fmt.Sprintf("%s has %d", s.Contestant, n))
			}
		}
		if incomplete == nil {
			continue // only whole runs are missing, which was said above
		}
		w := Warning{
			Metrics: []string{row.Metric.Name},
			What: fmt.Sprintf("compared on the %d of %s on which all that are eligible have a value (%s)",
				len(row.Seeds), count(len(r.Seeds), "seed"), strings.Join(incomplete, ", ")),
			Remedy: "run more seeds, or leave out the contestants that lack values",
		}
		same := slices.IndexFunc(all, func(o Warning) bool { return o.What == w.What })
		if same >= 0 {
			all[same].Metrics = append(all[same].Metrics, row.Metric.Name)
		} else {
			all = append(all, w)
		}
	}
	return all
}

func stalled(r *Result, contestant string) []uint64 {
	var seeds []uint64
	for i := range r.Runs {
		if r.Runs[i].Contestant == contestant && r.Runs[i].Stall != nil {
			seeds = append(seeds, r.Runs[i].Seed)
		}
	}
	return seeds
}

// list writes seeds, not more than a reader will take in.
func list(seeds []uint64) string {
	const most = 5
	var words []string
	for i, s := range seeds {
		if i == most {
			words = append(words, "...")
			break
		}
		words = append(words, fmt.Sprint(s))
	}
	return strings.Join(words, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
