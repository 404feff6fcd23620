package simtest

import (
	"github.com/onsi/gomega/types"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// NotCompare succeeds if a row crowns nobody because the gate left only this
// contestant: it was eligible, and won against nobody.
//
//	Expect(outcome).To(NotCompare("throughput_rps", "wait"))
func NotCompare(metric, contestant string) types.GomegaMatcher {
	return &rowMatcher{
		metric: metric, contestants: []string{contestant},
		wanted: "to have nobody to compare " + contestant + " with",
		ok:     func(row *experiment.Row) bool { return row.OnlyEligible() == contestant },
	}
}
