package reports

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// ReadBaseline reads what [Baseline.Write] wrote; file is its name in errors.
// It is strict: whatever is not exactly what was written is an error that says
// where, and what to do.
func ReadBaseline(r io.Reader, file string) (*Baseline, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reports: baseline %s: %w", file, err)
	}
	p := newBaselineParser(string(data))
	b, err := p.baseline()
	if err == nil {
		return b, nil
	}
	if p.at > 0 {
		file = fmt.Sprintf("%s:%d", file, p.at)
	}
	return nil, fmt.Errorf("reports: baseline %s: %w: restore the file from version control, or write it anew with -simtest.update", file, err)
}

// baselineParser goes through the lines of a file that say something.
type baselineParser struct {
	text  string // as it was written, without what an editor does to line ends
	lines []baselineLine
	at    int // number of the latest line, 0 if an error is about no line
}

type baselineLine struct {
	number int
	text   string
}

func newBaselineParser(text string) *baselineParser {
	p := &baselineParser{text: strings.ReplaceAll(text, "\r\n", "\n")}
	for i, line := range strings.Split(p.text, "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			p.lines = append(p.lines, baselineLine{i + 1, line})
		}
	}
	return p
}

// The errors about a file as a whole.
var (
	errEmpty    = errors.New("is empty")
	errCutOff   = errors.New(`is cut off: the last line must begin with "end"`)
	errTampered = errors.New("is not as it was written: an edit by hand, or a merge of two files that do not go together")
	errConflict = errors.New("an unresolved merge")
)

func (p *baselineParser) baseline() (*Baseline, error) {
	if err := p.checkWhole(); err != nil {
		return nil, err
	}
	b := &Baseline{}
	for _, part := range []func(*Baseline) error{p.head, p.assumptions, p.rows, p.runs} {
		if err := part(b); err != nil {
			return nil, err
		}
	}
	sum, err := p.field("end")
	if err != nil {
		return nil, err
	}
	if len(p.lines) > 0 {
		p.at = p.lines[0].number
		return nil, fmt.Errorf("%.40q: must not follow the end", p.lines[0].text)
	}
	p.at = 0
	if above, _, _ := strings.Cut(p.text, "\nend "); checksum(above+"\n") != sum {
		return nil, errTampered
	}
	return b, nil
}

// checkWhole finds what is wrong with a file before its lines are looked at.
func (p *baselineParser) checkWhole() error {
	if len(p.lines) == 0 {
		return errEmpty
	}
	for _, line := range p.lines {
		for _, marker := range []string{"<<<<<<<", "=======", ">>>>>>>"} {
			if strings.HasPrefix(line.text, marker) {
				p.at = line.number
				return errConflict
			}
		}
	}
	version, ok := strings.CutPrefix(p.lines[0].text, baselineTag)
	p.at = p.lines[0].number
	switch {
	case !ok:
		return fmt.Errorf("%.40q: must begin with %q", p.lines[0].text, strings.TrimSpace(baselineTag))
	case version != baselineVersion:
		return fmt.Errorf("format %.20q: must be %s, the only one that this version of ranktest reads", version, baselineVersion)
	}
	p.at = 0
	if last := p.lines[len(p.lines)-1].text; !strings.HasPrefix(last, "end ") {
		return errCutOff
	}
	p.lines = p.lines[1:]
	return nil
}

// next takes a line off.
func (p *baselineParser) next() (string, error) {
	if len(p.lines) == 0 {
		p.at = 0
		return "", errCutOff
	}
	line := p.lines[0]
	p.lines, p.at = p.lines[1:], line.number
	return line.text, nil
}

// field takes a line "name value" off.
func (p *baselineParser) field(name string) (string, error) {
	line, err := p.next()
	if err != nil {
		return "", err
	}
	value, ok := strings.CutPrefix(line, name+" ")
	if !ok || value == "" {
		return "", fmt.Errorf("%.40q: must be %q and a value", line, name)
	}
	return value, nil
}

// sees reports whether the next line begins like this.
func (p *baselineParser) sees(prefix string) bool {
	return len(p.lines) > 0 && strings.HasPrefix(p.lines[0].text, prefix)
}

// detail takes a line off that belongs to the section above.
func (p *baselineParser) detail() string {
	line, _ := p.next()
	return strings.TrimPrefix(line, "  ")
}

func (p *baselineParser) head(b *Baseline) error {
	for _, f := range []struct {
		name string
		set  func(string) error
	}{
		{"scenario", func(v string) error { b.Scenario = v; return nil }},
		{"fingerprint", func(v string) error { b.Fingerprint = v; return nil }},
		{"rule", func(v string) (err error) { b.Rule, err = experiment.ParseRule(v); return err }},
		{"draws", func(v string) error { b.Draws = v; return nil }},
		{"seeds", func(v string) (err error) { b.Seeds, err = parseSeeds(v); return err }},
		{"contestants", func(v string) (err error) { b.Contestants, err = parseNames(v, nil); return err }},
		{"references", func(v string) (err error) { b.References, err = parseNames(v, b.Contestants); return err }},
	} {
		value, err := p.field(f.name)
		if err != nil {
			return err
		}
		if err := f.set(value); err != nil {
			return err
		}
	}
	if b.Contestants == nil {
		return errors.New("contestants: must be at least one")
	}
	return nil
}

// parseNames reads what formatNames wrote: names that are different, and among
// the known ones, if there are any.
func parseNames(text string, known []string) ([]string, error) {
	if text == nothing {
		return nil, nil
	}
	names := strings.Fields(text)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("%q: must be named once", name)
		}
		if known != nil && !slices.Contains(known, name) {
			return nil, fmt.Errorf("%q: must be one of the contestants %s", name, strings.Join(known, ", "))
		}
	}
	return names, nil
}

func (p *baselineParser) assumptions(b *Baseline) error {
	if line, err := p.next(); err != nil || line != "assumptions" {
		return fmt.Errorf(`%.40q: must be "assumptions"`, line)
	}
	for p.sees("  ") {
		line := p.detail()
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return fmt.Errorf("%.40q: must be an assumption, key=value", line)
		}
		b.Assumptions = append(b.Assumptions, experiment.Assumption{Key: key, Value: value})
	}
	return nil
}
