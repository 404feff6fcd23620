// Package placement is the second world: randomized scheduling under churn.
// Can a scheduler that asks one, two or three workers come close to one that
// knows everything, and what does each cost in coordination?
//
// # From a seed to a ranking
//
//  1. A [Source] makes a [Trace] from a seed, before anything runs: the
//     workers (capacity, capabilities, zone), the tasks (arrival, work,
//     required capability, preferred zone), and the outages. It has a name,
//     the SHA-256 of its canonical JSON, and all policies get the same one.
//  2. [Simulate] runs a policy on it, and returns 35 metrics and a digest of
//     everything that happened.
//  3. A [World] adds what else is assumed, and [New] makes an
//     experiment.Scenario of it, which is swept, ranked and reported like any
//     other. [Oracle] sees everything, and is never crowned.
//
// [Compare] does the same by hand for one trace, which may come from a file
// ([Load]), and writes the result file of the reference.
//
// # A tick
//
// In each tick, in this order: outages end and begin, and those that begin
// evict the queues of their workers; every busy worker serves its queue, up to
// its capacity; the tasks of this tick arrive; each pending task is routed
// once, those that failed before first; statistics are taken. So a task is
// served from the tick after its arrival on. An evicted task is routed again in
// the same tick, and loses what was done on it if the settings say so.
//
// Local policies see the past: availability and load as they were so many
// ticks ago, two independent lags, in the first ticks the end of tick 0. A
// choice can therefore fail: nobody was seen online, the worker has gone
// offline, or it lacks the capability, which only a directory knows in advance.
// The task then waits for its next attempt, in the next tick.
//
// The simulation is a plain loop over ticks and not a set of tasks on a virtual
// clock: nothing in this world waits for anything but the next tick, so a
// clock would add a queue of timers and change no result. Where nothing is
// pending, queued or due, the loop skips to the next tick in which something
// is.
//
// # Faithful and large
//
// Rules, random draws, metrics and file formats are those of the reference
// system, which the tests compare number by number and byte by byte. What it
// does by scanning is done by structures whose cost does not grow with the
// number of workers: loads travel to the scheduler through a delay line instead
// of being searched in histories, and the oracle's choice is the winner of a
// tournament. It is charged for the probes that it would have needed all the
// same.
package placement
