// Package suite_test is a small suite that the tests of package simtest run,
// the way a user would.
package suite_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

func TestSuite(t *testing.T) { simtest.RunSuite(t, "small") }

// variant makes a small world of the base scenario.
func variant(name string, change func(*provider.World)) func() (experiment.Scenario, error) {
	return func() (experiment.Scenario, error) {
		base, err := catalog.BurstyProvider()
		if err != nil {
			return nil, err
		}
		w := base.(*provider.Scenario).World()
		w.Name = name
		w.Workload.Jobs, w.Workload.Horizon = 150, time.Minute
		change(&w)
		return provider.New(w)
	}
}

var _ = simtest.Scenario("small", variant("small", func(*provider.World) {}), func(o *simtest.Outcome) {
	It("excludes immediate", func() {
		Expect(o).To(simtest.Exclude("immediate"))
	})
})

// Without storms, errors and buckets nothing separates those who wait.
var _ = simtest.Scenario("calm", variant("calm", func(w *provider.World) {
	for i := range w.Endpoints {
		e := &w.Endpoints[i]
		e.ErrorRate, e.Storm, e.Bucket = 0, provider.Storm{}, nil
	}
	w.Workload.Concurrency = 4
	w.Contestants = []string{"wait", "backoff"}
}), func(o *simtest.Outcome) {
	It("finishes", func() {
		Expect(o).To(simtest.CompleteAtLeast("wait", 60))
	})
})
