package experiment_test

import (
	"slices"
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

// listing is a world that lists what it takes for granted.
type listing struct {
	world
	assumptions experiment.Assumptions
}

func (l listing) Assumptions() experiment.Assumptions { return l.assumptions }

func TestDescribeListsAssumptions(t *testing.T) {
	type list = experiment.Assumptions
	d, err := experiment.Describe(listing{newWorld(), list{{"depth", "2"}, {"algae of the east", `"red = bad"`}}})
	if want := (list{{"algae of the east", `"red = bad"`}, {"depth", "2"}}); err != nil || !slices.Equal(d.Assumptions, want) {
		t.Errorf("got %v, %v; want %v", d.Assumptions, err, want)
	}
	for _, c := range []struct {
		name string
		list list
		says []string
	}{
		{"no key", list{{"", "1"}}, []string{`assumption ""`, "key"}},
		{"a key with an equals sign", list{{"a=b", "1"}}, []string{`"a=b"`, "without ="}},
		{"a key of two lines", list{{"a\nb", "1"}}, []string{`"a\nb"`, "one line"}},
		{"a value of two lines", list{{"a", "1\n2"}}, []string{`assumption "a"`, `"1\n2"`, "one line"}},
		{"a key twice", list{{"a", "1"}, {"b", "1"}, {"a", "2"}}, []string{`assumption "a"`, "once"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := experiment.Describe(listing{newWorld(), c.list})
			wantError(t, err, c.says...)
		})
	}
}
