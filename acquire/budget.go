package acquire

import (
	"fmt"
	"math"
	"sync"
)

// Budget is a retry budget: a token bucket that all callers of one service
// share, so that an outage is not answered by a multiple of the usual load.
//
//	starts full:      tokens = burst
//	an operation:     tokens = min(burst, tokens + ratio)
//	a retry:          needs a whole token, and takes it
//
// Hence retries <= burst + ratio * operations, at any time and for any outcome,
// and after an outage of any length 1/ratio further operations earn the next
// retry. The refill counts operations, not their successes: a bucket that only
// successes fill stays empty for as long as it is retries that would succeed.
//
// It is safe for concurrent use.
type Budget struct {
	ratio, burst int64 // in parts of a token

	mu     sync.Mutex
	tokens int64
}

// parts of a token are counted in integers: ten times 0.1 is one token.
const parts = 1_000_000

// NewBudget returns a full budget of burst tokens, to which every operation
// adds ratio (from 0 to 1, exact to a millionth): 0.1 allows one retry for ten
// operations in the long run.
func NewBudget(ratio float64, burst int) (*Budget, error) {
	if !(ratio >= 0 && ratio <= 1) {
		return nil, fmt.Errorf("acquire: retry budget: ratio %v: must be from 0 to 1 retries per operation", ratio)
	}
	if burst < 1 || burst > math.MaxInt32 {
		return nil, fmt.Errorf("acquire: retry budget: burst %d: must be from 1 to %d retries", burst, math.MaxInt32)
	}
	full := int64(burst) * parts
	return &Budget{ratio: int64(math.Round(ratio * parts)), burst: full, tokens: full}, nil
}

// Operation counts the first attempt of an operation.
func (b *Budget) Operation() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(b.burst, b.tokens+b.ratio)
}

// Retry takes a token for a retry, or reports false if there is none.
func (b *Budget) Retry() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens < parts {
		return false
	}
	b.tokens -= parts
	return true
}

// Tokens returns the number of tokens left, from 0 to burst.
func (b *Budget) Tokens() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return float64(b.tokens) / parts
}
