// Ranktest says which algorithm a workload should use, and whether a change of
// the code changed the answer: the command line of this module, for whoever
// does not want a test suite, or wants to look closer at what it found.
//
// From a clone it needs no installation, nor does it as a tool of your module:
//
//	go run ./simtest/cmd/ranktest list
//
//	go get -tool github.com/ranktest/ranktest/simtest/cmd/ranktest
//	go tool ranktest list
//
// (go run turns every exit status but 0 into 1. Where the status matters, as
// after compare, build the command or use go tool.)
//
// # Commands
//
//	list           scenarios, algorithms with their parameters, metrics
//	explain        what a scenario takes for granted, in words and numbers
//	run            run scenarios, rank the contestants
//	compare        compare two reports seed by seed
//	trace-run      one run in every detail, for Perfetto
//	trace, place   placement by hand: generate a trace, run policies on it
//	completion     completion for bash, zsh, fish and PowerShell
//
// Each has examples in its --help. To have names of scenarios and algorithms
// completed in this shell:
//
//	source <(ranktest completion bash)
//
// # A first session
//
//	ranktest explain bursty_provider
//	ranktest run bursty_provider --benchstat old.txt
//	... change an algorithm ...
//	ranktest run bursty_provider --benchstat new.txt
//	ranktest compare old.txt new.txt
//	ranktest trace-run bursty_provider sticky 20260917 --output run.json
//
// # Placement by hand
//
//	ranktest trace --seed 42 --workers 1000 --ticks 500 --arrivals 8 --output trace.json
//	ranktest place trace.json --policies power-two,capability-power-two --load-lag 5
//
// # Exit status
//
//	0    done; for compare, nothing changed for the worse
//	1    for compare, something changed for the worse; for all others, there
//	     is less than was asked for: a run has no result, or an output could
//	     not be written
//	2    unusable input; nothing was run
//	130  interrupted: what had been computed was printed, marked as partial
//
// Results go to the standard output, all else to the standard error. Progress
// is shown on a terminal only, and NO_COLOR is respected.
package main
