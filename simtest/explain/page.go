package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// page is a list of passages that grows at its end.
type page struct{ passages []reports.Passage }

// heading begins a passage.
func (p *page) heading(title string) {
	p.passages = append(p.passages, reports.Passage{Heading: title})
}

// text adds a paragraph.
func (p *page) text(format string, args ...any) {
	last := &p.passages[len(p.passages)-1]
	last.Paragraphs = append(last.Paragraphs, fmt.Sprintf(format, args...))
}

// item adds an item to the list of the passage.
func (p *page) item(label, format string, args ...any) {
	last := &p.passages[len(p.passages)-1]
	last.Items = append(last.Items, reports.Item{Label: label, Text: fmt.Sprintf(format, args...)})
}

// unbroken is a space at which no line is broken.
const unbroken = "\u00a0"

// number writes a number for people.
func number(x float64) string { return experiment.FormatNumber(x) }

// percent writes a share for people.
func percent(x float64) string { return number(100*x) + unbroken + "%" }

// span writes a duration as people do: 2m, not 2m0s.
func span(d time.Duration) string {
	if d >= time.Second {
		d = d.Round(time.Millisecond)
	} else if d >= time.Millisecond {
		d = d.Round(time.Microsecond)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// seconds makes a duration of a number of seconds.
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// count writes a number of things.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// list joins words as a sentence does.
func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}
