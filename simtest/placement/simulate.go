package placement

import (
	"context"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Result is what came out of one policy on one trace.
type Result struct {
	Policy   string
	Settings Settings
	// Attempts is the number of routing attempts.
	Attempts int
	// Digest names every event of the run and every metric: equal digests,
	// equal runs. It does not cover the trace; see [Trace.Digest].
	Digest string

	metrics []number // like declared
}

// Simulate runs a policy on a trace, which must be valid. It checks what
// [Trace.Validate] does, except that it has no interest in ids. It returns an
// error that says how far it came if ctx ends.
func Simulate(ctx context.Context, t *Trace, policy string, s Settings) (*Result, error) {
	return Observe(ctx, t, policy, s, nil)
}

// Observe is Simulate, and calls observe with every event as it happens.
// observe may be nil.
func Observe(ctx context.Context, t *Trace, policy string, s Settings, observe func(Event)) (*Result, error) {
	e, err := prepare(t, policy, s)
	if err != nil {
		return nil, err
	}
	e.observe = observe
	return e.finish(ctx)
}

func prepare(t *Trace, policy string, s Settings) (*engine, error) {
	p, err := findPolicy(policy)
	if err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	ready, err := prepareTrace(t)
	if err != nil {
		return nil, err
	}
	return ready.start(p, s)
}

func (e *engine) result() *Result {
	r := &Result{Policy: e.policy.name, Settings: e.settings, Attempts: int(e.counts.attempts), metrics: make([]number, len(declared))}
	for i, d := range declared {
		v := d.of(e)
		r.metrics[i] = v
		e.digest.Add(uint64(v.form))
		e.digest.Add(uint64(v.whole))
		e.digest.AddFloat(v.value)
	}
	r.Digest = e.digest.String()
	return r
}

// Values returns the metrics that have a value, by name.
func (r *Result) Values() map[string]float64 {
	values := make(map[string]float64, len(declared))
	for i, d := range declared {
		if v := r.metrics[i]; v.form != 0 {
			values[d.Name] = v.value
		}
	}
	return values
}

// Samples returns the number of values behind each percentile that has a value.
func (r *Result) Samples() map[string]int64 {
	samples := map[string]int64{}
	for i, d := range declared {
		if n := r.metrics[i].sample; n > 0 {
			samples[d.Name] = n
		}
	}
	return samples
}

// Metrics returns the declarations of the metrics, in report order.
func Metrics() []experiment.Metric {
	metrics := make([]experiment.Metric, len(declared))
	for i, d := range declared {
		metrics[i] = d.Metric
	}
	return metrics
}
