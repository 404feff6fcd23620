package cli_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// ponds are small worlds: one that is well, one with a contestant that panics
// on the second seed, and one with a contestant that never comes to an end.
func ponds() []catalog.Entry {
	var entries []catalog.Entry
	for _, p := range []pond{
		{name: "quiet_pond", contestants: []string{"crawl", "butterfly"}},
		{name: "deep_pond", contestants: []string{"crawl", "diver"}},
		{name: "frozen_pond", contestants: []string{"crawl", "skater"}},
	} {
		entries = append(entries, catalog.Entry{Name: p.name, New: func() (experiment.Scenario, error) { return p, nil }})
	}
	return entries
}

// pond is a scenario: swimmers cross it.
type pond struct {
	name        string
	contestants []string
}

// skating is the key of a function in a context that is called when the skater
// sets out.
type skating struct{}

func (p pond) Name() string                { return p.name }
func (p pond) Summary() string             { return "a pond: " + strings.ReplaceAll(p.name, "_", " ") }
func (p pond) Contestants() []string       { return p.contestants }
func (p pond) Unsuited() map[string]string { return map[string]string{"walker": "it cannot swim"} }
func (p pond) Fingerprint() string         { return "f00d" }
func (p pond) FirstSeed() uint64           { return 7 }
func (p pond) Metrics() []experiment.Metric {
	return []experiment.Metric{
		{Name: "crossings", Unit: "crossings", Bench: "crossings", Better: experiment.Higher, Completion: true, Headline: true, Meaning: "times across"},
		{Name: "strokes", Unit: "strokes", Bench: "strokes", Better: experiment.Lower, Gated: true, Meaning: "strokes per crossing"},
	}
}

func (p pond) Run(ctx context.Context, contestant string, seed uint64) (experiment.Run, error) {
	values := map[string]float64{"crossings": 100 + float64(seed%3), "strokes": 40 + float64(seed%2)}
	switch contestant {
	case "butterfly":
		values["strokes"] += 10
	case "diver":
		if seed == 8 {
			panic("out of breath")
		}
	case "skater":
		if f, ok := ctx.Value(skating{}).(func()); ok {
			f()
		}
		<-ctx.Done()
		return experiment.Run{}, fmt.Errorf("half way: %w", context.Cause(ctx))
	case "crawl", "walker":
	default:
		return experiment.Run{}, errors.New("nobody of that name")
	}
	return experiment.Run{Values: values, Iterations: 1}, nil
}
