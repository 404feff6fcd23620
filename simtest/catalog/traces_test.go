package catalog

import (
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

func TestTracesAreReadAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		name     string
		read     func(string) (*provider.Trace, error)
		rows     int
		last     time.Duration
		size     float64 // of the first
		together int     // most arrivals at one instant
	}{
		// 67 tokens read, 15 written; 1053 and 539; 6758 and 500.
		{"azure_llm_2023_code_busiest600", azureTrace, 600, 46573262000 * time.Nanosecond, 67*0.00025 + 15*0.025, 1},
		{"azure_llm_2023_conv_busiest600", azureTrace, 600, 69862972000 * time.Nanosecond, 1040*0.00025 + 539*0.025, 1},
		{"mooncake_conversation_first400", mooncakeTrace, 400, 141 * time.Second, 6758*0.00025 + 500*0.025, 16},
	} {
		trace, err := c.read(c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		at, together := map[time.Duration]int{}, 0
		for i, a := range trace.Arrivals {
			at[a.At]++
			together = max(together, at[a.At])
			if i > 0 && a.At < trace.Arrivals[i-1].At {
				t.Errorf("%s: row %d is before the one before it", c.name, i+1)
			}
		}
		n := len(trace.Arrivals)
		if first := trace.Arrivals[0]; n != c.rows || first.At != 0 || first.Size < c.size-1e-12 || first.Size > c.size+1e-12 {
			t.Errorf("%s: %d rows, the first at %v of size %v, want %d rows, the first at 0 of size %v", c.name, n, first.At, first.Size, c.rows, c.size)
		}
		if d := trace.Arrivals[n-1].At - c.last; d < -time.Microsecond || d > time.Microsecond {
			t.Errorf("%s: the last arrival is at %v, want %v", c.name, trace.Arrivals[n-1].At, c.last)
		}
		if together != c.together {
			t.Errorf("%s: at most %d arrive at one instant, want %d", c.name, together, c.together)
		}
	}
	if _, err := azureTrace("no_such_trace"); err == nil {
		t.Error("a trace that is not there was read")
	}
}
