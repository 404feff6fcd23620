package placement

import (
	"math"
	"math/big"
	"strconv"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Settings of a run: everything but the trace and the policy.
type Settings struct {
	// AvailabilityLag and LoadLag are the ages, in ticks, of what local
	// policies see of other workers' availability and load.
	AvailabilityLag, LoadLag int
	// Drain is the number of ticks after the arrival phase in which what is
	// still pending or queued may finish.
	Drain int
	// PolicySeed seeds the stream that a policy draws from: any integer.
	PolicySeed *big.Int
	// RestartOnChurn says that an evicted task has lost the work that was
	// done on it.
	RestartOnChurn bool
}

// DefaultSettings returns the reference's defaults.
func DefaultSettings() Settings {
	return Settings{AvailabilityLag: 2, LoadLag: 2, Drain: 200, PolicySeed: big.NewInt(1337), RestartOnChurn: true}
}

// Validate names the first field that makes no sense.
func (s Settings) Validate() error {
	switch {
	case s.AvailabilityLag < 0:
		return fieldError("AvailabilityLag", s.AvailabilityLag, "must not be negative")
	case s.LoadLag < 0:
		return fieldError("LoadLag", s.LoadLag, "must not be negative")
	case s.Drain < 0:
		return fieldError("Drain", s.Drain, "must not be negative")
	case s.PolicySeed == nil:
		return fieldError("PolicySeed", "missing", "must be an integer")
	}
	return nil
}

func (s Settings) assume(a *experiment.Assumptions) {
	a.Set("settings.availability_lag", s.AvailabilityLag)
	a.Set("settings.load_lag", s.LoadLag)
	a.Set("settings.drain", s.Drain)
	a.Set("settings.policy_seed", s.PolicySeed)
	a.Set("settings.restart_on_churn", s.RestartOnChurn)
}

// maxIndex bounds the numbers of workers and of tasks.
const maxIndex = 1 << 30

// checkSize refuses what could not be counted in 64 bits.
func checkSize(t *Trace, s Settings) error {
	if n := len(t.Workers); n > maxIndex {
		return fieldError("workers", strconv.Itoa(n)+" workers", "must be at most "+strconv.Itoa(maxIndex))
	}
	if n := len(t.Tasks); n > maxIndex {
		return fieldError("tasks", strconv.Itoa(n)+" tasks", "must be at most "+strconv.Itoa(maxIndex))
	}
	if s.Drain > math.MaxInt-t.Ticks {
		return fieldError("Drain", s.Drain, "must be smaller: ticks + drain must fit into 64 bits")
	}
	horizon := t.Ticks + s.Drain
	var capacity, work int
	for i := range t.Workers {
		c := t.Workers[i].Capacity
		if c > (math.MaxInt/horizon)-capacity {
			return fieldError("workers["+strconv.Itoa(i)+"].capacity", c, "must be smaller: the capacity of all workers over all ticks must fit into 64 bits")
		}
		capacity += c
	}
	for i := range t.Tasks {
		w := t.Tasks[i].Work
		if w > math.MaxInt-work {
			return fieldError("tasks["+strconv.Itoa(i)+"].work_units", w, "must be smaller: the work of all tasks must fit into 64 bits")
		}
		work += w
	}
	if n := len(t.Tasks); n > 0 && horizon > math.MaxInt/n {
		return fieldError("ticks", t.Ticks, "must be smaller: the times of all tasks together must fit into 64 bits")
	}
	return nil
}
