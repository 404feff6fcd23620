// Package experiment compares contestants in a simulated world and says,
// metric by metric, who may claim to be best. It knows neither worlds nor test
// frameworks: whatever implements [Scenario] is swept, ranked and reported.
//
// # From a scenario to a ranking
//
//  1. [Describe] reads a scenario once and checks what it declares.
//  2. [Sweep] makes one [Run] per contestant and seed, in parallel. The same
//     seed means the same exogenous randomness for every contestant (common
//     random numbers), so runs of one seed are compared in pairs.
//  3. [Rank] turns the runs into a [Ranking]: one [Row] per metric, with the
//     winners, those whom the completion gate left out, and every paired
//     comparison behind the verdict. There is no composite score.
//
// # Who may claim a row
//
// Neutral and volatile rows crown nobody. A gated row leaves out contestants
// whose mean of the completion metric is below 90 % of the best one: doing
// little work is an easy way to low latency. Contestants that the scenario
// calls unsuited, and its reference contestants (see [Referencer]), are never
// compared. Two rules decide among the k that are left, on the n seeds on
// which all of them have a value.
//
// [Calibrated], the default: a contestant may claim the row unless another one
// beats it. j beats i if the mean of the paired differences, in the better
// direction, exceeds 1 % of the row's best mean and also
//
//	t(n-1, 1 - 0.05/(k(k-1))) * s / sqrt(n)
//
// where s is the sample standard deviation of those differences and t the
// quantile of Student's distribution. This is a one-sided paired t test of
// every ordered pair with Bonferroni's correction (Dunn 1961), which needs no
// assumption about how the pairs depend on each other. If contestants are
// equal, the row stays undivided with probability 95 % or more; "cannot
// separate" is an answer, not a failure.
//
// [Reference]: whoever has the best mean leads, and everybody within
// max(1 % of it, 2 s/sqrt(n)) of the leader shares the row. This is what the
// reference prints; with 3 seeds it separates 18 % of identical pairs.
//
// # Determinism
//
// A ranking is a pure function of the runs and the rule: sums are exact and
// rounded once, products are rounded before they are added, and quantiles are
// rounded to six decimals, so that no compiler, processor or math library can
// change a verdict.
package experiment
