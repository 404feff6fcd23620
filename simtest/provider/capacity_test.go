package provider

import (
	"math"
	"testing"
	"time"
)

// The step function is the enforced capacity at every instant: looked at on
// both sides of every step, and at a thousand instants between.
func TestStepsAreTheEnforcedCapacity(t *testing.T) {
	for _, c := range []Cycle{
		baseCycle, {Period: 7919 * time.Millisecond, Phase: 3 * time.Second, Trough: 0, Peak: 1.3},
		{Period: time.Minute, Phase: -17 * time.Second, Trough: 0.5, Peak: 0.5}, {Peak: 0.4}, {Period: 1001, Trough: 0.1, Peak: 1},
	} {
		for _, nominal := range []float64{1, 4, 6, float64(12 * 1.2), 250} {
			s := c.steps(nominal)
			period := max(s.period, 1)
			look := func(at time.Duration) {
				if got, want := s.at(at), c.enforced(nominal, at); got != want {
					t.Errorf("%+v, nominal %v: at %v it is %d, want %d", c, nominal, at, got, want)
				}
			}
			for i, at := range s.starts {
				look(at)
				if at > 0 {
					look(at - 1)
				}
				if i > 0 && s.values[i] == s.values[i-1] {
					t.Errorf("%+v, nominal %v: there is no step at %v", c, nominal, at)
				}
			}
			for i := range time.Duration(1000) {
				look(period * i / 1000)
			}
		}
	}
}

// By hand: from 0.35 to 1 and back within 120 s the capacity of a nominal 2
// is 1 up to the factor 0.75, at acos(-0.075/0.325)... and 2 around the peak.
func TestIntegralOfTheSteps(t *testing.T) {
	s := baseCycle.steps(2)
	rise := 120 / (2 * math.Pi) * math.Acos((0.675-0.75)/0.325)
	fall := 120 - rise
	for _, c := range []struct{ at, want float64 }{
		{0, 0}, {rise, rise}, {60, 60 + (60 - rise)}, {fall, fall + (fall - rise)}, {120, 120 + fall - rise},
		{1200, 10 * (120 + fall - rise)}, {1230, 10*(120+fall-rise) + 30},
	} {
		if got := s.integral(nanoseconds(c.at)); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("the integral up to %v s is %v, want %v", c.at, got, c.want)
		}
	}
}

// Two endpoints behind one limit of 5: 2+3 and 2+4, one of them pinned.
func TestVendorsEnforceTheirOwnLimit(t *testing.T) {
	w := World{
		Name: "w", Cycle: Cycle{Period: 100 * time.Second, Trough: 0.25, Peak: 1}, VendorCapacity: map[string]int{"a": 5},
		Endpoints: []Endpoint{
			{ID: "x", Vendor: "a", Capacity: 2, Weight: 1, Pinned: true},
			{ID: "y", Vendor: "a", Capacity: 4, Weight: 1}, {ID: "z", Vendor: "b", Capacity: 1, Weight: 1},
		},
	}
	c := newEnforcedCapacity(&w)
	total, endpoints := c.offered(100 * time.Second)
	want := 0.0
	for ms := range time.Duration(100_000) {
		at := ms*time.Millisecond + 500*time.Microsecond
		want += 0.001 * float64(min(5, 2+w.Cycle.enforced(4, at))+1)
	}
	if math.Abs(total-want) > 0.01 || endpoints[0] != 200 || endpoints[2] != 100 {
		t.Errorf("offered %v (want %v) and by endpoint %v (want 200, ..., 100)", total, want, endpoints)
	}
}
