package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// Run is the result of one contestant on one seed.
type Run struct {
	Contestant string `json:"contestant"`
	Seed       uint64 `json:"seed,string"`
	// Values holds the metrics by name. All are finite; a metric without a
	// value in this run (a percentile of nothing, say) is absent.
	Values map[string]float64 `json:"values"`
	// Samples holds the sizes of the samples behind metrics with a Quantile,
	// by metric; one that is absent is not checked.
	Samples map[string]int64 `json:"samples,omitempty"`
	// Iterations counts the units of work that a micro-benchmark would call
	// iterations (requests, routing attempts): benchstat's second column.
	Iterations int64 `json:"iterations"`
	// Counts are further tallies by group and key, for people: for example
	// "error_classes" -> "rate_limit" -> 12.
	Counts map[string]map[string]int64 `json:"counts,omitempty"`
	// Digest names everything that happened: equal digests, equal runs. If a
	// scenario leaves it empty, Sweep fills in a digest of the values.
	Digest string `json:"digest"`
	// Stall is set if the run ended because nothing could go on any more.
	Stall *Stall `json:"stall,omitempty"`
	// Wall is the real time that the run took. It is no result.
	Wall time.Duration `json:"wall_ns,omitempty"`
}

// Stall says when and in which state a run came to a standstill.
type Stall struct {
	// At is the simulated time since the start of the run.
	At time.Duration `json:"at_ns"`
	// Why is one sentence.
	Why string `json:"why"`
	// Tasks names every parked task and what it waits for.
	Tasks []string `json:"tasks,omitempty"`
	// Resources names every resource with its state.
	Resources []string `json:"resources,omitempty"`
}

// maxValue bounds the magnitude of a metric's value, so that no sum of
// squares over a sweep, and no value in another unit, can become infinite.
const maxValue = 1e150

// CheckRun reports what is wrong with a run of this scenario: a value that was
// not declared or is not finite, no value of the completion metric, a negative
// count.
func (d Description) CheckRun(r Run) error {
	declared := 0
	for _, m := range d.Metrics {
		v, ok := r.Values[m.Name]
		switch {
		case ok && (math.IsNaN(v) || math.Abs(v) > maxValue):
			return fmt.Errorf("metric %q: value %v: must be finite and at most %g in magnitude; leave the metric out if it has no value", m.Name, v, float64(maxValue))
		case !ok && m.Completion:
			return fmt.Errorf("metric %q: absent: the completion metric must have a value in every run", m.Name)
		case ok:
			declared++
		}
	}
	if declared < len(r.Values) {
		for _, name := range slices.Sorted(maps.Keys(r.Values)) {
			if _, ok := d.Metric(name); !ok {
				return fmt.Errorf("metric %q: has a value, but the scenario does not declare it", name)
			}
		}
	}
	if r.Iterations < 0 {
		return fmt.Errorf("iterations %d: must not be negative", r.Iterations)
	}
	if r.Stall != nil && r.Stall.At < 0 {
		return fmt.Errorf("stalled at %v: must not be negative", r.Stall.At)
	}
	return nil
}

// valuesDigest stands in for the digest of a scenario that keeps none: it
// covers the values that may not differ between two runs.
func (d Description) valuesDigest(r Run) string {
	var h Digest
	for _, m := range d.Metrics {
		if v, ok := r.Values[m.Name]; ok && !m.Volatile {
			h.AddString(m.Name)
			h.AddFloat(v)
		}
	}
	h.Add(uint64(r.Iterations))
	if r.Stall != nil {
		h.AddString(r.Stall.Why)
		h.Add(uint64(r.Stall.At))
	}
	return "values-" + h.String()
}

// value returns a metric's value; a missing run has none.
func (r *Run) value(metric string) (float64, bool) {
	if r == nil {
		return 0, false
	}
	v, ok := r.Values[metric]
	return v, ok
}
