package catalog

import (
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

// The failover scenario without chance: a job of one call every 200 ms, no
// retries, latencies of exactly 0.5 s and 0.9 s. The outage of the primary
// lasts from 120 s to 300 s, and every request to it hangs for 5 s.
//
//	123.2  Its 16 leases are out with requests that hang: over to the secondary.
//	125.0  The first of them fails and frees a lease; the next job takes it.
//	125.8  primary-a fails for the third time, 126.0 primary-b: both cool down.
//	127.8  primary-a fails for the eighth time, 128.0 primary-b: both are dead,
//	       and get a probe 30 s later.
//	157.8  The probes fail, 5 s later each; 35 s from one to the next: at 157.8,
//	       192.8, 227.8, 262.8 and 297.8, and 0.2 s later those of primary-b.
//	332.8  The next probe, the first after the outage: back, 32.8 s after its
//	       end. It succeeds at 333.3, and the one of primary-b at 333.5.
//	333.2  The last job to the secondary: both probes are still out.
func TestFailoverAndBackByHand(t *testing.T) {
	w := multiVendorFailover()
	for i := range w.Endpoints {
		e := &w.Endpoints[i]
		e.Law, e.Sigma, e.TailRate, e.TailFactor, e.ErrorRate = provider.Deterministic, 0, 0, 0, 0
	}
	w.Workload.Arrivals = &provider.Arrivals{Every: 200 * time.Millisecond}
	w.Workload.CallsPerStep, w.Workload.Jobs = 1, 3000
	w.Retry.MaxAttempts = 1
	s, err := provider.New(w)
	if err != nil {
		t.Fatal(err)
	}

	const seconds = float64(time.Second)
	var first, last, back float64 // to the secondary, to the secondary, and to the primary after the outage
	sent := map[string]int{}
	r, err := s.Observe(t.Context(), "failover(pools=primary|secondary)", 1, func(e *provider.Event) {
		if e.Kind != provider.RequestSent {
			return
		}
		at, id := float64(e.At)/seconds, w.Endpoints[e.Endpoint].ID
		sent[id]++
		switch {
		case id == "secondary-a" && first == 0:
			first, last = at, at
		case id == "secondary-a":
			last = at
		case at >= 300 && back == 0:
			back = at
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if first != 123.2 || back != 332.8 || last != 333.2 {
		t.Errorf("over to the secondary at %v, back at %v, last to the secondary at %v; want 123.2, 332.8, 333.2", first, back, last)
	}
	// 9 jobs from 123.2 to 124.8; 1035 from 125.8 to 332.6 without ten probes;
	// and the one at 333.2.
	if n := sent["secondary-a"]; n != 9+1035-10+1 {
		t.Errorf("%d jobs went to the secondary, want 1035 of 3000: 34.5 %%", n)
	}
	// 16 hang at first, 4 take their places, 10 are probes.
	if done, failed := r.Values["jobs_done"], r.Values["jobs_failed"]; done != 2970 || failed != 30 {
		t.Errorf("%v jobs done, %v failed, want 2970 and 30", done, failed)
	}
}
