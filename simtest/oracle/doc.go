// Package oracle holds the engine to results that are known: formulas of
// queueing theory, and studies whose numbers are published. It has tests only.
//
// An engine that people rely on for answers nobody knows must first give the
// answers that everybody knows. So the tests build textbook systems from the
// parts that ship (the virtual clock, the pool, the acquire algorithms, the
// provider's open and closed loops, its latency laws, limits and metrics), not
// from a side model, and compare what comes out with theory. Where the
// provider cannot express a system (an order of service that the pool does not
// have, optimistic locking), the test has a model of a few lines on the clock
// and the pool.
//
// # Verdicts
//
// A quantity is estimated from R independent replications, one per seed, as
// their mean with the standard error s/sqrt(R). It agrees with theory if
//
//	|mean - theory| <= max(3.5 standard errors, tolerance * |theory|)
//
// with a tolerance between 1 and 5 % that stands beside each check. Seeds are
// fixed, so a check that passes once passes always, until the engine changes.
// A standard error above a sixteenth of the theoretical value fails by
// itself: such a check could tell too little.
//
// Every group also measures a system that is wrong on purpose, in the way in
// which a bug would make it wrong (a timeout that includes the service, a
// capacity that is off by one, a warm-up that drops some jobs only), and
// demands that the same check rejects it.
//
// Runs start empty, and the metrics of the engine have no warm-up. What that
// costs is known for M/M/1: the mean over the first n jobs is too small by
// about rho/((1-rho)^3 n), less than half a standard error for every size used
// here. Every run of the suite is audited besides, event by event: see audit.
//
// # Running
//
//	go test ./simtest/oracle                     less than a minute of CPU
//	go test ./simtest/oracle -v                  and prints the report
//	go test ./simtest/oracle -run /O12           one of the groups
//	go test ./simtest/oracle -oracle.long        five times the work
//
// SIMTEST_LONG=1 in the environment is the same as the flag. A complete run
// writes the report, a table of expected and measured values, to
// reports/out/oracles.md; it is the same text on every machine.
package oracle
