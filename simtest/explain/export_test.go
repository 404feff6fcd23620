package explain

// What the tests look at by itself.
var (
	NewSupply   = newSupply
	StormShare  = stormShare
	Reach       = reach
	Quota       = quota
	Leases      = leases
	ArrivalRate = arrivalRate
	MeanSize    = meanSize
)

// Supply is what an endpoint can do.
type Supply = supply

func (s supply) Levels() (low, high int, mean float64) { return s.low, s.high, s.mean }
func (s supply) Latency() float64                      { return s.latency }
func (s supply) Failing() float64                      { return s.failing }
func (s supply) Rate() (float64, string)               { return s.rate, s.binds }
