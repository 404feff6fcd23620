package catalog

import (
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// FlashCrowd grows from 11 to 229 jobs a minute within five minutes and ebbs over
// more than half an hour: the shape of the 1998 World Cup site's peak, at a
// thousandth of its size and in less time (11,083 to 229,426 requests a minute;
// M. Arlitt, T. Jin, HP Laboratories 1999-35). The operator adds an endpoint two
// minutes after the peak; a slower vendor has room all the time.
func FlashCrowd() (experiment.Scenario, error) { return provider.New(flashCrowd()) }

func flashCrowd() provider.World {
	const perMinute = 1 / 60.0
	endpoint := func(vendor, id string, capacity int, median time.Duration) provider.Endpoint {
		return provider.Endpoint{
			Vendor: vendor, ID: id, Capacity: capacity, Weight: 1, Median: median, Sigma: 0.4, TailRate: 0.01, TailFactor: 4, ErrorRate: 0.003,
		}
	}
	return production(provider.World{
		Name:      "flash_crowd",
		Summary:   "twenty times the jobs within five minutes, ebbing over half an hour; help comes two minutes after the peak",
		Mechanism: "Overflow to a slow vendor finishes what the fast one has no room for, at the price of latency; a fair queue fills with jobs that will be late by the time they are served.",
		Endpoints: []provider.Endpoint{
			endpoint("own", "own-a", 2, 500*time.Millisecond), endpoint("own", "own-b", 2, 500*time.Millisecond),
			endpoint("own", "own-extra", 5, 500*time.Millisecond), endpoint("cloud", "cloud", 40, 2500*time.Millisecond),
		},
		Workload: provider.Workload{
			Jobs: 4600, StepsPerJob: 2, CallsPerStep: 2, Horizon: 45 * time.Minute, Patience: 30 * time.Second,
			Arrivals: &provider.Arrivals{Profile: []provider.RatePoint{
				{At: 5 * time.Minute, Rate: 11 * perMinute}, {At: 10 * time.Minute, Rate: 229 * perMinute},
				{At: 20 * time.Minute, Rate: 110 * perMinute}, {At: 45 * time.Minute, Rate: 20 * perMinute},
			}},
		},
		Changes:     []provider.Change{{At: 12 * time.Minute, Endpoint: "own-extra", Kind: provider.Publish}},
		Contestants: []string{"immediate", "wait", "backoff", "sticky", "failover(pools=own|cloud)"},
		Unsuited:    map[string]string{"least_busy": leastBusyIsWait, "quota_aware": quotaIsWait},
	})
}
