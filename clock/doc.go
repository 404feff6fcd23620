// Package clock is the only source of time, and of waiting, for code that has
// to run the same in production and in a simulation.
package clock
