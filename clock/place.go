package clock

import (
	"fmt"
	"runtime"
	"strings"
)

// callerPlace returns the line of code that called into this package.
func callerPlace() string {
	pc := make([]uintptr, 16)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	for {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "/clock.(*") || !more {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
}
