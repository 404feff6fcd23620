// Package fairness checks that a comparison is fair: that what differs between
// two runs is the contestant, and nothing else.
//
// Each rule is a function that returns nil, or an error that says what is
// unfair and where. Package simtest turns them into specs that every scenario
// gets; a program without Ginkgo can call them as they are.
//
// A rule looks at the world through a small interface of its own (Roller,
// Forecaster, Handler, ...), which a world implements by running itself with
// its eyes open. A world without the interface has nothing that the rule could
// apply to, or has not been made to show it: Applies tells.
//
//  1. SharedDraws, or OneTrace where everything is rolled before the run: what
//     the world rolls does not depend on the contestant.
//  2. Weather: what the world is like does not depend on the traffic.
//  3. NoLeak: no algorithm can reach the world from what it is handed.
//  4. ClientDraws: the client's own randomness follows the work, not the
//     worker.
//  5. CompletionGate: a contestant that does next to nothing wins no gated row.
//  6. Reproducible: a run is a function of scenario, contestant and seed.
//  7. NothingHeld: no lease and no goroutine outlives a run.
//  8. WorkAddsUp: every job is done, failed or unstarted; every request was
//     admitted or refused.
package fairness
