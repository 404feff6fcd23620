package placement

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Scenario is a world that can be run: one trace per seed, and the policies on
// it.
type Scenario struct {
	world  World
	traces keeper
}

var (
	_ experiment.Scenario   = (*Scenario)(nil)
	_ experiment.Adjustable = (*Scenario)(nil)
	_ experiment.Referencer = (*Scenario)(nil)
	_ experiment.Explained  = (*Scenario)(nil)
	_ experiment.Assuming   = (*Scenario)(nil)
	_ experiment.Entrant    = (*Scenario)(nil)
	_ experiment.Seeded     = (*Scenario)(nil)
)

// New checks a world and makes a scenario of it.
func New(w World) (*Scenario, error) {
	if w.Source == nil {
		return nil, fieldError("Source", "missing", "must be a source of traces")
	}
	if err := w.Source.Validate(); err != nil {
		return nil, err
	}
	if err := w.Settings.Validate(); err != nil {
		return nil, err
	}
	w.Settings.PolicySeed = new(big.Int).Set(w.Settings.PolicySeed)
	return &Scenario{world: w}, nil
}

// Name returns the world's name.
func (s *Scenario) Name() string { return s.world.Name }

// Summary returns the world's summary.
func (s *Scenario) Summary() string { return s.world.Summary }

// Mechanism returns why the ranking comes out as it does.
func (s *Scenario) Mechanism() string { return s.world.Mechanism }

// FirstSeed returns the first seed of a sweep that names none.
func (s *Scenario) FirstSeed() uint64 { return s.world.FirstSeed }

// Contestants returns the names of all policies.
func (s *Scenario) Contestants() []string { return Policies() }

// Unsuited returns nothing: every policy can be exercised in every world.
func (s *Scenario) Unsuited() map[string]string { return nil }

// References returns the oracle: it is shown, but never crowned and never a
// baseline.
func (s *Scenario) References() map[string]string {
	return map[string]string{Oracle: "it sees the current load and availability of every worker, which no real scheduler can"}
}

// CheckContestant returns nil if there is a policy of that name, else an error
// that lists them.
func (s *Scenario) CheckContestant(name string) error {
	_, err := findPolicy(name)
	return err
}

// Metrics returns the declarations that all worlds of this package share.
func (s *Scenario) Metrics() []experiment.Metric { return Metrics() }

// Assumptions lists everything that the world takes for granted.
func (s *Scenario) Assumptions() experiment.Assumptions {
	a := s.world.Source.Assumptions()
	s.world.Settings.assume(&a)
	a.Set("settings.policy_seed_fixed", s.world.FixedPolicySeed)
	return a
}

// Fingerprint is the digest of the assumptions.
func (s *Scenario) Fingerprint() string { return s.Assumptions().Fingerprint() }

// Run makes one run.
func (s *Scenario) Run(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
	t, r, err := s.simulate(ctx, contestant, seed)
	if err != nil {
		return experiment.Run{}, err
	}
	var digest experiment.Digest
	digest.AddString(t.digest)
	digest.AddString(r.Digest)
	return experiment.Run{
		Contestant: contestant, Seed: seed, Values: r.Values(), Samples: r.Samples(), Iterations: int64(r.Attempts), Digest: digest.String(),
	}, nil
}

// Adjust returns the scenario as it is if it is asked for the reference's draws
// ("python"), which are its own, and else an error: how much work there is, for
// how many workers and how long, is what its traces are about.
func (s *Scenario) Adjust(a experiment.Adjustment) (experiment.Scenario, error) {
	refused := func(field string, value any, want string) (experiment.Scenario, error) {
		return nil, fmt.Errorf("placement: scenario %q: field %q: %v: %s", s.Name(), field, value, want)
	}
	switch {
	case a.Jobs != 0:
		return refused("Jobs", a.Jobs, "must be left out: the trace of a seed says which tasks there are")
	case a.Concurrency != 0:
		return refused("Concurrency", a.Concurrency, "must be left out: the trace of a seed says which workers there are")
	case a.Horizon != 0:
		return refused("Horizon", a.Horizon, "must be left out: time is in ticks here, and the trace of a seed says how many there are")
	case a.Draws != "" && a.Draws != "default" && a.Draws != "python":
		return refused("Draws", a.Draws, "must be default or python; both are the reference's generator, MT19937")
	}
	return s, nil
}

// Trace makes the trace of a seed. It is the caller's own: changing it changes
// no run.
func (s *Scenario) Trace(seed uint64) (*Trace, error) {
	return s.world.Source.Trace(new(big.Int).SetUint64(seed))
}

// Settings returns the settings of the runs of a seed.
func (s *Scenario) Settings(seed uint64) Settings {
	settings := s.world.Settings
	settings.PolicySeed = new(big.Int).Set(settings.PolicySeed)
	if !s.world.FixedPolicySeed {
		settings.PolicySeed.Add(settings.PolicySeed, new(big.Int).SetUint64(seed))
	}
	return settings
}

func (s *Scenario) simulate(ctx context.Context, contestant string, seed uint64) (named, *Result, error) {
	p, err := findPolicy(contestant)
	if err != nil {
		return named{}, nil, err
	}
	t, err := s.traces.of(seed, s.Trace)
	if err != nil {
		return named{}, nil, err
	}
	e, err := t.start(p, s.Settings(seed))
	if err != nil {
		return named{}, nil, err
	}
	r, err := e.finish(ctx)
	return t, r, err
}
