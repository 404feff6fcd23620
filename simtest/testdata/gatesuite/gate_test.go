// Package gatesuite_test is a suite about two ponds, that the tests of package
// simtest run: its world is quick, and environment variables change it as a
// commit would.
package gatesuite_test

import (
	"context"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/draws"
	"github.com/ranktest/ranktest/simtest/experiment"
)

func TestPonds(t *testing.T) { simtest.RunSuite(t, "ponds") }

// pond is a world in which frog catches the most flies.
type pond struct{ name, depth string }

func (p pond) Name() string                { return p.name }
func (p pond) Summary() string             { return "who catches the most flies?" }
func (p pond) Contestants() []string       { return []string{"frog", "newt", "toad"} }
func (p pond) Unsuited() map[string]string { return nil }
func (p pond) Fingerprint() string         { return p.Assumptions().Fingerprint() }

func (p pond) Metrics() []experiment.Metric {
	return []experiment.Metric{
		{Name: "caught", Unit: "flies", Bench: "flies", Better: experiment.Higher, Completion: true, Headline: true},
		{Name: "wait_ms", Unit: "ms", Bench: "wait-ns", BenchScale: 1e6, Better: experiment.Lower, Gated: true, Headline: true},
	}
}

func (p pond) Assumptions() experiment.Assumptions {
	var a experiment.Assumptions
	a.Set("depth", p.depth)
	a.Set("flies", 1000)
	return a
}

// Run draws from what the seed says about everybody, and a little from what it
// says about the contestant.
func (p pond) Run(_ context.Context, contestant string, seed uint64) (experiment.Run, error) {
	weather, own := draws.Of(seed, "weather").Stream(), draws.Of(seed, contestant).Stream()
	caught := 100 + 20*weather.Float64() + own.Float64()
	wait := 50 + 10*weather.Float64() + own.Float64()
	switch contestant {
	case "frog":
		caught += 5
	case "newt":
		wait += 5
	}
	switch os.Getenv("POND") {
	case "toad learns": // and wins
		if contestant == "toad" {
			caught += 8
		}
	case "newt yawns": // and stays what it is
		if contestant == "newt" && seed%3 == 0 {
			wait += 0.1
		}
	case "toad panics":
		if contestant == "toad" && seed == 4 {
			panic("a heron")
		}
	}
	if p.depth == "deep" {
		caught /= 2
	}
	return experiment.Run{Values: map[string]float64{"caught": caught, "wait_ms": wait}, Iterations: 1000}, nil
}

func newPond(name string) func() (experiment.Scenario, error) {
	return func() (experiment.Scenario, error) {
		depth := "shallow"
		if os.Getenv("POND") == "deep" && name == "quiet_pond" {
			depth = "deep"
		}
		return pond{name, depth}, nil
	}
}

var _ = simtest.Scenario("quiet_pond", newPond("quiet_pond"), func(*simtest.Outcome) {
	It("is a spec of its own", func() {
		if os.Getenv("POND") == "spec fails" {
			Fail("as it was told to")
		}
	})
})

var _ = simtest.Scenario("loud_pond", newPond("loud_pond"), nil)
