package pool_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/pool"
)

// pick leases n times without releasing and returns the ids, "-" for none.
func (s *sim) pick(n int, q pool.Query) string {
	var ids []string
	for range n {
		l, err := s.p.TryAcquire(s.ctx, q)
		if err != nil {
			ids = append(ids, "-")
			continue
		}
		ids = append(ids, l.ResourceID())
	}
	return strings.Join(ids, " ")
}

// By hand, with k in front: the lowest active/capacity first, ties by number
// k mod n in order of publication.
//
//	0: 0/2 0/3 0/1 -> abc, 0 mod 3 = a
//	1: 1/2 0/3 0/1 ->  bc, 1 mod 2 = c
//	2: 1/2 0/3 1/1 ->   b
//	3: 1/2 1/3 1/1 ->   b
//	4: 1/2 2/3 1/1 ->   a
//	5: 2/2 2/3 1/1 ->   b, and then all are full
func TestLeastBusyThenRotation(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 2), res("b", 3), res("c", 1)}, func(s *sim) {
		if got, want := s.pick(7, pool.Query{}), "a c b b a b -"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// Loads are compared exactly: 1/3 = 2/6, and 333333/1000000 < 1/3.
func TestLoadsAreExactFractions(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 3), res("b", 6)}, func(s *sim) {
		s.lease(pool.Query{ID: "a"})
		s.lease(pool.Query{ID: "b"})
		s.lease(pool.Query{ID: "b"})
		s.lease(pool.Query{ID: "b"}).Release() // k = 4: a tie of two begins with a
		if got, want := s.pick(2, pool.Query{}), "a b"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
	simulate(t, pool.Options{}, []pool.Resource{res("a", 3), res("b", 1_000_000)}, func(s *sim) {
		s.lease(pool.Query{ID: "a"})
		for range 333_333 {
			s.lease(pool.Query{ID: "b"})
		}
		if got, want := s.pick(2, pool.Query{}), "b a"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// The rotation moves with every lease handed out, on every path, and with
// nothing else.
func TestRotationCountsLeases(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *sim)
		want string // the next choice among a b c
	}{
		{"nothing", func(*sim) {}, "a"},
		{"a lease", func(s *sim) { s.lease(pool.Query{}).Release() }, "b"},
		{"a lease by id", func(s *sim) { s.lease(pool.Query{ID: "c"}).Release() }, "b"},
		{"a lease by filter", func(s *sim) { s.lease(pool.Query{Filter: is("c")}).Release() }, "b"},
		{"a lease by rank", func(s *sim) { s.lease(pool.Query{Rank: preferring("c")}).Release() }, "b"},
		{"a lease that was waited for", func(s *sim) {
			l := s.lease(pool.Query{ID: "a"})
			s.waiter("w", pool.Query{ID: "a"}, 0)
			s.v.Sleep(s.ctx, 1)
			l.Release()
			s.v.Sleep(s.ctx, 1)
		}, "c"},
		{"a failure", func(s *sim) { s.p.TryAcquire(s.ctx, pool.Query{Filter: is("x")}) }, "a"},
		{"an unknown id", func(s *sim) { s.p.TryAcquire(s.ctx, pool.Query{ID: "x"}) }, "a"},
		{"a report", func(s *sim) { s.lease(pool.Query{}).Report(pool.Outcome{}); s.p.Publish(res("a", 1)) }, "b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulate(t, pool.Options{}, []pool.Resource{res("a", 1), res("b", 1), res("c", 1)}, func(s *sim) {
				c.do(s)
				if got := s.pick(1, pool.Query{}); got != c.want {
					t.Errorf("the next lease is of %s, want %s", got, c.want)
				}
			})
		})
	}
}

func is(id string) pool.Filter { return func(v pool.View) bool { return v.ID() == id } }

func preferring(id string) func(pool.View) pool.Score {
	return func(v pool.View) pool.Score {
		if v.ID() == id {
			return pool.Score{1}
		}
		return pool.Score{}
	}
}

// The score comes before the load, exactly and number by number.
func TestRank(t *testing.T) {
	score := map[string]pool.Score{}
	rank := func(v pool.View) pool.Score { return score[v.ID()] }
	for _, c := range []struct {
		name    string
		a, b, c pool.Score
		want    string
	}{
		{"equal scores: rotation", pool.Score{1, 2}, pool.Score{1, 2}, pool.Score{1, 2}, "a c b -"},
		{"the first number decides", pool.Score{1, 0}, pool.Score{2, -5}, pool.Score{1, 9}, "b c a -"},
		{"then the second", pool.Score{1, 2}, pool.Score{1, 1}, pool.Score{1, 3}, "c a b -"},
		{"the smallest difference counts", pool.Score{1}, pool.Score{math.Nextafter(1, 2)}, pool.Score{math.Nextafter(1, 0)}, "b a c -"},
		{"minus zero is zero", pool.Score{math.Copysign(0, -1)}, pool.Score{0}, pool.Score{-1}, "a b c -"},
		{"infinities", pool.Score{math.Inf(-1)}, pool.Score{math.Inf(1)}, pool.Score{0}, "b c a -"},
		{"NaN is below everything", pool.Score{math.NaN(), 9}, pool.Score{math.Inf(-1)}, pool.Score{math.NaN(), 10}, "b c a -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			score["a"], score["b"], score["c"] = c.a, c.b, c.c
			simulate(t, pool.Options{}, []pool.Resource{res("a", 1), res("b", 1), res("c", 1)}, func(s *sim) {
				if got := s.pick(4, pool.Query{Rank: rank}); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			})
		})
	}
}

// A rank can follow what the pool measures.
func TestRankByMeasurements(t *testing.T) {
	fast := func(v pool.View) pool.Score { return pool.Score{-v.Latency().Seconds()} }
	simulate(t, pool.Options{}, []pool.Resource{res("a", 9), res("b", 9)}, func(s *sim) {
		a, b := s.lease(pool.Query{ID: "a"}), s.lease(pool.Query{ID: "b"})
		a.Report(pool.Outcome{Latency: 2 * sec})
		b.Report(pool.Outcome{Latency: 1 * sec})
		if got := s.pick(3, pool.Query{Rank: fast}); got != "b b b" {
			t.Errorf("%s, want the faster one", got)
		}
		b.Report(pool.Outcome{Latency: 60 * sec})
		if got := s.pick(1, pool.Query{Rank: fast}); got != "a" {
			t.Errorf("%s, want the faster one", got)
		}
	})
}

func TestViewShowsWhatWasPublishedAndReported(t *testing.T) {
	a := pool.Resource{
		ID: "a", Kind: "endpoint", Capacity: 7, Tags: map[string]string{"zone": "eu", "api_key": "s3cret"},
		Quota: map[string]float64{"tokens": 100, "requests": 0},
	}
	simulate(t, pool.Options{}, []pool.Resource{a}, func(s *sim) {
		l := s.lease(pool.Query{})
		l.Report(pool.Outcome{Latency: sec, Usage: map[string]float64{"tokens": 40, "bytes": 8}})
		l.Report(pool.Outcome{Err: errDown, Usage: map[string]float64{
			"tokens": 2, "requests": -1, "bytes": math.NaN(), "calls": math.Inf(1),
		}})
		seen := false
		s.lease(pool.Query{Filter: func(v pool.View) bool {
			seen = true
			quota, declared := v.Quota("tokens")
			_, unknown := v.Quota("bytes")
			zero, known := v.Quota("requests")
			switch {
			case v.ID() != "a" || v.Kind() != "endpoint" || v.Capacity() != 7 || v.Active() != 1:
				t.Error("id, kind, capacity or active")
			case v.Tag("zone") != "eu" || v.Tag("api_key") != "s3cret" || v.Tag("x") != "":
				t.Error("tags")
			case quota != 100 || !declared || unknown || zero != 0 || !known:
				t.Error("quota")
			case v.Used("tokens") != 42 || v.Used("bytes") != 8 || v.Used("requests") != 0 || v.Used("calls") != 0 || v.Used("x") != 0:
				t.Error("usage")
			case v.Latency() != sec:
				t.Error("latency")
			}
			return true
		}})
		if !seen {
			t.Error("the filter was not asked")
		}
	})
}

func TestCapacityChanges(t *testing.T) {
	for _, order := range orders {
		simulate(t, pool.Options{Order: order}, []pool.Resource{res("a", 2)}, func(s *sim) {
			l1, l2 := s.lease(pool.Query{}), s.lease(pool.Query{})
			for _, name := range []string{"1st", "2nd", "3rd"} {
				s.waiter(name, pool.Query{}, 10*sec)
			}
			s.until(1 * sec)
			s.p.SetCapacity("a", 4)
			s.until(2 * sec)
			s.p.SetCapacity("a", 1) // nobody loses a lease
			s.states("a: ready, 4 of 1 leased")
			l1.Release()
			l2.Release()
			s.until(60 * sec)
			s.timeline("1s 1st gets a", "1s 2nd gets a", "11s 3rd gets a")
			s.states("a: ready, 0 of 1 leased")
		})
	}
}

func TestBadInput(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		quota := func(x float64) map[string]float64 { return map[string]float64{"tokens": x} }
		for want, err := range map[string]error{
			`resource: field "ID": empty`:                      s.p.Publish(pool.Resource{Capacity: 1}),
			`resource "b": field "Capacity": 0: must be`:       s.p.Publish(res("b", 0)),
			`resource "b": field "Capacity": -1: must be`:      s.p.Publish(res("b", -1)),
			`"b": field "Capacity": 2147483648: must be`:       s.p.Publish(res("b", math.MaxInt32+1)),
			`resource "b": field "Quota": "tokens": NaN: must`: s.p.Publish(pool.Resource{ID: "b", Capacity: 1, Quota: quota(math.NaN())}),
			`"b": field "Quota": "tokens": +Inf: must`:         s.p.Publish(pool.Resource{ID: "b", Capacity: 1, Quota: quota(math.Inf(1))}),
			`"b": field "Quota": "tokens": -1: must`:           s.p.Publish(pool.Resource{ID: "b", Capacity: 1, Quota: quota(-1)}),
			`resource "a": field "Capacity": 0: must be`:       s.p.SetCapacity("a", 0),
			`resource "x": pool: not published`:                s.p.SetCapacity("x", 1),
			`pool "test": resource "x": pool: not pub`:         s.p.Revoke("x"),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v\nwant %s", err, want)
			}
		}
		if err := s.p.Revoke("x"); !errors.Is(err, pool.ErrRevoked) {
			t.Errorf("%v, want ErrRevoked", err)
		}
		s.states("a: ready, 0 of 1 leased")
	})
	for want, o := range map[string]pool.Options{
		`field "Order": 7`:             {Order: 7},
		`field "SlowWait": -1ns`:       {SlowWait: -1},
		`field "LeakAfter": -1ns`:      {LeakAfter: -1},
		`field "DegradeAfter": -1`:     {Health: pool.Health{DegradeAfter: -1}},
		`field "DeadAfter": -1`:        {Health: pool.Health{DeadAfter: -1}},
		`field "Cooldown": -1ns`:       {Health: pool.Health{Cooldown: -1}},
		`field "Cooldown": 0s`:         {Health: pool.Health{DegradeAfter: 1}},
		`health: field "Cooldown": 0s`: {Health: pool.Health{Probe: true}},
		`field "MaxRetryAfter": -1ns`:  {Health: pool.Health{MaxRetryAfter: -1}},
	} {
		if _, err := pool.New("bad", newClock(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v\nwant %s", o, err, want)
		}
	}
	if _, err := pool.New("bad", nil, pool.Options{}); err == nil {
		t.Error("a pool without a clock")
	}
}
