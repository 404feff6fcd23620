package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strings"
)

// The words of a baseline's text.
const (
	baselineVersion = "1"
	baselineTag     = "ranktest baseline "
	nothing         = "-" // no names, no value
)

// Write writes the baseline as text: one fact a line, in the scenario's order,
// so that a line that differs between two commits is a fact that changed.
//
//	ranktest baseline 1
//	scenario bursty_provider
//	fingerprint b78709...
//	rule calibrated
//	draws default
//	seeds 20260917..20260926
//	contestants immediate wait backoff
//	references -
//
//	assumptions
//	  cycle.peak=1
//	  ...
//
//	row throughput_rps higher gated
//	  winners   wait backoff
//	  excluded  immediate
//	  immediate 1.014: 0.98 1.02 ...      the mean, and the value on each seed
//	  ...
//
//	runs
//	  immediate 20260917 25ed1d...        the digest of a run
//	  ...
//
//	end 93ab01...                         SHA-256 of all lines above
//
// Empty lines and lines that begin with # say nothing. The last line finds a
// file that was cut off, edited, or merged from two that do not go together.
func (b *Baseline) Write(w io.Writer) error {
	var text bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("%s%s", baselineTag, baselineVersion)
	line("# The ranking that runs are compared with. Written by -simtest.update; edits are refused.")
	line("scenario %s", b.Scenario)
	line("fingerprint %s", b.Fingerprint)
	line("rule %s", b.Rule)
	line("draws %s", b.Draws)
	line("seeds %s", formatSeeds(b.Seeds))
	line("contestants %s", formatNames(b.Contestants))
	line("references %s", formatNames(b.References))

	line("\nassumptions")
	for _, a := range b.Assumptions {
		line("  %s=%s", a.Key, a.Value)
	}

	width := len("excluded")
	for _, c := range b.Contestants {
		width = max(width, len(c))
	}
	for i := range b.Rows {
		row := &b.Rows[i]
		line("\nrow %s", strings.Join(row.declaration(), " "))
		line("  %-*s %s", width, "winners", formatNames(row.Winners))
		line("  %-*s %s", width, "excluded", formatNames(row.Excluded))
		for c, contestant := range b.Contestants {
			mean := nothing
			if v, ok := row.mean(c); ok {
				mean = formatValue(v)
			}
			var values strings.Builder
			for _, v := range row.Values[c] {
				if math.IsNaN(v) {
					values.WriteString(" " + nothing)
				} else {
					values.WriteString(" " + formatValue(v))
				}
			}
			line("  %-*s %s:%s", width, contestant, mean, values.String())
		}
	}

	line("\nruns")
	for c, contestant := range b.Contestants {
		for s, seed := range b.Seeds {
			line("  %s %d %s", contestant, seed, b.Digests[c][s])
		}
	}
	line("")
	line("end %s", checksum(text.String()))
	_, err := w.Write(text.Bytes())
	return err
}

// declaration is how the metric is declared, its name first.
func (r *BaselineRow) declaration() []string {
	words := []string{r.Metric, r.Better.String()}
	if r.Gated {
		words = append(words, "gated")
	}
	if r.Completion {
		words = append(words, "completion")
	}
	return words
}

func formatNames(names []string) string {
	if len(names) == 0 {
		return nothing
	}
	return strings.Join(names, " ")
}

func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
