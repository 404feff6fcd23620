package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// entered returns the scenarios as the flags want them. Of those that were
// named every one must fit the flags; of all, those that do are run.
func (a *App) entered(s *runSettings, names []string) ([]experiment.Scenario, error) {
	all, err := a.scenarios(names)
	if err != nil {
		return nil, err
	}
	var fitting []experiment.Scenario
	var errs []error
	var left []string
	for _, scenario := range all {
		adjusted, err := s.adjust(scenario)
		for _, c := range s.algorithms {
			if err == nil {
				err = checkContestant(adjusted, c)
			}
		}
		if err != nil {
			errs, left = append(errs, err), append(left, scenario.Name())
			continue
		}
		fitting = append(fitting, adjusted)
	}
	if len(errs) > 0 && (len(names) > 0 || len(fitting) == 0) {
		return nil, errors.Join(errs...)
	}
	if len(left) > 0 {
		a.note("left out, since the flags do not fit: %s", strings.Join(left, ", "))
		a.note("  the first of them: %v", errs[0])
	}
	return fitting, nil
}

// sweep runs a scenario. Both a result and an error mean that some of the runs
// have none.
func (a *App) sweep(ctx context.Context, s *runSettings, scenario experiment.Scenario) (*reports.Result, error) {
	first := s.firstSeed
	if s.ownFirstSeed {
		first = firstSeed(scenario)
	}
	o := experiment.Options{Contestants: s.algorithms, WallBudget: s.wallBudget, Parallel: s.parallel}
	for i := range uint64(s.seeds) {
		o.Seeds = append(o.Seeds, first+i)
	}
	contestants := len(s.algorithms)
	if contestants == 0 {
		contestants = len(scenario.Contestants())
	}
	p := startProgress(a.Stderr, scenario.Name(), contestants*s.seeds)
	o.Progress = func(at experiment.Progress) { p.set(at.Done) }
	swept, err := experiment.Sweep(ctx, scenario, o)
	p.end()
	if swept == nil {
		return nil, err
	}
	var partial []string
	if ctx.Err() != nil && !swept.Complete() {
		partial = append(partial, "interrupted")
	}
	if err != nil {
		err = finding{brief(err, context.Cause(ctx))}
	}
	if len(swept.Runs) == 0 {
		return nil, err
	}
	result, wrong := reports.New(swept, reports.Provenance{Rule: experiment.Rule(s.rule), Draws: s.draws, Partial: partial})
	if wrong != nil {
		return nil, finding{errors.Join(err, wrong)}
	}
	return result, err
}

// brief leaves the first few of many errors, and of those that only say that
// the context has ended none.
func brief(err, cause error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	const most = 3
	var kept []error
	more := 0
	for _, e := range joined.Unwrap() {
		_, ofRun := errors.AsType[*experiment.RunError](e)
		switch {
		case ofRun && cause != nil && errors.Is(e, cause):
		case ofRun && len(kept) >= most:
			more++
		default:
			kept = append(kept, e)
		}
	}
	if more > 0 {
		kept = append(kept, fmt.Errorf("and %d more like these", more))
	}
	return errors.Join(kept...)
}
