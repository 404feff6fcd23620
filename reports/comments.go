package reports

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// The words that begin a comment of ours in benchstat text.
const (
	headTag        = "# ranktest "
	seedsTag       = "# more seeds "
	fingerprintTag = "# fingerprint "
	summaryTag     = "# summary "
	contestantsTag = "# contestants "
	askedTag       = "# asked for "
	unsuitedTag    = "# unsuited "
	referenceTag   = "# reference "
	metricTag      = "# metric "
	missingTag     = "# no result "
	zeroTag        = "# zero on every seed "
	stalledTag     = "# stalled "
	partialTag     = "# partial: "
)

// comment reads one of the comments that WriteBenchstat writes; others are
// anybody's.
func (s *section) comment(text string) error {
	for _, c := range []struct {
		tag  string
		read func(text string) error
	}{
		{seedsTag, s.addSeeds},
		{fingerprintTag, func(t string) error { s.sweep.Scenario.Fingerprint = t; return nil }},
		{summaryTag, func(t string) error { s.sweep.Scenario.Summary = t; return nil }},
		{contestantsTag, func(t string) error { s.sweep.Scenario.Contestants = strings.Fields(t); return nil }},
		{askedTag, func(t string) error { s.sweep.Contestants = strings.Fields(t); return nil }},
		{unsuitedTag, func(t string) error { return addReason(&s.sweep.Scenario.Unsuited, t) }},
		{referenceTag, func(t string) error { return addReason(&s.sweep.Scenario.References, t) }},
		{metricTag, s.addMetric},
		{missingTag, s.addMissing},
		{zeroTag, func(t string) error {
			contestant, units, err := cutReason(t)
			s.zero[contestant] = strings.Fields(units)
			return err
		}},
		{stalledTag, s.addStall},
		{partialTag, func(t string) error { s.provenance.Partial = append(s.provenance.Partial, t); return nil }},
	} {
		if strings.HasPrefix(text, c.tag) {
			return c.read(strings.TrimPrefix(text, c.tag))
		}
	}
	return nil
}

// cutReason splits "contestant: text".
func cutReason(text string) (contestant, reason string, err error) {
	contestant, reason, ok := strings.Cut(text, ": ")
	if !ok {
		return "", "", fmt.Errorf("%q: must be a contestant, a colon and a text", text)
	}
	return contestant, reason, nil
}

func addReason(to *map[string]string, text string) error {
	contestant, reason, err := cutReason(text)
	if *to == nil {
		*to = map[string]string{}
	}
	(*to)[contestant] = reason
	return err
}

func (s *section) addMetric(text string) error {
	var m experiment.Metric
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return fmt.Errorf("metric: %w", err)
	}
	s.sweep.Scenario.Metrics = append(s.sweep.Scenario.Metrics, m)
	return nil
}

func (s *section) addMissing(text string) error {
	contestant, list, err := cutReason(text)
	if err != nil {
		return err
	}
	seeds, err := parseSeeds(list)
	s.missing[contestant] = append(s.missing[contestant], seeds...)
	return err
}

// addStall reads "contestant seed duration: why".
func (s *section) addStall(text string) error {
	who, why, err := cutReason(text)
	if err != nil {
		return err
	}
	fields := strings.Fields(who)
	if len(fields) != 3 {
		return fmt.Errorf("stalled %q: must be a contestant, a seed and a duration", who)
	}
	seed, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return fmt.Errorf("stalled: seed %q: must be a whole number", fields[1])
	}
	at, err := time.ParseDuration(fields[2])
	if err != nil {
		return fmt.Errorf("stalled: %w", err)
	}
	s.stalls = append(s.stalls, experiment.Run{Contestant: fields[0], Seed: seed, Stall: &experiment.Stall{At: at, Why: why}})
	return nil
}

func (s *section) addSeeds(text string) error {
	seeds, err := parseSeeds(text)
	s.sweep.Seeds = append(s.sweep.Seeds, seeds...)
	if len(s.sweep.Seeds) > maxSeeds {
		return fmt.Errorf("seeds: must be at most %d", maxSeeds)
	}
	return err
}
