// Package scenarios_test is the suite: one file a scenario, each with the
// expectations that follow from how the scenario's world works.
package scenarios_test

import (
	"testing"

	"github.com/ranktest/ranktest/simtest"
)

func TestScenarios(t *testing.T) {
	simtest.RunSuite(t, "scenarios", simtest.Guide("../reports/which-algorithm-when.md"))
}
