package placement

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/pyrand"
)

// Generator makes random traces: workers of three speeds with one or two of
// three capabilities in three zones, tasks that arrive at a steady rate with
// bursts, and at most one outage per worker.
//
// It draws what the reference draws, in the same order, so that a seed means
// the same trace in both systems.
type Generator struct {
	Workers int // from 1
	Ticks   int // from 1
	// Arrivals per tick, from 0. In a share BurstProbability of the ticks
	// there are BurstMultiplier times as many.
	Arrivals         int
	BurstProbability float64 // from 0 to 1
	BurstMultiplier  int     // from 1
	MaxWork          int     // from 1; work is uniform from 1 to MaxWork
	// Churn is the share of the workers, from 0 to 1, that have an outage; it
	// lasts from OutageMin to OutageMax ticks, but not beyond Ticks.
	Churn                float64
	OutageMin, OutageMax int // from 1
}

// DefaultGenerator returns the reference's defaults. (Its default seed is 42.)
func DefaultGenerator() Generator {
	return Generator{
		Workers: 100, Ticks: 200, Arrivals: 4, BurstProbability: 0.1, BurstMultiplier: 5,
		MaxWork: 8, Churn: 0.1, OutageMin: 3, OutageMax: 20,
	}
}

// Sizes beyond which a generator refuses to work, rather than exhaust the
// memory of the machine.
const (
	maxWorkers = 20_000_000
	maxTasks   = 100_000_000
)

// Validate names the first field that makes no sense.
func (g Generator) Validate() error {
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	switch {
	case g.Workers < 1 || g.Workers > maxWorkers:
		return fieldError("Workers", g.Workers, "must be from 1 to "+strconv.Itoa(maxWorkers))
	case g.Ticks < 1:
		return fieldError("Ticks", g.Ticks, "must be at least 1")
	case g.Arrivals < 0:
		return fieldError("Arrivals", g.Arrivals, "must not be negative")
	case !share(g.BurstProbability):
		return fieldError("BurstProbability", g.BurstProbability, "must be from 0 to 1")
	case g.BurstMultiplier < 1:
		return fieldError("BurstMultiplier", g.BurstMultiplier, "must be at least 1; set BurstProbability to 0 for no bursts")
	case g.MaxWork < 1:
		return fieldError("MaxWork", g.MaxWork, "must be at least 1")
	case !share(g.Churn):
		return fieldError("Churn", g.Churn, "must be from 0 to 1")
	case g.OutageMin < 1:
		return fieldError("OutageMin", g.OutageMin, "must be at least 1; set Churn to 0 for no outages")
	case g.OutageMax < g.OutageMin:
		return fieldError("OutageMax", g.OutageMax, "must be at least OutageMin, which is "+strconv.Itoa(g.OutageMin))
	case g.OutageMax > math.MaxInt-g.Ticks:
		return fieldError("OutageMax", g.OutageMax, "must be smaller: Ticks + OutageMax must fit into 64 bits")
	}
	if expected := float64(g.Ticks) * float64(g.Arrivals) * (1 + float64(g.BurstProbability*float64(g.BurstMultiplier-1))); expected > maxTasks {
		return fieldError("Arrivals", g.Arrivals, "must be smaller: about "+strconv.FormatFloat(expected, 'g', 3, 64)+" tasks are expected, at most "+strconv.Itoa(maxTasks)+" are made")
	}
	if g.Arrivals > 0 && g.Arrivals > maxTasks/g.BurstMultiplier {
		return fieldError("BurstMultiplier", g.BurstMultiplier, "must be smaller: one burst would exceed "+strconv.Itoa(maxTasks)+" tasks")
	}
	return nil
}

// Assumptions lists the parameters, for a scenario's fingerprint.
func (g Generator) Assumptions() experiment.Assumptions {
	var a experiment.Assumptions
	a.Set("generator.workers", g.Workers)
	a.Set("generator.ticks", g.Ticks)
	a.Set("generator.arrivals", g.Arrivals)
	a.Set("generator.burst_probability", g.BurstProbability)
	a.Set("generator.burst_multiplier", g.BurstMultiplier)
	a.Set("generator.max_work", g.MaxWork)
	a.Set("generator.churn", g.Churn)
	a.Set("generator.outage_min", g.OutageMin)
	a.Set("generator.outage_max", g.OutageMax)
	return a
}

// The distributions. Weights are for the items in this order.
var (
	capacities   = []int{1, 2, 4}
	capabilities = []string{"python", "cpu", "gpu"}
	zones        = []string{"zone-a", "zone-b", "zone-c"}
	weights      = pyrand.Cumulative(0.50, 0.35, 0.15)
)

// secondCapability is the probability of one more draw of a capability, which
// may come out the same as the first.
const secondCapability = 0.25

// Trace makes the trace of a seed.
func (g Generator) Trace(seed *big.Int) (*Trace, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if seed == nil {
		return nil, fieldError("seed", "missing", "must be an integer")
	}
	r := pyrand.New(seed)
	t := &Trace{Seed: new(big.Int).Set(seed), Ticks: g.Ticks}
	t.Workers = g.workers(r)
	t.Tasks = g.tasks(r)
	t.Outages = g.outages(r)
	return t, nil
}

func (g Generator) workers(r *pyrand.Rand) []Worker {
	workers := make([]Worker, g.Workers)
	sets := newSets()
	for i := range workers {
		w := &workers[i]
		w.Capacity = capacities[r.Choices(weights)]
		set := 1 << r.Choices(weights)
		if r.Float64() < secondCapability {
			set |= 1 << r.Randrange(len(capabilities))
		}
		w.Zone = zones[r.Randrange(len(zones))]
		if i < len(capabilities) { // each capability exists if there are three workers
			set |= 1 << i
		}
		w.Capabilities = sets[set]
	}
	enumerate(len(workers), "worker-", 6, func(i int, id string) { workers[i].ID = id })
	return workers
}

// newSets returns the sorted names for each set of capabilities, as a bit set.
// The workers share them, but cannot grow them into each other.
func newSets() [8][]string {
	var sets [8][]string
	for set := range sets {
		for i, name := range capabilities {
			if set&(1<<i) != 0 {
				sets[set] = append(sets[set], name)
			}
		}
		slices.Sort(sets[set])
		sets[set] = slices.Clip(sets[set])
	}
	return sets
}

func (g Generator) tasks(r *pyrand.Rand) []Task {
	if g.Arrivals == 0 {
		return nil
	}
	var tasks []Task
	for tick := range g.Ticks {
		n := g.Arrivals
		if r.Float64() < g.BurstProbability {
			n *= g.BurstMultiplier
		}
		for range n {
			tasks = append(tasks, Task{
				Arrival:    tick,
				Work:       r.Randint(1, g.MaxWork),
				Capability: capabilities[r.Choices(weights)],
				Zone:       zones[r.Randrange(len(zones))],
			})
		}
	}
	enumerate(len(tasks), "task-", 8, func(i int, id string) { tasks[i].ID = id })
	return tasks
}

// enumerate makes n ids from 1 on, all in one piece of memory.
func enumerate(n int, prefix string, width int, set func(i int, id string)) {
	buf := make([]byte, 0, n*(len(prefix)+width))
	ends := make([]int, n)
	for i := range n {
		buf = append(buf, prefix...)
		for limit := pow10(width - 1); limit > i+1; limit /= 10 {
			buf = append(buf, '0')
		}
		buf = strconv.AppendInt(buf, int64(i+1), 10)
		ends[i] = len(buf)
	}
	text, start := string(buf), 0
	for i, end := range ends {
		set(i, text[start:end])
		start = end
	}
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

func (g Generator) outages(r *pyrand.Rand) []Outage {
	count := min(g.Workers, int(math.RoundToEven(float64(g.Workers)*g.Churn)))
	if g.Churn > 0 {
		count = max(1, count)
	}
	var outages []Outage
	for _, worker := range r.Sample(nil, g.Workers, count) {
		start := 0
		if g.Ticks > 1 {
			start = r.Randint(1, g.Ticks-1)
		}
		end := min(g.Ticks, start+r.Randint(g.OutageMin, g.OutageMax))
		outages = append(outages, Outage{Worker: worker, Start: start, End: end})
	}
	sortOutages(outages)
	return outages
}

// sortOutages orders them by start, then by worker.
func sortOutages(outages []Outage) {
	slices.SortFunc(outages, func(a, b Outage) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Worker, b.Worker))
	})
}
