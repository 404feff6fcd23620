package reports

import (
	"fmt"
	"slices"
	"strings"
)

// Level says what a gate insists on; the zero Level is the ranking, that is,
// the winners and exclusions of every row.
type Level struct {
	// Exact insists on every digest, number, assumption and declaration.
	Exact bool
	// Rows, if there are any, insists on the ranking of these rows alone.
	Rows []string
}

// ParseLevel reads "ranking", "exact", or a list of metrics with commas.
func ParseLevel(text string) (Level, error) {
	var l Level
	switch text {
	case "ranking":
		return l, nil
	case "exact":
		return Level{Exact: true}, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" || name == "ranking" || name == "exact" {
			return Level{}, fmt.Errorf("reports: level %q: must be ranking, exact, or a list of metrics such as jobs_done,throughput_rps", text)
		}
		l.Rows = append(l.Rows, name)
	}
	return l, nil
}

// String returns what ParseLevel reads.
func (l Level) String() string {
	switch {
	case l.Exact:
		return "exact"
	case l.Rows != nil:
		return strings.Join(l.Rows, ",")
	}
	return "ranking"
}

// Fails reports whether the drift is more than a level lets pass.
func (d *Drift) Fails(l Level) bool {
	if l.Exact {
		return d.Any()
	}
	return slices.ContainsFunc(d.Rows, func(r RowDrift) bool {
		return r.Changed() && (l.Rows == nil || slices.Contains(l.Rows, r.Metric))
	})
}

// Any reports whether anything at all differs.
func (d *Drift) Any() bool {
	edits := len(d.Terms) + len(d.Assumptions) + len(d.Declared) + len(d.Formulas)
	contestants := len(d.Joined) + len(d.Left) + len(d.Changed)
	return edits+contestants > 0 || d.Unlisted ||
		!slices.Equal(d.Before.Contestants, d.Now.Contestants) || !sameNames(d.Before.References, d.Now.References) ||
		slices.ContainsFunc(d.Rows, func(r RowDrift) bool { return r.Changed() })
}
