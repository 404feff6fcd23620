package provider

import (
	"math"
	"testing"
	"time"
)

// Whatever the law and the tail, the mean latency is the mean that was asked
// for.
func TestMeanIsTheMeanOfEveryLaw(t *testing.T) {
	for _, e := range []Endpoint{
		{Law: Deterministic}, {Law: Exponential}, {Sigma: 0.5}, {Sigma: 1},
		{Sigma: 0.5, TailRate: 0.02, TailFactor: 10}, {Law: Exponential, TailRate: 0.1, TailFactor: 3}, {Law: Deterministic, TailRate: 0.5},
	} {
		e.ID, e.Mean = "x", time.Second
		d := newKeyedDraws(&World{Endpoints: []Endpoint{e}}, 1)
		e.Median = e.median()
		const n = 200_000
		sum, squares := 0.0, 0.0
		for i := range uint64(n) {
			x := e.latency(d.request(0, i)).Seconds()
			sum, squares = sum+x, squares+x*x
		}
		mean := sum / n
		if se := math.Sqrt(max(0, squares/n-mean*mean) / n); math.Abs(mean-1) > 4*se+1e-9 {
			t.Errorf("%s, sigma %v, tail %v x %v: the mean is %.4f, want 1 ± %.4f", e.Law, e.Sigma, e.TailRate, e.TailFactor, mean, 4*se)
		}
	}
}

func TestLawsShareTheirMedian(t *testing.T) {
	for _, e := range []Endpoint{{Law: Deterministic}, {Law: Exponential}, {Sigma: 0.7}} {
		e.ID, e.Median = "x", time.Second
		for _, d := range []worldDraws{newKeyedDraws(&World{Endpoints: []Endpoint{e}}, 2), newPythonDraws(&World{Endpoints: []Endpoint{e}}, 2)} {
			below, n := 0, 4000
			for i := range n {
				if e.latency(d.request(0, uint64(i+1))) <= time.Second {
					below++
				}
			}
			if share := float64(below) / float64(n); e.Law != Deterministic && math.Abs(share-0.5) > 0.03 || e.Law == Deterministic && below != n {
				t.Errorf("%q, %T: %.3f of the latencies are up to the median", e.Law, d, share)
			}
		}
	}
}

func TestCircumstancesChangeALatency(t *testing.T) {
	e := endpointState{Endpoint: Endpoint{Slowdown: 0.01, Cache: &Cache{Factor: 0.2}}, inFlight: 50}
	for _, c := range []struct {
		size  float64
		known bool
		want  time.Duration
	}{{0, false, 1500}, {1, false, 1500}, {2, false, 3000}, {0, true, 300}, {0.5, true, 150}} {
		if got := e.modified(1000, c.size, c.known); got != c.want {
			t.Errorf("size %v, known %v: 1 µs becomes %v, want %v", c.size, c.known, got, c.want)
		}
	}
}

func TestOutagesEndWhereTheyEnd(t *testing.T) {
	o := outages{{From: 10, Until: 20, ErrorRate: 1}, {From: 20, Until: 30, ErrorRate: 0.5}, {From: 40, Until: 50}}
	for _, c := range []struct {
		at   time.Duration
		want time.Duration // of the outage's beginning; -1 is none
	}{{0, -1}, {9, -1}, {10, 10}, {19, 10}, {20, 20}, {29, 20}, {30, -1}, {45, 40}, {50, -1}, {1000, -1}} {
		got := time.Duration(-1)
		if down := o.at(c.at); down != nil {
			got = down.From
		}
		if got != c.want {
			t.Errorf("at %d: the outage that began at %d, want %d", c.at, got, c.want)
		}
	}
}
