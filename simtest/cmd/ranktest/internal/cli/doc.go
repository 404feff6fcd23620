// Package cli is the command ranktest: what it understands, does and prints.
// An [App] holds all that a process would take from its surroundings, so that
// every command can be run by a test.
//
// The rules that all commands share:
//
//   - Results go to the standard output; progress, notes and errors to the
//     standard error.
//   - Progress is shown only if the standard error is a terminal, and colors
//     only if the standard output is one and NO_COLOR is not set.
//   - Whatever can be found to be wrong before the work begins is an error
//     before the work begins, an output that cannot be written included.
//   - When the context ends, a command stops within a moment, and prints what
//     it has, marked as partial.
package cli
