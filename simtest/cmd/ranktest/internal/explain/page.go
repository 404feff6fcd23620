package explain

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// width is where lines are broken.
const width = 96

// page is a text of headings, paragraphs and lists.
type page struct {
	strings.Builder
	inList bool
	labels int // the width of labels in this part
}

func newPage() *page { return &page{labels: narrow} }

// The widths of labels: for most lists, and for those of long names.
const narrow, wide = 16, 36

// heading begins a part.
func (p *page) heading(title string) {
	p.line("\n%s", strings.ToUpper(title))
	p.inList, p.labels = false, narrow
}

// line writes a line as it is.
func (p *page) line(format string, args ...any) {
	p.WriteString(strings.ReplaceAll(fmt.Sprintf(format, args...), unbroken, " ") + "\n")
}

// unbroken is a space at which no line is broken.
const unbroken = "\u00a0"

// text writes a paragraph.
func (p *page) text(format string, args ...any) {
	if p.inList {
		p.WriteByte('\n')
		p.inList = false
	}
	p.wrap("", "", fmt.Sprintf(format, args...))
}

// item writes an item of a list: a label, and a text beside it, or below it if
// the label is long.
func (p *page) item(label, format string, args ...any) {
	p.inList = true
	if utf8.RuneCountInString(label) > p.labels-4 {
		p.line("  %s", label)
		label = ""
	}
	p.wrap(fmt.Sprintf("  %-*s", p.labels-2, label), strings.Repeat(" ", p.labels), fmt.Sprintf(format, args...))
}

// wrap writes words into lines that begin with first and then with next.
func (p *page) wrap(first, next, text string) {
	line := first
	empty := true
	for word := range strings.SplitSeq(text, " ") {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			p.line("%s", line)
			line, empty = next, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	p.line("%s", strings.TrimRight(line, " "))
}

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
