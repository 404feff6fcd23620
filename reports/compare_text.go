package reports

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// WriteComparison prints a comparison for people: of every scenario a line per
// contestant and metric that changed, then what could not be paired, and at
// the end the verdict.
func WriteComparison(w io.Writer, c *Comparison) error {
	var text bytes.Buffer
	for i := range c.Scenarios {
		c.Scenarios[i].write(&text)
	}
	if c.Unpaired != nil {
		text.WriteString("To know about the two reports:\n")
		for _, what := range c.Unpaired {
			text.WriteString("  " + what + "\n")
		}
		text.WriteByte('\n')
	}
	text.WriteString(c.Summary() + "\n")
	_, err := w.Write(text.Bytes())
	return err
}

// Summary is the verdict in a line or two.
func (c *Comparison) Summary() string {
	if !c.Changed() {
		return "Nothing changed: every value that both reports have is the same."
	}
	var parts []string
	for _, v := range []struct {
		verdict Verdict
		words   string
	}{
		{Worse, "worse"}, {Better, "better"}, {Other, "other, in a neutral metric"},
		{Unclear, "unclear: other seeds may show more, or the opposite"},
		{Small, "small: within " + percent(c.Threshold)}, {Same, "the same"},
	} {
		if n := c.Count(v.verdict); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.words))
		}
	}
	head := "Nothing changed for the worse"
	if c.Worse() {
		head = "Changed for the worse"
	}
	return fmt.Sprintf("%s, by more than %s and than chance. Of all numbers: %s.\n"+
		"Intervals are of paired differences, and hold all at once with 95 %%.", head, percent(c.Threshold), strings.Join(parts, "; "))
}

func (s *ScenarioComparison) write(text *bytes.Buffer) {
	fmt.Fprintf(text, "%s: %s, %s\n", s.Scenario, count(len(s.Contestants), "contestant"), count(len(s.Seeds), "seed"))
	if same := s.unchanged(); len(same) > 0 {
		fmt.Fprintf(text, "the same in every metric and on every seed: %s\n", strings.Join(same, ", "))
	}
	lines := [][]string{{"contestant", "metric", "before", "now", "change", "95 % interval", "seeds", "verdict"}}
	for i := range s.Changes {
		if change := &s.Changes[i]; change.Verdict != Same {
			lines = append(lines, change.cells())
		}
	}
	text.WriteByte('\n')
	if len(lines) == 1 {
		return
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		for i, cell := range line {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i >= 2 && i <= 4 {
				text.WriteString(space + cell + "  ")
			} else {
				text.WriteString(cell + space + "  ")
			}
		}
		trimRight(text)
		text.WriteByte('\n')
	}
	text.WriteByte('\n')
}

// unchanged are the contestants of which every number is the same.
func (s *ScenarioComparison) unchanged() []string {
	return slices.DeleteFunc(slices.Clone(s.Contestants), func(contestant string) bool {
		compared := false
		for i := range s.Changes {
			if c := &s.Changes[i]; c.Contestant == contestant {
				if c.Verdict != Same {
					return true
				}
				compared = true
			}
		}
		return !compared
	})
}

func (c *Change) cells() []string {
	interval := "one pair"
	if c.Pairs > 1 {
		interval = fmt.Sprintf("%s to %s", signed(c.Low), signed(c.High))
	}
	seeds := fmt.Sprintf("%d better, %d worse", c.Better, c.Worse)
	if c.Metric.Better == experiment.Neutral {
		seeds = fmt.Sprintf("%d more, %d less", c.Better, c.Worse)
	}
	if c.Equal > 0 {
		seeds += fmt.Sprintf(", %d same", c.Equal)
	}
	return []string{
		c.Contestant, arrow(c.Metric) + " " + c.Metric.Name,
		experiment.FormatNumber(c.Before), experiment.FormatNumber(c.Now),
		signed(c.Relative) + " %", interval, seeds, string(c.Verdict),
	}
}

// signed writes a relative change in per cent, in three digits.
func signed(x float64) string {
	x *= 100
	switch size := math.Abs(x); {
	case size < 1e-6: // what is left of rounding
		return "0"
	case size < 0.01:
		return fmt.Sprintf("%+.1g", x)
	case size < 10:
		return fmt.Sprintf("%+.2f", x)
	case size < 100:
		return fmt.Sprintf("%+.1f", x)
	case size < 1e6:
		return fmt.Sprintf("%+.0f", x)
	}
	return fmt.Sprintf("%+.2g", x)
}

func percent(x float64) string { return experiment.FormatNumber(100*x) + " %" }
