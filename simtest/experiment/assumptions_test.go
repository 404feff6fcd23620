package experiment_test

import (
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

func TestAssumptionsAreCanonicalText(t *testing.T) {
	var a experiment.Assumptions
	a.Set("name", "bursty\nprovider = 1")
	a.Set("horizon", 90*time.Second)
	a.Set("endpoint.metered.capacity", 4)
	a.Set("endpoint.metered.burst", 1.4)
	a.Set("restart", true)
	a.Set("rate", 0.30000000000000004)
	a.Set("tokens", 1200.0)
	a.Set("kinds", []string{"503", "reset"})
	a.Set("horizon", 600*time.Second) // replaces
	want := `endpoint.metered.burst=1.4
endpoint.metered.capacity=4
horizon=10m0s
kinds=[503 reset]
name="bursty\nprovider = 1"
rate=0.30000000000000004
restart=true
tokens=1200
`
	if got := a.Text(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestFingerprints(t *testing.T) {
	var a, b, c experiment.Assumptions
	a.Set("x", 1)
	a.Set("y", 2)
	b.Set("y", 2)
	b.Set("x", 1)
	c.Set("x", 1)
	c.Set("y", 3)
	// printf 'x=1\ny=2\n' | sha256sum
	if got, want := a.Fingerprint(), "f70f15511df105b3d7986f483ab85643d49cc3e5db5d4f592efff9e97be12d5d"; got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
	if a.Fingerprint() != b.Fingerprint() {
		t.Error("the order in which assumptions were set matters")
	}
	if a.Fingerprint() == c.Fingerprint() {
		t.Error("another assumption has the same fingerprint")
	}
}
