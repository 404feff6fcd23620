package placement

import (
	"math"
	"math/big"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Loaded makes traces with a given offered load: the arrivals per tick follow
// from the capacity that the seed happens to give. Generator.Arrivals is not
// used, and there are no bursts.
type Loaded struct {
	Generator Generator
	// Load is the work that arrives per tick, relative to the capacity of all
	// workers; up to rounding to whole tasks.
	Load float64
	// Peak, at least Load, is the load that the trace is made for; of each
	// tick's arrivals only the first are kept. So traces with the same Peak
	// and a smaller Load are parts of each other.
	Peak float64
}

// Validate names the first field that makes no sense.
func (l Loaded) Validate() error {
	switch {
	case !(l.Load > 0):
		return fieldError("Load", l.Load, "must be positive")
	case !(l.Peak >= l.Load) || math.IsInf(l.Peak, 1):
		return fieldError("Peak", l.Peak, "must be finite and at least Load")
	case l.Generator.BurstProbability != 0:
		return fieldError("BurstProbability", l.Generator.BurstProbability, "must be 0: bursts would change the load")
	}
	most := l.Generator
	if most.Workers > 0 { // before validation
		most.Arrivals = l.arrivals(capacities[len(capacities)-1]*most.Workers, l.Peak)
	}
	return most.Validate()
}

// Assumptions lists all parameters.
func (l Loaded) Assumptions() experiment.Assumptions {
	l.Generator.Arrivals = 0 // not used
	a := l.Generator.Assumptions()
	a.Set("loaded.load", l.Load)
	a.Set("loaded.peak", l.Peak)
	return a
}

// arrivals returns the tasks per tick that offer a load.
func (l Loaded) arrivals(capacity int, load float64) int {
	work := float64(1+l.Generator.MaxWork) / 2 // of a task, in the mean
	return int(min(math.RoundToEven(float64(load*float64(capacity))/work), maxTasks+1))
}

// Trace makes the trace of a seed.
func (l Loaded) Trace(seed *big.Int) (*Trace, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	g := l.Generator
	g.Arrivals = 0
	idle, err := g.Trace(seed)
	if err != nil {
		return nil, err
	}
	capacity := 0
	for i := range idle.Workers {
		capacity += idle.Workers[i].Capacity
	}
	g.Arrivals = l.arrivals(capacity, l.Peak)
	t, err := g.Trace(seed)
	if err != nil {
		return nil, err
	}
	keep, kept := l.arrivals(capacity, l.Load), 0
	for i, task := range t.Tasks {
		if i%g.Arrivals < keep {
			t.Tasks[kept] = task
			kept++
		}
	}
	t.Tasks = t.Tasks[:kept]
	return t, nil
}
