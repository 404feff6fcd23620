package oracle_test

import (
	"flag"
	"os"
	"testing"
)

var long = flag.Bool("oracle.long", os.Getenv("SIMTEST_LONG") != "", "five times the work, for less than half of the standard errors; SIMTEST_LONG=1 does the same")

// size is an amount of work, given for the ordinary mode.
func size(n int) int {
	if *long {
		return 5 * n
	}
	return n
}

// TestOracles runs the groups one after the other (their replications run in
// parallel) and writes the report if none was left out.
func TestOracles(t *testing.T) {
	if testing.Short() {
		t.Skip("less work would tell nothing")
	}
	groups := []struct {
		id, title string
		check     func(*group)
	}{
		{"O1", "M/M/1: time in system", singleServer},
		{"O2", "M/M/c: the algorithm wait", manyServers},
		{"O3", "M/G/c/c: the algorithm immediate", lossSystem},
		{"O4", "M/M/c with patience: wait with a timeout", patience},
		{"O5", "M/G/1: laws of latency", serviceLaws},
		{"O6", "order of service", orderOfService},
		{"O10", "common random numbers", commonNumbers},
		{"O11", "backoff and jitter under contention", contention},
		{"O12", "M/M/1 with retrials: the algorithm backoff", retrials},
		{"O13", "token buckets", tokenBuckets},
		{"O14", "machine repairman: the closed loop", repairman},
		{"O15", "retry storm", retryStorm},
		{"O16", "black hole", blackHole},
		{"O18", "invariants of every run", invariants},
	}
	var r report
	for i, g := range groups {
		t.Run(g.id, func(t *testing.T) { g.check(r.begin(t, i+1, g.id, g.title)) })
	}
	t.Log("\n" + r.table())
	if len(r.sections) < len(groups) {
		t.Log("some groups did not run: no report was written")
		return
	}
	if err := r.write("../../reports/out/oracles.md"); err != nil {
		t.Log(err) // in a module cache, which is read-only
	}
}
