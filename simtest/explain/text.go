package explain

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ranktest/ranktest/reports"
)

// width is where lines are broken.
const width = 96

// The widths of labels: a longer one has a line of its own.
const narrowest, widest = 16, 48

// writeText writes passages for a terminal.
func writeText(w io.Writer, passages []reports.Passage) error {
	var t text
	for i, p := range passages {
		if i > 0 {
			t.line("")
		}
		if p.Heading != "" {
			t.line(p.Heading)
			t.line(strings.Repeat("-", utf8.RuneCountInString(p.Heading)))
		}
		for _, paragraph := range p.Paragraphs {
			t.wrap("", "", paragraph)
		}
		labels := narrowest
		for _, item := range p.Items {
			labels = min(max(labels, utf8.RuneCountInString(item.Label)+4), widest)
		}
		for _, item := range p.Items {
			label := item.Label
			if utf8.RuneCountInString(label) > labels-4 {
				t.line("  " + label)
				if label = ""; item.Text == "" {
					continue
				}
			}
			t.wrap(fmt.Sprintf("  %-*s", labels-2, label), strings.Repeat(" ", labels), item.Text)
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// text is a text of lines.
type text struct{ strings.Builder }

func (t *text) line(line string) {
	t.WriteString(strings.TrimRight(strings.ReplaceAll(line, unbroken, " "), " ") + "\n")
}

// wrap writes words into lines that begin with first and then with next.
func (t *text) wrap(first, next, words string) {
	line, empty := first, true
	for word := range strings.SplitSeq(words, " ") {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			t.line(line)
			line, empty = next, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	t.line(line)
}
