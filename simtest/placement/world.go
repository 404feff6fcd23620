package placement

import "fmt"

// World writes down everything that a scenario of this package assumes.
type World struct {
	Name, Summary string
	// Mechanism says in a sentence or two why the ranking comes out as it does.
	Mechanism string
	Source    Source
	// Settings of every run. The policy seed of a run is Settings.PolicySeed
	// plus the run's seed, so that seeds vary the policies' luck too, unless
	// FixedPolicySeed says that it is the same for all.
	Settings        Settings
	FixedPolicySeed bool
	// FirstSeed of a sweep that names none.
	FirstSeed uint64
}

// Documented is the example that the reference documents: 1,000 workers that
// are nearly idle (about 2.7 % load). Seed 42 reproduces its numbers.
func Documented() World {
	g := DefaultGenerator()
	g.Workers, g.Ticks, g.Arrivals = 1000, 500, 8
	s := DefaultSettings()
	s.AvailabilityLag, s.LoadLag = 3, 3
	return World{
		Name:      "placement_documented",
		Summary:   "1,000 workers at 2.7 % load, 10 % churn, views 3 ticks old: the reference's documented example",
		Mechanism: "Nearly everybody is idle, so more choices find no shorter queue. What tells the policies apart is whether they know who is able: three of five blind choices lack the capability, and each of them costs a tick.",
		Source:    g, Settings: s, FixedPolicySeed: true, FirstSeed: 42,
	}
}

// The scale study: how regimes compare as the population grows, from three
// workers on, with which every capability exists.

// Fresh is a population without churn, seen without lag, with few bursts.
func Fresh(workers int) World {
	w := regime("fresh", workers, 0, 0, 0.05, 3)
	w.Mechanism = "Small bursts leave somebody able idle even among ten, and whoever asks two of the able finds him nearly as often as a scan does. Blind choices lose a tick each time they miss."
	if workers >= large {
		w.Mechanism = "Nearly everybody is idle, so the first able worker is as good as any: two probes with a directory do what a scan of thousands does, and blind choices lose a tick each time they miss."
	}
	return w
}

// Moderate has some of each.
func Moderate(workers int) World {
	w := regime("moderate", workers, 0.10, 2, 0.10, 5)
	w.Mechanism = "Fivefold bursts fill ten workers, and views two ticks old hide from a local policy what it did to them a moment ago: a directory still helps, but the one who sees the present is well ahead."
	if workers >= large {
		w.Mechanism = "Nearly everybody is idle, so old loads mislead nobody, and old availability sends fewer than one task in a hundred to a worker that has gone, at the cost of a tick: two probes with a directory stay close to a scan."
	}
	return w
}

// Stale has much of each.
func Stale(workers int) World {
	w := regime("stale", workers, 0.20, 5, 0.20, 8)
	w.Mechanism = "Eightfold bursts fill ten workers, and for five ticks everybody sends to those who were idle before the burst: the best of what was is no good choice, and knowing who is able does not make up for it."
	if workers >= large {
		w.Mechanism = "Even eightfold bursts leave nearly everybody idle, so views five ticks old cost little: one task in thirty goes to a worker that has gone, and two probes with a directory stay close to a scan."
	}
	return w
}

// large is the population from which on the regimes' bursts leave nearly
// everybody idle.
const large = 100

func regime(name string, workers int, churn float64, lag int, burst float64, multiplier int) World {
	g := Generator{
		Workers: workers, Ticks: 30, Arrivals: min(max((workers+999)/1000, 1), 100),
		BurstProbability: burst, BurstMultiplier: multiplier, MaxWork: 8, Churn: churn, OutageMin: 3, OutageMax: 15,
	}
	s := DefaultSettings()
	s.AvailabilityLag, s.LoadLag, s.Drain = lag, lag, 250
	views := "current views"
	if lag > 0 {
		views = fmt.Sprintf("views %d ticks old", lag)
	}
	return World{
		Name: fmt.Sprintf("placement_%s_%d", name, workers),
		Summary: fmt.Sprintf("%d workers, %g %% churn, %s, %g %% of ticks with %d-fold bursts",
			workers, 100*churn, views, 100*burst, multiplier),
		Source: g, Settings: s, FirstSeed: 41,
	}
}

// The rarity study: what a capability directory is worth.

// RareCapability has 1,000 nearly idle workers, of which so many can do the
// tasks.
func RareCapability(able int) World {
	g := DefaultGenerator()
	g.Workers, g.Ticks, g.Arrivals, g.MaxWork = 1000, 100, 1, 1
	g.BurstProbability, g.Churn = 0, 0
	blind := "nearly everybody is idle, and loads say nothing about ability"
	if able < 100 {
		blind = "of the idle they take the first in order, and an able worker further back is passed over"
	}
	return World{
		Name:      fmt.Sprintf("placement_rare_%d", able),
		Summary:   fmt.Sprintf("1,000 workers, of which %d can do the tasks: one unit task per tick, no churn, no lag", able),
		Mechanism: fmt.Sprintf("One worker in %d is able, and a blind task asks once a tick. More choices do not help: %s. A directory finds an able worker at once.", 1000/max(able, 1), blind),
		Source:    Rare{Generator: g, Capability: "rare-capability", Able: able},
		Settings:  Settings{Drain: 250, PolicySeed: DefaultSettings().PolicySeed, RestartOnChurn: true},
		FirstSeed: 41,
	}
}

// OneAble is deliberately bad for local policies: one worker of 100 can do the
// tasks, and is busy most of the time. Taking the less loaded of two then means
// to avoid it: without a directory, two choices are worse than one.
func OneAble() World {
	w := RareCapability(1)
	rare := w.Source.(Rare)
	rare.Generator.Workers, rare.Generator.MaxWork = 100, 4
	w.Source = rare
	w.Name = "placement_one_able"
	w.Summary = "100 workers, of which one can do the tasks, more than it can serve at once: one task of 1 to 4 units per tick"
	w.Mechanism = "The able worker is busy and all others are idle, so the less loaded of two or three random workers is hardly ever the able one: choice starves the only worker that counts. With a directory there is no choice to make, and it is the oracle."
	w.Settings.Drain = 200
	return w
}

// The factor study: one thing at a time, 100 workers at high load.

// AvailabilityLag has 20 % churn at load 0.85, and an old view of who is online.
func AvailabilityLag(ticks int) World {
	w := aged(fmt.Sprintf("availability_lag_%d", ticks), fmt.Sprintf("availability seen %d ticks late, loads at once", ticks), ticks)
	if ticks > 0 {
		w.Mechanism = "An old view of availability costs attempts: tasks are sent to workers that have gone, and come back a tick later. It hardly costs time, since few workers change at once."
	}
	w.Settings.AvailabilityLag = ticks
	return w
}

// LoadLag is the same with an old view of loads.
func LoadLag(ticks int) World {
	w := aged(fmt.Sprintf("load_lag_%d", ticks), fmt.Sprintf("loads seen %d ticks late, availability at once", ticks), ticks)
	if ticks > 0 {
		w.Mechanism = "Tasks are sent to those who were idle some ticks ago, and the more choices, the more tasks agree on whom: herding. It fails no attempt and makes queues, so with old loads a third choice stops helping, and then hurts."
	}
	w.Settings.LoadLag = ticks
	return w
}

// aged is the world in which one view gets older, before it does.
func aged(name, views string, ticks int) World {
	if ticks == 0 {
		views = "everything seen at once"
	}
	w := factor(name, "load 0.85, 20 % churn, "+views, 0.85, 0.20)
	w.Mechanism = "Everything is seen as it is, and still two able workers are often both busy while a third is idle: at this load choices are missing, not news. So a third choice pays, even a blind one."
	return w
}

// OfferedLoad has no churn and no lag, and part of a trace that was made for
// load 1.25.
func OfferedLoad(load float64) World {
	w := factor(fmt.Sprintf("offered_load_%03.0f", 100*load), fmt.Sprintf("load %g, no churn, no lag", load), load, 0)
	loaded := w.Source.(Loaded)
	w.Mechanism = "With spare capacity two choices find an idle worker nearly as often as a scan does."
	switch {
	case load > 1:
		w.Mechanism = "There is more work than capacity, so queues grow whoever chooses, and the oracle's lead shrinks: of nearly equal queues the shortest is not much shorter. Three blind choices spread the work as well as two that know."
	case load > 0.5:
		w.Mechanism = "Near saturation the idle workers are few: two choices often miss them, and only who sees all finds them. More choices pay, even blind ones."
	}
	loaded.Peak = max(load, 1.25)
	w.Source = loaded
	return w
}

// Independent has 20 of 100 workers fail independently of each other.
func Independent() World {
	w := factor("independent_outages", "load 0.75, 20 of 100 workers fail for 6 ticks, each at a time of its own", 0.75, 0)
	w.Mechanism = "Outages at different times take away four per cent of the capacity at any time, which the spare quarter covers: whoever is thrown out finds another worker in the same tick."
	w.Source = Failing{Source: w.Source, Workers: 20, Ticks: 6}
	return w
}

// Regional has 20 workers of one zone fail at once.
func Regional() World {
	w := factor("regional_outage", "load 0.75, 20 of 100 workers, all in one zone, fail for 6 ticks at once", 0.75, 0)
	w.Mechanism = "A fifth of the workers goes at once and throws out its queues, so the backlog jumps; the rest has just enough capacity to carry the load meanwhile, and all is made good within a few ticks."
	w.Source = Failing{Source: w.Source, Workers: 20, Ticks: 6, Regional: true}
	return w
}

func factor(name, summary string, load, churn float64) World {
	g := Generator{Workers: 100, Ticks: 30, BurstMultiplier: 1, MaxWork: 4, Churn: churn, OutageMin: 6, OutageMax: 6}
	return World{
		Name: "placement_" + name, Summary: "100 workers at " + summary,
		Source:    Loaded{Generator: g, Load: load, Peak: load},
		Settings:  Settings{Drain: 300, PolicySeed: DefaultSettings().PolicySeed, RestartOnChurn: true},
		FirstSeed: 41,
	}
}
