package pool_test

import (
	"testing"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// newPool makes a pool with resources, named "test".
func newPool(t testing.TB, clk clock.Clock, o pool.Options, resources ...pool.Resource) *pool.Pool {
	t.Helper()
	p, err := pool.New("test", clk, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range resources {
		if err := p.Publish(r); err != nil {
			t.Fatal(err)
		}
	}
	return p
}
