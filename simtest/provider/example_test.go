package provider_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// Two vendors, their limits, and your traffic: which algorithm?
func twoVendorShop() (experiment.Scenario, error) {
	return provider.New(provider.World{
		Name:    "my_shop",
		Summary: "two vendors with limits of their own, and five jobs a second",
		Endpoints: []provider.Endpoint{{
			Vendor: "acme", ID: "acme-large", Capacity: 8, Weight: 1,
			Median: 800 * time.Millisecond, Sigma: 0.4, ErrorRate: 0.01,
			Limits: []provider.Limit{{Kind: provider.TokenBucket, Amount: 300, Window: time.Minute}},
		}, {
			Vendor: "backup", ID: "backup-eu", Capacity: 20, Weight: 1,
			Median: 1500 * time.Millisecond, Sigma: 0.3, ErrorRate: 0.005,
		}},
		Cycle: provider.Cycle{Peak: 1},
		Workload: provider.Workload{
			Jobs: 3000, StepsPerJob: 1, CallsPerStep: 2, Horizon: 10 * time.Minute,
			Arrivals: &provider.Arrivals{Rate: 5}, Patience: 20 * time.Second,
		},
		Retry:       acquire.DefaultRetry(),
		Health:      pool.DefaultHealth(),
		Contestants: []string{"immediate", "wait", "backoff", "failover(pools=acme|backup)"},
	})
}

func Example_twoVendors() {
	s, err := twoVendorShop()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := experiment.Sweep(context.Background(), s, experiment.Options{Seeds: []uint64{1, 2, 3, 4, 5, 6}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ranking, err := experiment.Rank(result, experiment.Calibrated)
	if err != nil {
		fmt.Println(err)
		return
	}
	row := ranking.Row("jobs_done")
	fmt.Println("most jobs done:", row.Winners)
	for _, c := range row.Eligible {
		fmt.Printf("%-28s %4.0f\n", c.Contestant, c.Mean)
	}
	// Output:
	// most jobs done: [failover(pools=acme|backup)]
	// immediate                     735
	// wait                          377
	// backoff                       501
	// failover(pools=acme|backup)  2340
}
