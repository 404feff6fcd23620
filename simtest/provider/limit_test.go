package provider

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// ask puts whole requests to a limit at the given instants and returns, for
// each, how long it was told to wait.
func ask(l Limit, at ...time.Duration) []time.Duration {
	s, told := l.start(), []time.Duration{}
	for _, t := range at {
		wait := s.wait(t, parts)
		if wait == 0 {
			s.take(t, parts)
		}
		told = append(told, wait)
	}
	return told
}

func TestLimitsByHand(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name     string
		limit    Limit
		at, want []time.Duration
	}{
		{"a fixed window starts afresh at its edge", Limit{Kind: FixedWindow, Amount: 2, Window: 10 * s},
			[]time.Duration{8 * s, 9 * s, 9 * s, 10*s - 1, 10 * s, 10 * s, 11 * s},
			[]time.Duration{0, 0, s, 1, 0, 0, 9 * s}},
		{"a sliding window forgets exactly a window later", Limit{Kind: SlidingWindow, Amount: 2, Window: 10 * s},
			[]time.Duration{8 * s, 9 * s, 10 * s, 18*s - 1, 18 * s, 18 * s, 19 * s},
			[]time.Duration{0, 0, 8 * s, 1, 0, s, 0}},
		{"a bucket has its burst, and then one token every 5 s", Limit{Kind: TokenBucket, Amount: 2, Window: 10 * s, Burst: 3},
			[]time.Duration{0, 0, 0, 0, 5*s - 1, 5 * s, 5 * s, 100 * s, 100 * s, 100 * s, 100 * s},
			[]time.Duration{0, 0, 0, 5 * s, 1, 0, 5 * s, 0, 0, 0, 5 * s}},
		{"a bucket with a rate that is no whole number of nanoseconds", Limit{Kind: TokenBucket, Amount: 3, Window: 10 * s, Burst: 1},
			[]time.Duration{0, 3333333333, 3333333334, 6666666667, 6666666668},
			[]time.Duration{0, 1, 0, 1, 0}},
		{"a daily quota", Limit{Kind: FixedWindow, Amount: 1, Window: 24 * time.Hour},
			[]time.Duration{time.Hour, 2 * time.Hour, 24 * time.Hour},
			[]time.Duration{0, 22 * time.Hour, 0}},
	} {
		got := ask(c.limit, c.at...)
		for i := range c.at {
			if got[i] != c.want[i] {
				t.Errorf("%s: the request at %v is told to wait %v, want %v", c.name, c.at[i], got[i], c.want[i])
			}
		}
	}
}

// Whoever comes back after the time that it was told passes, and not a
// nanosecond before; whatever the kind, the cost and the history.
func TestRetryAfterIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		l := Limit{
			Kind:   []LimitKind{FixedWindow, SlidingWindow, TokenBucket}[r.IntN(3)],
			Amount: 1 + r.IntN(20), Window: time.Duration(1 + r.Int64N(int64(time.Minute))),
		}
		s, now := l.start(), time.Duration(0)
		for range 200 {
			now += time.Duration(r.Int64N(1 + int64(l.Window)/int64(l.Amount)))
			cost := int64(r.IntN(parts + 1))
			wait := s.wait(now, cost)
			if wait > 1 {
				if s.wait(now+wait-1, cost) == 0 {
					t.Fatalf("%+v: passes before the %v that it was told at %v", l, wait, now)
				}
			}
			now += wait
			if again := s.wait(now, cost); again != 0 {
				t.Fatalf("%+v: told to wait %v, and then %v more", l, wait, again)
			}
			s.take(now, cost)
		}
	}
}

// No client gets more than burst + rate*t out of a bucket by t, and a client
// that always asks gets the whole part of it: in integers.
func TestTokenBucketAdmitsItsBurstAndItsRate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		l := Limit{Kind: TokenBucket, Amount: 1 + r.IntN(50), Window: time.Duration(1e6 + r.Int64N(1e12)), Burst: 1 + r.IntN(30)}
		allowed := func(at time.Duration) int64 {
			n := new(big.Int).Mul(big.NewInt(int64(at)), big.NewInt(int64(l.Amount)))
			return int64(l.Burst) + n.Div(n, big.NewInt(int64(l.Window))).Int64()
		}
		greedy, at, n := l.start(), time.Duration(0), int64(0)
		for range 500 {
			for {
				wait := greedy.wait(at, parts)
				if wait > 0 {
					break
				}
				greedy.take(at, parts)
				n++
			}
			if n != allowed(at) {
				t.Fatalf("%+v: a greedy client got %d by %v, want %d", l, n, at, allowed(at))
			}
			at += greedy.wait(at, parts)
		}
		casual, at, n := l.start(), 0, int64(0)
		for range 500 {
			at += time.Duration(r.Int64N(2 * int64(l.Window) / int64(l.Amount)))
			if casual.wait(at, parts) == 0 {
				casual.take(at, parts)
				n++
			}
			if n > allowed(at) {
				t.Fatalf("%+v: a client got %d by %v, more than %d", l, n, at, allowed(at))
			}
		}
	}
}

func TestCachedRequestsCountForLess(t *testing.T) {
	e := endpointState{Endpoint: Endpoint{Cache: &Cache{Cost: 0.25}}, limits: []limiter{(&Limit{Kind: FixedWindow, Amount: 2, Window: time.Minute}).start()}}
	for i, c := range []struct {
		known bool
		want  time.Duration
	}{{false, 0}, {true, 0}, {true, 0}, {false, time.Minute}, {true, 0}, {true, 0}, {true, time.Minute}} {
		if got := e.charge(0, c.known); got != c.want {
			t.Errorf("request %d is told to wait %v, want %v", i, got, c.want)
		}
	}
}

// A request passes all limits or counts in none.
func TestLimitsOfAnEndpointAreChargedTogether(t *testing.T) {
	e := endpointState{limits: []limiter{
		(&Limit{Kind: FixedWindow, Amount: 3, Window: time.Hour}).start(),
		(&Limit{Kind: FixedWindow, Amount: 1, Window: time.Minute}).start(),
	}}
	for i, c := range []struct{ at, want time.Duration }{
		{0, 0}, {time.Second, 59 * time.Second}, {time.Minute, 0}, {2 * time.Minute, 0}, {3 * time.Minute, 57 * time.Minute},
	} {
		if got := e.charge(c.at, false); got != c.want {
			t.Errorf("request %d is told to wait %v, want %v", i, got, c.want)
		}
	}
}
