package catalog_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

func TestEveryScenarioCanBeMade(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range catalog.All() {
		s, err := e.New()
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		if s.Name() != e.Name || seen[e.Name] {
			t.Errorf("%s is called %s, and was there before: %v", e.Name, s.Name(), seen[e.Name])
		}
		seen[e.Name] = true
		if _, err := experiment.Describe(s); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
		again, err := e.New()
		if err != nil || again.Fingerprint() != s.Fingerprint() {
			t.Errorf("%s: made again it has another fingerprint (%v)", e.Name, err)
		}
	}
}

var isWait = regexp.MustCompile(`it is wait\b`)

// A scenario that calls an algorithm unsuited because it is wait there has to
// prove it: the two make the same run, event for event. least_busy is called
// so everywhere, which is why it leads no row anywhere.
func TestUnsuitedAlgorithmsAreWaitIndeed(t *testing.T) {
	for _, e := range catalog.All() {
		s, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := s.(*provider.Scenario); !ok {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			const seed = 20260917
			wait, err := s.Run(t.Context(), "wait", seed)
			if err != nil {
				t.Fatal(err)
			}
			if isWait.FindString(s.Unsuited()["least_busy"]) == "" {
				t.Errorf("least_busy is not called unsuited for being wait: %q", s.Unsuited()["least_busy"])
			}
			for algorithm, why := range s.Unsuited() {
				if !isWait.MatchString(why) {
					t.Errorf("%s is unsuited because %q: nothing that this test can check", algorithm, why)
				}
				r, err := s.Run(t.Context(), algorithm, seed)
				if err != nil {
					t.Errorf("%s: %v", algorithm, err)
				} else if r.Digest != wait.Digest {
					t.Errorf("%s is called unsuited because %s; but its run differs from that of wait", algorithm, why)
				}
			}
		})
	}
}

// Every algorithm takes part in a scenario, or is unsuited for a reason.
func TestNoAlgorithmIsForgotten(t *testing.T) {
	for _, e := range catalog.All() {
		s, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := s.(*provider.Scenario); !ok {
			continue // it has policies of its own, not these algorithms
		}
		taking := strings.Join(s.Contestants(), ",")
		for _, algorithm := range []string{"immediate", "wait", "backoff", "least_busy", "failover", "sticky", "quota_aware"} {
			if _, unsuited := s.Unsuited()[algorithm]; !unsuited && !strings.Contains(taking, algorithm) {
				t.Errorf("%s: %s neither takes part nor is unsuited", e.Name, algorithm)
			}
		}
	}
}
