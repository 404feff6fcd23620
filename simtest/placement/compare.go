package placement

import (
	"context"
	"io"
	"maps"
	"slices"
)

// Comparison is several policies on one trace with the same settings, as the
// reference's command makes it.
type Comparison struct {
	Trace    Summary
	Settings Settings
	Results  []*Result
}

// Compare runs the policies, all of them if none is named.
func Compare(ctx context.Context, t *Trace, policies []string, s Settings) (*Comparison, error) {
	if len(policies) == 0 {
		policies = Policies()
	}
	c := &Comparison{Trace: t.Summary(), Settings: s}
	for _, policy := range policies {
		r, err := Simulate(ctx, t, policy, s)
		if err != nil {
			return nil, err
		}
		c.Results = append(c.Results, r)
	}
	return c, nil
}

// experimentName is what the reference calls its own results.
const experimentName = "R2-scheduling-under-churn"

// WriteJSON writes the comparison like the reference's result file: keys
// sorted, indented by two spaces, whole numbers without a point and fractions
// with one, null for a metric without a value.
func (c *Comparison) WriteJSON(w io.Writer) error {
	e := &encoder{out: w, indent: true}
	e.begin('{')
	e.key("experiment")
	e.text(experimentName)
	e.key("policies")
	e.begin('{')
	byName := make(map[string]*Result, len(c.Results))
	for _, r := range c.Results {
		byName[r.Policy] = r
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		e.key(name)
		byName[name].encode(e, c.Trace.Digest)
	}
	e.end('}')
	e.key("run_config")
	c.Settings.encode(e)
	e.key("schema_version")
	e.int(schemaVersion)
	e.key("trace")
	c.Trace.encode(e)
	e.end('}')
	return e.finish()
}

func (r *Result) encode(e *encoder, trace string) {
	e.begin('{')
	e.key("experiment")
	e.text(experimentName)
	e.key("metrics")
	e.begin('{')
	byName := make(map[string]number, len(declared))
	for i, d := range declared {
		byName[d.Name] = r.metrics[i]
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		e.key(name)
		switch v := byName[name]; v.form {
		case 0:
			e.null()
		case 'i':
			e.int(v.whole)
		default:
			e.float(v.value)
		}
	}
	e.end('}')
	e.key("policy")
	e.text(r.Policy)
	e.key("run_config")
	r.Settings.encode(e)
	e.key("schema_version")
	e.int(schemaVersion)
	e.key("trace_digest")
	e.text(trace)
	e.end('}')
}

func (s Settings) encode(e *encoder) {
	e.begin('{')
	e.key("availability_observation_lag")
	e.int(int64(s.AvailabilityLag))
	e.key("drain_ticks")
	e.int(int64(s.Drain))
	e.key("load_observation_lag")
	e.int(int64(s.LoadLag))
	e.key("policy_seed")
	e.big(s.PolicySeed)
	e.key("restart_work_on_churn")
	e.bool(s.RestartOnChurn)
	e.end('}')
}
