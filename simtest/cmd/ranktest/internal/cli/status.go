package cli

import (
	"context"
	"errors"
)

// The exit statuses.
const (
	Done        = 0
	Finding     = 1
	Unusable    = 2
	Interrupted = 130
)

// exitStatus documents them for a command, given what a finding is there.
func exitStatus(done, found string) string {
	return "Exit status:\n" +
		"  0    " + done + "\n" +
		"  1    " + found + "\n" +
		`  2    unusable input: an unknown name, an impossible value, a file that cannot
       be read or written; nothing was run
  130  interrupted (SIGINT, SIGTERM): what had been computed by then was
       printed, and is marked as partial`
}

// finding is an error that comes after the work: its exit status is Finding.
// All others come before, and are Unusable.
type finding struct{ error }

// Unwrap returns what was found.
func (f finding) Unwrap() error { return f.error }

// statusOf returns the exit status that an error stands for.
func statusOf(ctx context.Context, err error) int {
	_, found := errors.AsType[finding](err)
	switch {
	case err == nil:
		return Done
	case ctx.Err() != nil:
		return Interrupted
	case found:
		return Finding
	}
	return Unusable
}
