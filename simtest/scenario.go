package simtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// declaration is a scenario of this process's suite, and where in its source
// it is declared.
type declaration struct {
	name  string
	build func() (experiment.Scenario, error)
	file  string // without _test.go, so that a variant's file follows the base's
	line  int
}

// declared are the suite's scenarios, in the order of the source: Go makes
// package variables in an order that depends on what they refer to. Like the
// tree of specs that they are a part of, the list is made while the package's
// variables are, and never changes afterwards.
var declared []declaration

// declare puts a scenario into its place.
func declare(d declaration) {
	i, _ := slices.BinarySearchFunc(declared, d, func(a, b declaration) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	declared = slices.Insert(declared, i, d)
}

func declaredNames() []string {
	var names []string
	for _, d := range declared {
		names = append(names, d.name)
	}
	return names
}

// Scenario declares the specs of a scenario: it is swept once, before its
// first spec; it gets every fairness rule that applies to its world as a spec;
// its results go into the suite's reports; and then come the specs that
// expectations declares, with Ginkgo's own It, about the outcome that it is
// handed. They are skipped if the flags ask for another world than the one
// that they are about (other seeds, jobs, algorithms ...).
//
//	var _ = simtest.Scenario("my_api", newMyAPI, func(o *simtest.Outcome) {
//		It("is won by sticky, whose cache pays", func() {
//			Expect(o).To(simtest.Crown("jobs_done", "sticky"))
//		})
//	})
//
// build is called when the tree of specs is built, after flags were parsed.
// expectations may be nil. The suite must be run with RunSuite.
func Scenario(name string, build func() (experiment.Scenario, error), expectations func(*Outcome)) bool {
	ginkgo.GinkgoHelper()
	_, file, line, _ := runtime.Caller(1)
	declare(declaration{name, build, strings.TrimSuffix(file, "_test.go"), line})
	return ginkgo.Describe(name, ginkgo.Ordered, ginkgo.ContinueOnFailure, ginkgo.Label("scenario:"+name), func() {
		if !suite.selected(name) {
			return
		}
		scenario, err := build()
		if err == nil {
			scenario, err = suite.adjust(scenario)
		}
		if errors.Is(err, errNotAdjustable) && len(suite.scenarios) == 0 {
			ginkgo.It("is left out", func() { ginkgo.Skip(err.Error()) })
			return
		}
		if err == nil && scenario.Name() != name {
			err = fmt.Errorf("simtest: scenario %q was declared as %q: the names must be equal", scenario.Name(), name)
		}
		if err != nil {
			ginkgo.It("can be built", ginkgo.Label("rule:valid"), func() { ginkgo.Fail(err.Error()) })
			return
		}
		o := &Outcome{Scenario: scenario}
		ginkgo.BeforeAll(func(ctx ginkgo.SpecContext) { o.sweep(ctx) })
		rules(o)
		gate(o)
		if expectations != nil {
			ginkgo.Describe("as it stands", func() {
				ginkgo.BeforeEach(func() {
					if !suite.standard() {
						ginkgo.Skip("expectations are about the scenario as it stands, and the flags ask for another one")
					}
				})
				expectations(o)
			})
		}
	})
}

// sweep makes all runs and ranks them. Runs that failed do not take the others
// with them: what there is is reported, as partial, and the spec fails.
func (o *Outcome) sweep(ctx context.Context) {
	ginkgo.GinkgoHelper()
	options := suite.options(o.Scenario)
	var progress atomic.Pointer[experiment.Progress]
	options.Progress = func(p experiment.Progress) { progress.Store(&p) }
	defer ginkgo.AttachProgressReporter(func() string {
		p := progress.Load()
		if p == nil {
			return fmt.Sprintf("scenario %s: the first run has not ended", o.Scenario.Name())
		}
		return fmt.Sprintf("scenario %s: %d of %d runs made, the latest %s with seed %d", o.Scenario.Name(), p.Done, p.Total, p.Contestant, p.Seed)
	})()

	result, err := experiment.Sweep(ctx, o.Scenario, options)
	if result != nil && len(result.Runs) > 0 {
		o.Result = result
		ranking, rankErr := rank(result)
		gomega.Expect(rankErr).NotTo(gomega.HaveOccurred())
		o.Ranking = ranking
		o.attach(err)
	}
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
}
