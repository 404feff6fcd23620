package reports

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// WriteListing prints what there is to choose from: scenarios with those who
// take part, acquire algorithms with their parameters, and every metric with
// its unit, direction, gating and meaning, once for all scenarios that share
// it.
func WriteListing(w io.Writer, scenarios []experiment.Scenario, algorithms []acquire.Definition) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SCENARIOS")
	for _, s := range scenarios {
		fmt.Fprintf(t, "  %s\t%s\n", s.Name(), s.Summary())
		fmt.Fprintf(t, "  \tcontestants: %s\n", strings.Join(s.Contestants(), ", "))
		unsuited := s.Unsuited()
		for _, c := range slices.Sorted(maps.Keys(unsuited)) {
			fmt.Fprintf(t, "  \tunsuited: %s: %s\n", c, unsuited[c])
		}
	}
	fmt.Fprintln(t, "\nACQUIRE ALGORITHMS (a scenario of placement policies has its own)")
	for _, d := range algorithms {
		fmt.Fprintf(t, "  %s\t%s\n", d.Usage(), d.Rule)
		for _, p := range d.Params {
			fmt.Fprintf(t, "  \t%s: %s\n", p.Name, p.Help)
		}
	}
	for _, group := range byMetrics(scenarios) {
		fmt.Fprintf(t, "\nMETRICS of %s\n", strings.Join(group.names, ", "))
		fmt.Fprintln(t, "  name\tunit\tbenchstat\tbetter\tgate\tmeaning")
		for _, m := range group.metrics {
			gate := ""
			switch {
			case m.Gated:
				gate = "gated"
			case m.Completion:
				gate = "completion"
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Unit, m.Bench, m.Better, gate, m.Meaning)
		}
	}
	return t.Flush()
}

// metricGroup is a set of scenarios with the same metrics.
type metricGroup struct {
	names   []string
	metrics []experiment.Metric
}

func byMetrics(scenarios []experiment.Scenario) []*metricGroup {
	var groups []*metricGroup
	for _, s := range scenarios {
		i := slices.IndexFunc(groups, func(g *metricGroup) bool { return slices.Equal(g.metrics, s.Metrics()) })
		if i < 0 {
			groups = append(groups, &metricGroup{metrics: s.Metrics()})
			i = len(groups) - 1
		}
		groups[i].names = append(groups[i].names, s.Name())
	}
	return groups
}
