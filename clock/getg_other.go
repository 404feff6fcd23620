//go:build !amd64 && !arm64

package clock

// getg cannot tell goroutines apart on this architecture. A foreign call is
// then only noticed when no task is running.
func getg() uintptr { return 1 }
