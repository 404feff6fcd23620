package catalog

import "github.com/ranktest/ranktest/simtest/experiment"

// OpenCode replays the busiest 600 requests of the Azure code completion trace
// of 2023: bursts of up to 63 requests a second, most of them short.
func OpenCode() (experiment.Scenario, error) {
	return openLLM("open_code", "code completion on Azure in 2023, its busiest 47 seconds: bursts of short requests",
		"In bursts of 63 requests a second first come, first served keeps the last from starving, so wait has the tail; newcomers of backoff have not learned to sleep long and overtake, so it has the median; immediate loses what it does not find room for.",
		"azure_llm_2023_code_busiest600", 7)
}
