package placement

import (
	"context"
	"fmt"

	"github.com/ranktest/ranktest/simtest/fairness"
)

var (
	_ fairness.Tracer     = (*Scenario)(nil)
	_ fairness.Accountant = (*Scenario)(nil)
)

// Exogenous makes one run, and returns the digest of the trace that it used,
// taken after it: all contestants must have been given the same, and none may
// have changed it, which is an error.
func (s *Scenario) Exogenous(ctx context.Context, contestant string, seed uint64) (string, error) {
	t, _, err := s.simulate(ctx, contestant, seed)
	if err != nil {
		return "", err
	}
	digest := t.Digest()
	if digest != t.digest {
		return "", fmt.Errorf("placement: policy %q changed the trace of seed %d: it was %s and is now %s", contestant, seed, t.digest, digest)
	}
	return digest, nil
}

// Laws say what the metrics of a run add up to. Further laws, which the
// metrics do not show, are checked at the end of every run.
func (s *Scenario) Laws() []fairness.Law {
	return []fairness.Law{
		{Left: []string{"tasks_completed", "tasks_unfinished"}, Right: []string{"tasks_total"}},
		{Left: []string{"successful_assignments", "failed_assignments"}, Right: []string{"routing_attempts"}},
		{Left: []string{"failed_no_observed_candidate", "failed_unreachable", "failed_capability_mismatch"}, Right: []string{"failed_assignments"}},
		{Left: []string{"recovered_churn_events", "unrecovered_churn_events"}, Right: []string{"churn_recovery_events"}},
	}
}
