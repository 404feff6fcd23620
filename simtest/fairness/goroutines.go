package fairness

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// NothingHeld checks that no goroutine outlives a run. Leases and the like are
// counted by metrics, see Accountant.
func NothingHeld(ctx context.Context, s experiment.Scenario, contestant string, seed uint64) error {
	before := goroutines()
	if _, err := s.Run(ctx, contestant, seed); err != nil {
		return fmt.Errorf("fairness: nothing held: %s, seed %d: %w", contestant, seed, err)
	}
	// Those of the run must be gone within a moment.
	for try := 0; ; try++ {
		left := ""
		for id, stack := range goroutines() {
			if _, old := before[id]; !old && (left == "" || stack < left) {
				left = stack
			}
		}
		if left == "" {
			return nil
		}
		if try == 100 {
			return fmt.Errorf("fairness: nothing held: %s, seed %d: a goroutine is left of the run:\n%s", contestant, seed, left)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// goroutines returns the stacks of all goroutines, by their number, without
// those of the test framework and the runtime, which come and go as they like.
func goroutines() map[string]string {
	buf := make([]byte, 1<<20)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	all := map[string]string{}
	for stack := range strings.SplitSeq(string(buf), "\n\n") {
		id, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		framework := strings.Contains(stack, "created by github.com/onsi/ginkgo/") || strings.Contains(stack, "created by testing.") ||
			strings.Contains(stack, "created by os/signal.") || strings.Contains(stack, "created by runtime.")
		if !framework {
			all[id] = stack
		}
	}
	return all
}
