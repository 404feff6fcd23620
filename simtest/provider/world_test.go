package provider_test

import (
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/provider"
)

// baseWorld is the base scenario's world, to be varied.
func baseWorld() provider.World {
	s, err := catalog.BurstyProvider()
	if err != nil {
		panic(err)
	}
	return s.(*provider.Scenario).World()
}
