// Package traceevent writes the Trace Event Format, the JSON that Perfetto
// (ui.perfetto.dev) and chrome://tracing open.
//
// A [Trace] is a set of processes with threads, which are what a viewer shows
// as groups and rows; the names are the only thing that they have in common
// with an operating system. On a thread there are slices, which lie side by
// side or within each other but never partly over each other, and instants. A
// process has counters too, numbers that change over time.
//
// The format: D. Sinclair, N. Duca, "Trace Event Format", 2016. Of it this
// package uses complete events (X), which cannot lack an end, instants (i),
// counters (C) and metadata (M). Times are microseconds; they are written with
// three decimals, so that no nanosecond is lost. What is written depends on
// what was added alone: arguments are lists and not maps, and events are
// sorted.
package traceevent
