package provider

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/draws"
)

// referenceDraws is the file of the reference's rolls.
type referenceDraws struct {
	Seed      uint64
	Endpoints map[string][][6]float64 // ordinal, latency, failure, kind, z, tail
	Storms    map[string][][3]any     `json:"storm_windows"`   // window, roll, starts
	Retries   [][4]any                `json:"retry_delays"`    // key, raw, delay, rounded
	Acquires  [][2]any                `json:"acquire_backoff"` // key, six delays
}

// World is what the file was made with, as far as latency goes.
var drawsWorld = World{Endpoints: []Endpoint{
	{ID: "fast-flaky", Median: 250e6, Sigma: 0.5, TailRate: 0.02, TailFactor: 5, Storm: Storm{Rate: 0.08}},
	{ID: "slow-steady", Median: 1200e6, Sigma: 0.3, TailRate: 0.01, TailFactor: 4, Storm: Storm{Rate: 0.02}},
	{ID: "metered", Median: 500e6, Sigma: 0.6, TailRate: 0.03, TailFactor: 6, Storm: Storm{Rate: 0.05}},
}}

func TestRollsAreThoseOfTheReference(t *testing.T) {
	f, err := os.Open("testdata/draws.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var want referenceDraws
	if err := json.NewDecoder(z).Decode(&want); err != nil {
		t.Fatal(err)
	}
	d := newPythonDraws(&drawsWorld, want.Seed)
	for i, e := range drawsWorld.Endpoints {
		if len(want.Endpoints[e.ID]) < 100 || len(want.Storms[e.ID]) < 10 {
			t.Fatalf("%s: the file has %d requests and %d windows", e.ID, len(want.Endpoints[e.ID]), len(want.Storms[e.ID]))
		}
		for _, w := range want.Endpoints[e.ID] {
			r := d.request(i, uint64(w[0]))
			if r.failure != w[2] || r.kind != w[3] || r.tail != w[5] {
				t.Errorf("%s #%v: failure, kind, tail are %v, %v, %v, want %v", e.ID, w[0], r.failure, r.kind, r.tail, w)
			}
			// One unit in the last place for the normal variate; the latency
			// is a rounded exponential of it.
			if unit := math.Nextafter(math.Abs(w[4]), 9) - math.Abs(w[4]); math.Abs(r.z-w[4]) > unit {
				t.Errorf("%s #%v: z is %v, want %v", e.ID, w[0], r.z, w[4])
			}
			if got := e.latency(r); math.Abs(float64(got)-w[1]*1e9) > 0.5001 {
				t.Errorf("%s #%v: latency is %v, want %v s to the nearest nanosecond", e.ID, w[0], got, w[1])
			}
		}
		for _, w := range want.Storms[e.ID] {
			roll := d.storm(i, uint64(w[0].(float64)))
			if roll != w[1] || (roll < e.Storm.Rate) != w[2] {
				t.Errorf("%s: window %v rolls %v, want %v", e.ID, w[0], roll, w)
			}
		}
	}
	compareClient(t, want)
}

// compareClient checks the pauses of the client, as they are slept.
func compareClient(t *testing.T, want referenceDraws) {
	retry := acquire.DefaultRetry()
	retry.Quantum = 100_000
	retries := draws.NewPythonClient(want.Seed, "retry")
	for _, w := range want.Retries {
		job, step, attempt := identity(t, w[0].(string), "retry")
		retries.At(job, step, attempt)
		pause := retry.Delay(attempt, retries)
		if math.Abs(pause.Seconds()-w[3].(float64)) > 1e-12 {
			t.Errorf("%v: pause is %v, want %v s", w[0], pause, w[3])
		}
	}
	backoff := acquire.Backoff{Base: 200e6, Factor: 2, Cap: 10e9}
	acquires := draws.NewPythonClient(want.Seed, "acquire")
	for _, w := range want.Acquires {
		acquires.At(identity(t, w[0].(string), "acquire"))
		for k, s := range w[1].([]any) {
			if got := backoff.Delay(k+1, acquires); math.Abs(got.Seconds()-s.(float64)) > 0.5001e-9 {
				t.Errorf("%v: delay %d is %v, want %v s", w[0], k+1, got, s)
			}
		}
	}
}

// identity reads job, step and attempt from a key of the file.
func identity(t *testing.T, key, purpose string) (job, step, attempt int) {
	t.Helper()
	var seed uint64
	if _, err := fmt.Sscanf(key, "%d:"+purpose+":%d:%d:%d", &seed, &job, &step, &attempt); err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return job, step, attempt
}
