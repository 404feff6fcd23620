package provider

import (
	"math"
	"math/bits"
	"time"
)

// LimitKind is how a limit counts.
type LimitKind string

const (
	// FixedWindow counts from scratch in each window [k*Window, (k+1)*Window):
	// a daily quota is one of 24 h.
	FixedWindow LimitKind = "fixed_window"
	// SlidingWindow counts what was admitted in (now-Window, now].
	SlidingWindow LimitKind = "sliding_window"
	// TokenBucket holds up to Burst tokens, at first all of them, and gets
	// Amount more per Window, evenly: what is admitted in (0, t] is never more
	// than Burst + t*Amount/Window, and exactly the whole part of it for a
	// client that always asks.
	TokenBucket LimitKind = "token_bucket"
)

// Limit is a quota that an endpoint enforces. It counts admitted requests,
// each as 1, or as Cache.Cost if the cache knew what it was about; all of it is
// integer arithmetic, so the boundaries are exact.
type Limit struct {
	Kind   LimitKind
	Amount int
	Window time.Duration
	// Burst is the size of a TokenBucket; 0 stands for Amount.
	Burst int
}

// parts of a request are what limits count in, so that a cached one can count
// for less than a whole.
const parts = 1000

// limiter is a limit at work. It is asked with growing times.
type limiter interface {
	// wait returns how long it takes until a request of that cost passes; 0 if
	// it passes now.
	wait(now time.Duration, cost int64) time.Duration
	// take counts a request that passes.
	take(now time.Duration, cost int64)
}

func (l *Limit) start() limiter {
	switch l.Kind {
	case FixedWindow:
		return &fixedWindow{amount: int64(l.Amount) * parts, window: l.Window}
	case SlidingWindow:
		return &slidingWindow{amount: int64(l.Amount) * parts, window: l.Window}
	}
	burst := int64(l.Burst)
	if burst == 0 {
		burst = int64(l.Amount)
	}
	return newTokenBucket(int64(l.Amount), burst, l.Window)
}

type fixedWindow struct {
	amount, used int64
	window       time.Duration
	number       time.Duration // of the window that used belongs to
}

func (w *fixedWindow) wait(now time.Duration, cost int64) time.Duration {
	if number := now / w.window; number != w.number {
		w.number, w.used = number, 0
	}
	if w.used+cost <= w.amount {
		return 0
	}
	return (w.number+1)*w.window - now
}

func (w *fixedWindow) take(_ time.Duration, cost int64) { w.used += cost }

type slidingWindow struct {
	amount, used int64
	window       time.Duration
	log          []charged // what counts, oldest first
}

type charged struct {
	at   time.Duration
	cost int64
}

func (w *slidingWindow) wait(now time.Duration, cost int64) time.Duration {
	for len(w.log) > 0 && w.log[0].at+w.window <= now {
		w.used -= w.log[0].cost
		w.log = w.log[1:]
	}
	excess := w.used + cost - w.amount
	for i := 0; excess > 0; i++ {
		if excess -= w.log[i].cost; excess <= 0 {
			return w.log[i].at + w.window - now
		}
	}
	return 0
}

func (w *slidingWindow) take(now time.Duration, cost int64) {
	if cost > 0 {
		w.used += cost
		w.log = append(w.log, charged{now, cost})
	}
}

// tokenBucket counts in units of which every nanosecond brings rate, so that
// no fraction is ever dropped: part of a request is unit/parts of them.
type tokenBucket struct {
	rate, unit  int64
	level, full int64
	at          time.Duration
}

// newTokenBucket makes a bucket of amount per window.
func newTokenBucket(amount, burst int64, window time.Duration) *tokenBucket {
	rate, unit := lowest(amount, window)
	full := burst * parts * unit
	return &tokenBucket{rate: rate, unit: unit, level: full, full: full}
}

// lowest returns rate and unit of a bucket in lowest terms, to keep its
// numbers small.
func lowest(amount int64, window time.Duration) (rate, unit int64) {
	a, b := amount*parts, int64(window)
	for b != 0 {
		a, b = b, a%b
	}
	return amount * parts / a, int64(window) / a
}

// fits reports whether the numbers of a bucket fit into 64 bits.
func (l *Limit) fits() bool {
	_, unit := lowest(int64(l.Amount), l.Window)
	high, low := bits.Mul64(uint64(max(l.Burst, l.Amount)*parts), uint64(unit))
	return high == 0 && low < math.MaxInt64/4
}

func (b *tokenBucket) wait(now time.Duration, cost int64) time.Duration {
	// Beyond what fills it, more time makes no difference, and would not fit.
	missing := b.full - b.level
	if elapsed := int64(now - b.at); elapsed > missing/b.rate {
		b.level = b.full
	} else {
		b.level += elapsed * b.rate
	}
	b.at = now
	lacking := cost*b.unit - b.level
	if lacking <= 0 {
		return 0
	}
	return time.Duration((lacking + b.rate - 1) / b.rate)
}

func (b *tokenBucket) take(_ time.Duration, cost int64) { b.level -= cost * b.unit }
