package catalog

import (
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/placement"
)

// placements are the worlds of randomized scheduling under churn. Of each
// one-factor study those levels are scenarios at which the answer is another
// one; what lies between them is swept by the specs.
func placements() []Entry {
	var entries []Entry
	for _, w := range []placement.World{
		placement.Documented(),
		placement.Fresh(10), placement.Fresh(1_000), placement.Fresh(100_000),
		placement.Moderate(10), placement.Moderate(1_000), placement.Moderate(100_000),
		placement.Stale(10), placement.Stale(1_000), placement.Stale(100_000),
		placement.RareCapability(500), placement.RareCapability(100), placement.RareCapability(10), placement.RareCapability(1),
		placement.OneAble(),
		placement.AvailabilityLag(0), placement.AvailabilityLag(10),
		placement.LoadLag(2), placement.LoadLag(10),
		placement.OfferedLoad(0.25), placement.OfferedLoad(0.75), placement.OfferedLoad(1), placement.OfferedLoad(1.25),
		placement.Independent(), placement.Regional(),
	} {
		entries = append(entries, Entry{w.Name, Placement(w)})
	}
	return entries
}

// Placement returns how to make the scenario of a placement world.
func Placement(w placement.World) func() (experiment.Scenario, error) {
	return func() (experiment.Scenario, error) { return placement.New(w) }
}
