//go:build amd64 || arm64

package clock

// getg returns the address of the calling goroutine's descriptor: a name of
// the goroutine that no other goroutine has while this one lives. It is only
// compared, never dereferenced.
func getg() uintptr
