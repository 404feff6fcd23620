package provider

import (
	"maps"
	"slices"
	"sync"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/draws"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// Scenario is a world that can be run.
type Scenario struct {
	world   World
	python  pythonCache
	once    sync.Once
	derived derived
}

// derived is what follows from the world alone, worked out once for all runs.
type derived struct {
	enforced   enforcedCapacity
	popularity *draws.Zipf // of affinity keys, or nil
}

func (s *Scenario) derive() derived {
	s.once.Do(func() {
		s.derived.enforced = newEnforcedCapacity(&s.world)
		if k := s.world.Workload.Keys; k != nil {
			s.derived.popularity = draws.NewZipf(k.Number, k.Skew)
		}
	})
	return s.derived
}

var _ experiment.Scenario = (*Scenario)(nil)

// New checks a world and makes a scenario of it. The error lists everything
// that is wrong, each with the field, its value and what would be right.
func New(w World) (*Scenario, error) {
	if err := w.validate(); err != nil {
		return nil, err
	}
	return &Scenario{world: w.clone()}, nil
}

// World returns a copy of the assumptions, to make another scenario of.
func (s *Scenario) World() World { return s.world.clone() }

// Name returns the world's name.
func (s *Scenario) Name() string { return s.world.Name }

// Summary returns the world's summary.
func (s *Scenario) Summary() string { return s.world.Summary }

// Mechanism returns the world's mechanism.
func (s *Scenario) Mechanism() string { return s.world.Mechanism }

// Contestants returns the specs of the algorithms that take part.
func (s *Scenario) Contestants() []string { return slices.Clone(s.world.Contestants) }

// Unsuited returns the algorithms that this world cannot tell from others.
func (s *Scenario) Unsuited() map[string]string { return maps.Clone(s.world.Unsuited) }

// Metrics returns the declarations that all worlds of this package share.
func (s *Scenario) Metrics() []experiment.Metric { return slices.Clone(metrics) }

// FirstSeed returns the first seed of a sweep that names none.
func (s *Scenario) FirstSeed() uint64 { return s.world.FirstSeed }

// Assumptions lists every field of the world that is not zero.
func (s *Scenario) Assumptions() experiment.Assumptions { return s.world.assumptions() }

// Fingerprint is the digest of the assumptions.
func (s *Scenario) Fingerprint() string { return s.Assumptions().Fingerprint() }

// drawsOf returns what the world rolls with this seed.
func (s *Scenario) drawsOf(seed uint64) worldDraws {
	if s.world.Draws == PythonDraws {
		return s.python.of(&s.world, seed)
	}
	return newKeyedDraws(&s.world, seed)
}

// Adjust returns a scenario with another amount of work, or with other draws.
func (s *Scenario) Adjust(a experiment.Adjustment) (experiment.Scenario, error) {
	w := s.World()
	l := &w.Workload
	if a.Jobs != 0 {
		l.Jobs = a.Jobs
	}
	if a.Concurrency != 0 {
		l.Concurrency = a.Concurrency
	}
	if a.Horizon != 0 {
		l.Horizon = a.Horizon
	}
	if a.Draws != "" {
		w.Draws = Draws(a.Draws)
	}
	return New(w)
}

// CheckContestant reports why a spec is not an algorithm.
func (s *Scenario) CheckContestant(spec string) error {
	_, err := acquire.Parse(spec)
	return err
}
