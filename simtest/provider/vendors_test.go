package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/provider"
)

// twoVendors is the plain world with a second endpoint, of another vendor,
// that needs 2 s.
func twoVendors() provider.World {
	w := plainWorld()
	w.Endpoints[0].Vendor = "primary"
	w.Endpoints = append(w.Endpoints, provider.Endpoint{
		ID: "other", Vendor: "secondary", Capacity: 1, Weight: 1, Law: provider.Deterministic, Median: 2 * s,
	})
	w.Contestants = []string{"wait", "failover(pools=primary|secondary)"}
	return w
}

func TestFailoverGoesToTheSecondVendorAndWaitDoesNot(t *testing.T) {
	w := opened(twoVendors(), 0, 0, 0)
	_, lines := watch(t, w, "failover(pools=primary|secondary)", provider.RequestSent)
	expectLines(t, lines, "0s job 0 to only: ok", "0s job 1 to other: ok", "1s job 2 to only: ok")
	_, lines = watch(t, w, "wait", provider.RequestSent)
	expectLines(t, lines, "0s job 0 to only: ok", "1s job 1 to only: ok", "2s job 2 to only: ok")
}

// The vendor takes two requests at once, wherever: the third is refused, and
// so is the fourth until one has been answered.
func TestAVendorsCapacityIsSharedByItsEndpoints(t *testing.T) {
	w := opened(twoVendors(), 0, 0, 0, s-1, s)
	for i := range w.Endpoints {
		w.Endpoints[i].Vendor, w.Endpoints[i].Capacity = "acme", 3
	}
	w.VendorCapacity = map[string]int{"acme": 2}
	r, lines := watch(t, w, "wait", provider.RequestSent)
	expectLines(t, lines,
		"0s job 0 to only: ok", "0s job 1 to other: ok", "0s job 2 to only: 429-capacity",
		"999.999999ms job 3 to other: 429-capacity", "1s job 4 to only: ok")
	// 4 latency-seconds of 2 x 2 s that were enforced; by the endpoints alone
	// it would have been 6 x 2.
	expectValues(t, r, map[string]float64{"utilization_enforced": 1, "utilization": 4.0 / 12, "share_distance": 0})
}

// At an outage requests fail, take no capacity, and are not told about load.
func TestAnOutageFailsRequestsUntilItsEnd(t *testing.T) {
	w := opened(plainWorld(), s, 2*s, 3*s-1, 3*s)
	w.Health.DegradeAfter, w.Health.DeadAfter = 0, 0
	w.Endpoints[0].Capacity = 2
	w.Endpoints[0].Outages = []provider.Outage{{From: 2 * s, Until: 3 * s, ErrorRate: 1, After: 5 * s}}
	r, lines := watch(t, w, "wait", provider.JobDone, provider.JobFailed)
	expectLines(t, lines,
		"2s job 0 job done after 1s", "7s job 1 job failed after 5s", "7.999999999s job 2 job failed after 5s", "8s job 3 job done after 5s")
	expectValues(t, r, map[string]float64{"error_rate": 0.5, "refusal_rate": 0})
}

// Job 3 waits for one of the two leases; it could not be served during the
// outage, and is served after it although two requests still hang.
func TestHangingRequestsTakeNoCapacityOfTheProvider(t *testing.T) {
	w := opened(plainWorld(), 0, s)
	w.Endpoints[0].Capacity, w.Endpoints[0].Weight = 2, 0.5 // the provider takes one at once
	w.Endpoints[0].Outages = []provider.Outage{{Until: s, ErrorRate: 1, After: 10 * s}}
	_, lines := watch(t, w, "wait", provider.RequestSent, provider.JobDone)
	if len(lines) != 3 || lines[1] != "1s job 1 to only: ok" {
		t.Errorf("events are %q, want job 1 served at 1 s", lines)
	}
}

// A second endpoint is published at 2 s, resized at 3 s, revoked at 4 s.
func TestChangesReachThePool(t *testing.T) {
	w := opened(plainWorld(), 0, 0, 0, 0, 0, 0)
	w.Endpoints = append(w.Endpoints, provider.Endpoint{ID: "new", Capacity: 1, Weight: 3, Law: provider.Deterministic, Median: 10 * s})
	w.Endpoints[0].Median = 1000 * s
	w.Changes = []provider.Change{
		{At: 2 * s, Endpoint: "new", Kind: provider.Publish},
		{At: 3 * s, Endpoint: "new", Kind: provider.Resize, Capacity: 3},
		{At: 4 * s, Endpoint: "new", Kind: provider.Revoke},
		{At: 90 * s, Endpoint: "new", Kind: provider.Publish},
	}
	_, lines := watch(t, w, "wait", provider.RequestSent, provider.EndpointChanged)
	expectLines(t, lines,
		"0s job 0 to only: ok",
		"2s job 0 endpoint changed", "2s job 1 to new: ok",
		"3s job 0 endpoint changed", "3s job 2 to new: ok", "3s job 3 to new: ok",
		"4s job 0 endpoint changed", "1m30s job 0 endpoint changed", "1m30s job 4 to new: ok", "1m40s job 5 to new: ok")
}

// With the only endpoint revoked the run is over, unless it is to come back.
func TestAStallIsWhenNothingWillBePublishedAnyMore(t *testing.T) {
	w := opened(plainWorld(), 0, 5*s)
	w.Changes = []provider.Change{{At: 3 * s, Endpoint: "only", Kind: provider.Revoke}}
	r, _ := watch(t, w, "backoff")
	if r.Stall == nil || r.Stall.At != 3*s {
		t.Errorf("stall is %+v, want one at 3 s: job 1 is still to come, and there is nothing for it", r.Stall)
	}
	expectValues(t, r, map[string]float64{"jobs_done": 1, "jobs_unstarted": 1, "restricted_mean_completion_s": (1 + 3595) / 2.0})
	w.Changes = append(w.Changes, provider.Change{At: 60 * s, Endpoint: "only", Kind: provider.Publish})
	if r, _ := watch(t, w, "wait"); r.Stall != nil || r.Values["jobs_done"] != 2 {
		t.Errorf("stall is %+v with %v jobs done, want none", r.Stall, r.Values["jobs_done"])
	}
}

// The first vendor is dead for good, the second fine. Who polls the first
// alone would do so for ever.
func TestPollingWhatIsBeyondHopeIsAStall(t *testing.T) {
	w := opened(twoVendors(), 0, 0, 10*s)
	w.Health = pool.ReferenceHealth()
	w.Health.DeadAfter, w.Health.DegradeAfter = 1, 0
	w.Endpoints[0].ErrorRate = 1
	r, _ := watch(t, w, "backoff")
	if r.Stall == nil || r.Stall.At != 10*s || !strings.Contains(r.Stall.Why, "polling") {
		t.Errorf("stall is %+v, want one at 10 s, when something happened last", r.Stall)
	}
	expectValues(t, r, map[string]float64{"jobs_done": 0, "jobs_failed": 3, "makespan_s": 10})
	if r, _ := watch(t, w, "failover(pools=primary|secondary)"); r.Stall != nil || r.Values["jobs_done"] != 2 {
		t.Errorf("failover: stall %+v and %v jobs done, want 2", r.Stall, r.Values["jobs_done"])
	}
}

func TestSlowdownCountsTheOthersInFlight(t *testing.T) {
	w := opened(plainWorld(), 0, 0, 0)
	w.Endpoints[0].Capacity, w.Endpoints[0].Slowdown = 3, 0.5
	_, lines := watch(t, w, "wait", provider.JobDone)
	expectLines(t, lines, "1s job 0 job done after 1s", "1.5s job 1 job done after 1.5s", "2s job 2 job done after 2s")
}

// Two endpoints with a cache each, one key, two calls per attempt: sticky
// finds what its first call left behind, wait goes to the other endpoint.
func TestTheCachePaysForReuse(t *testing.T) {
	w := opened(plainWorld(), 0)
	w.Workload.CallsPerStep, w.Workload.Keys = 2, &provider.Keys{Number: 1}
	w.Endpoints[0].Capacity, w.Endpoints[0].Cache = 2, &provider.Cache{Entries: 1, Factor: 0.25, Cost: 0.1}
	w.Endpoints = append(w.Endpoints, w.Endpoints[0])
	w.Endpoints[1].ID = "other"
	for algorithm, want := range map[string]string{"sticky": "1.25s job 0 job done after 1.25s", "wait": "2s job 0 job done after 2s"} {
		_, lines := watch(t, w, algorithm, provider.JobDone)
		expectLines(t, lines, want)
	}
}

// Pinned capacity stays what it is when the others' falls.
func TestPinnedCapacityIgnoresTheCycle(t *testing.T) {
	w := opened(plainWorld(), 0, 0)
	w.Endpoints[0].Capacity = 2
	w.Cycle = provider.Cycle{Period: time.Hour, Trough: 0.1, Peak: 1}
	r, _ := watch(t, w, "wait")
	expectValues(t, r, map[string]float64{"jobs_done": 1})
	w.Endpoints[0].Pinned = true
	r, _ = watch(t, w, "wait")
	expectValues(t, r, map[string]float64{"jobs_done": 2, "utilization": 1, "utilization_enforced": 1})
}
