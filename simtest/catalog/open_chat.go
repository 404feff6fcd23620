package catalog

import "github.com/ranktest/ranktest/simtest/experiment"

// OpenChat replays the busiest 600 requests of the Azure conversation trace of
// 2023: nearly Poisson arrivals, of long requests.
func OpenChat() (experiment.Scenario, error) {
	return openLLM("open_chat", "conversations on Azure in 2023, their busiest 70 seconds: steady arrivals of long requests",
		"Arrivals are nearly Poisson and there is room, so waiting and sleeping do the same work; sleeping past a free place costs the last percent, and turning away one in twenty costs those jobs.",
		"azure_llm_2023_conv_busiest600", 12)
}
