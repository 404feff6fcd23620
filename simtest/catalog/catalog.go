// Package catalog holds the scenarios that ship with ranktest, by name.
package catalog

import "github.com/ranktest/ranktest/simtest/experiment"

// Entry is a scenario that can be made.
type Entry struct {
	Name string
	New  func() (experiment.Scenario, error)
}

// All lists every scenario, in the order in which reports show them.
func All() []Entry {
	return append([]Entry{
		{"bursty_provider", BurstyProvider},
		{"bursty_provider_fair", BurstyProviderFair},
		{"bursty_provider_open", BurstyProviderOpen},
		{"multi_vendor_failover", MultiVendorFailover},
		{"dead_endpoint", DeadEndpoint},
		{"black_hole", BlackHole},
		{"thundering_herd", ThunderingHerd},
		{"cache_affinity", CacheAffinity},
		{"acquire_deadlines", AcquireDeadlines},
		{"quota_plan", QuotaPlan},
		{"retry_storm", RetryStorm},
		{"retry_storm_budget", RetryStormBudget},
		{"open_code", OpenCode},
		{"open_chat", OpenChat},
		{"flash_crowd", FlashCrowd},
		{"same_instant", SameInstant},
		{"calm", Calm},
	}, placements()...)
}
