// Package reports writes what a sweep and its ranking have to say, for people
// and for tools, and reads it back.
//
//   - [WriteTable] prints a table for a terminal, [WriteMarkdown] one for a page.
//   - [WriteHTML] writes a page that shows every seed, and runs over time.
//   - [WriteJSON] writes everything for programs.
//   - [WriteBenchstat] writes a file that benchstat compares with another one,
//     [WriteSeeds] the same seed by seed; [ReadBenchstat] reads both.
//   - [WriteGuide] writes the page of which algorithm when.
//
// A [Baseline] is a ranking as it is committed; comparing a result with it is
// the gate. [Compare] pairs two reports, seed by seed.
//
// All take a [Result], one scenario's sweep with its ranking and where they
// come from. It survives encoding/json unchanged, which is how test reports
// carry it from one process to another.
//
// Whatever is written depends on the result alone: no date, no machine, no
// order of a map. Two reports of the same runs are equal byte by byte;
// volatile metrics (real time) are therefore in the terminal's table only.
//
// # Benchstat text
//
// One line per run; the k-th line of a contestant is the k-th seed, so that
// runs can be paired again. What decides the format is how benchstat reads it:
//
//   - A "key: value" line that differs between two files removes their
//     comparison without a word. Seeds, rules and fingerprints are therefore in
//     comments, and the only key is "clock: virtual".
//   - Only units with the part "ns" (or "MB") are scaled; others print a ratio
//     of 0.87 as 870.0m. Durations are whole nanoseconds, ratios per cent.
//   - A duration of 0 would stay in nanoseconds and get a table of its own. It is
//     written 0.001, a picosecond, which is rounded away when read.
//   - A value that is not finite makes it loop for ever: [New] refuses such.
//   - A contestant's values of a unit that are 0 on every seed have no
//     geometric mean and earn a warning under each table. They are left out of
//     the lines and named in a comment, from which ReadBenchstat restores them.
package reports
