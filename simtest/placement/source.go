package placement

import (
	"math/big"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Source makes traces: the exogenous half of a scenario.
type Source interface {
	// Validate names the first field that makes no sense.
	Validate() error
	// Trace makes the trace of a seed, the same one every time.
	Trace(seed *big.Int) (*Trace, error)
	// Assumptions lists all parameters.
	Assumptions() experiment.Assumptions
}
