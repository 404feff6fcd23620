package clock

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
)

// findGoroutine returns the state and the stack of the goroutine in a dump that
// has the given frame, or "" and nil if there is none.
func findGoroutine(dump []byte, frame string) (state string, stack []byte) {
	for g := range bytes.SplitSeq(dump, []byte("\n\n")) {
		if !bytes.Contains(g, []byte(frame)) {
			continue
		}
		// goroutine 18 [chan receive, 2 minutes]:
		_, after, _ := bytes.Cut(g, []byte("["))
		header, _, _ := bytes.Cut(after, []byte("]"))
		word, _, _ := bytes.Cut(header, []byte(","))
		return string(word), g
	}
	return "", nil
}

// dump returns the stacks of all goroutines, as far as they fit into 256 MB.
func dump() []byte {
	for n := 1 << 20; ; n *= 4 {
		buf := make([]byte, n)
		if m := runtime.Stack(buf, true); m < n || n == 1<<28 {
			return buf[:m]
		}
	}
}

// busy reports whether a goroutine in this state is computing, or only waits
// for the runtime itself.
func busy(state string) bool {
	switch state {
	case "running", "runnable", "preempted", "copystack", "wait for GC cycle", "stopping the world":
		return true
	}
	return strings.HasPrefix(state, "GC ")
}

// place returns the first line of code in a stack that is not of the standard
// library, as file:line.
func place(stack []byte) string {
	library := librarySource()
	first := ""
	for line := range strings.Lines(string(stack)) {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		at, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if first == "" {
			first = at
		}
		if !strings.HasPrefix(at, library) {
			return at
		}
	}
	return first
}

// librarySource returns the directory of the standard library's sources, as
// stacks have it.
func librarySource() string {
	pc := make([]uintptr, 1)
	runtime.Callers(0, pc) // runtime.Callers itself
	f, _ := runtime.CallersFrames(pc).Next()
	return strings.TrimSuffix(f.File, "runtime/extern.go")
}

// callerPlace returns the line of code that called a method of this package.
func callerPlace() string {
	pc := make([]uintptr, 16)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	f, more := frames.Next() // this function
	methods := strings.TrimSuffix(f.Function, "callerPlace") + "(*"
	for more && (strings.HasSuffix(f.Function, ".callerPlace") || strings.HasPrefix(f.Function, methods)) {
		f, more = frames.Next()
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}
