package provider

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"time"
)

// Trace is a record of arrivals.
type Trace struct {
	// Name says where it is from.
	Name string
	// Arrivals in order of time; several at one instant are possible.
	Arrivals []Arrival
}

// Arrival is one of a trace.
type Arrival struct {
	// At is the time since the start of the trace.
	At time.Duration
	// Size scales the latency of the job's calls; 0 stands for 1.
	Size float64
}

// assumption sums a trace up for a fingerprint.
func (t Trace) assumption() any {
	h := sha256.New()
	var record [16]byte
	for _, a := range t.Arrivals {
		binary.BigEndian.PutUint64(record[:8], uint64(a.At))
		binary.BigEndian.PutUint64(record[8:], math.Float64bits(a.Size))
		h.Write(record[:])
	}
	return fmt.Sprintf("%s: %d arrivals, sha256 %x", t.Name, len(t.Arrivals), h.Sum(nil)[:8])
}
