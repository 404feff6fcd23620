package reports

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

//go:embed html
var htmlFiles embed.FS

// HTMLOptions say what the page shows beside the results.
type HTMLOptions struct {
	// Title of the page; empty means "ranktest report".
	Title string
	// Details are shown with the results, by the scenario's name; see
	// [DetailOf]. What is not there is left out.
	Details map[string]Detail
}

// WriteHTML writes one page that needs nothing but itself: no network, and no
// script in order to be read. It has, per scenario, the assumptions, the
// ranking, runs over time, and every metric seed by seed. Each chart is drawn
// beside its numbers, which are also there as a table.
func WriteHTML(w io.Writer, results []*Result, o HTMLOptions) error {
	p, err := newPage(results, o)
	if err != nil {
		return err
	}
	t, err := template.New("report.html").Funcs(template.FuncMap{"soft": soft}).ParseFS(htmlFiles, "html/*.html")
	if err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	var text bytes.Buffer
	if err := t.Execute(&text, p); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	_, err = w.Write(text.Bytes())
	return err
}

// soft lets a browser break a long name where a person would.
func soft(name string) template.HTML {
	return template.HTML(strings.NewReplacer("_", "_<wbr>", "(", "<wbr>(", ",", ",<wbr>").Replace(template.HTMLEscapeString(name)))
}

// page is what the template shows.
type page struct {
	Title     string
	Style     template.CSS
	Script    template.JS
	Policy    string // Content-Security-Policy: this style and script, and nothing from outside
	Scenarios []scenarioView
}

type scenarioView struct {
	Name, Summary, Headline string
	Partial                 []string
	Warnings                []experiment.Warning
	Mechanism               string
	Words                   []Passage
	Assumptions             []assumptionTable
	Seeds                   []uint64
	Table                   rankTable
	Rule                    string
	Timeline                *timelineView
	Groups                  []metricGroupView
	Counts                  []countTable
	Notes                   []noteView
}

type noteView struct{ Mark, Text string }

// pageMarks are how this page shows what a table shows with a sign.
var pageMarks = map[string]string{"*": "best, tied", "( )": "excluded", "[ ]": "reference", "-": "no value"}

// metricGroupView is a number of metrics under one heading.
type metricGroupView struct {
	Title  string
	Charts []metricChart
}

func newPage(results []*Result, o HTMLOptions) (*page, error) {
	p := &page{Title: o.Title}
	if p.Title == "" {
		p.Title = "ranktest report"
	}
	style, err := htmlFiles.ReadFile("html/style.css")
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	script, err := htmlFiles.ReadFile("html/script.js")
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	p.Style, p.Script = template.CSS(style), template.JS(script)
	digest := sha256.Sum256(script)
	p.Policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'"

	seen := map[string]bool{}
	for _, r := range results {
		name := r.Sweep.Scenario.Name
		if seen[name] {
			return nil, fmt.Errorf("reports: scenario %q: must be in a page once", name)
		}
		seen[name] = true
		s, err := newScenarioView(r, o.Details[name])
		if err != nil {
			return nil, err
		}
		p.Scenarios = append(p.Scenarios, s)
	}
	return p, nil
}

// sheet is a result whose runs are found at once.
type sheet struct {
	*Result
	runs map[runKey]*experiment.Run
}

type runKey struct {
	contestant string
	seed       uint64
}

func newSheet(r *Result) *sheet {
	s := &sheet{r, map[runKey]*experiment.Run{}}
	for i := range r.Sweep.Runs {
		run := &r.Sweep.Runs[i]
		s.runs[runKey{run.Contestant, run.Seed}] = run
	}
	return s
}

func (s *sheet) value(contestant string, seed uint64, metric string) (float64, bool) {
	run := s.runs[runKey{contestant, seed}]
	if run == nil {
		return 0, false
	}
	v, ok := run.Values[metric]
	return v, ok
}

func newScenarioView(result *Result, d Detail) (scenarioView, error) {
	r := newSheet(result)
	for _, line := range d.Timelines {
		if err := line.Validate(); err != nil {
			return scenarioView{}, fmt.Errorf("reports: scenario %q: %w", r.Sweep.Scenario.Name, err)
		}
		if first := d.Timelines[0]; line.Step != first.Step || line.Seed != first.Seed {
			return scenarioView{}, fmt.Errorf("reports: scenario %q: timeline of %q: seed %d, step %v: must be those of the others, seed %d and step %v",
				r.Sweep.Scenario.Name, line.Contestant, line.Seed, line.Step, first.Seed, first.Step)
		}
	}
	s := scenarioView{
		Name: r.Sweep.Scenario.Name, Summary: r.Sweep.Scenario.Summary, Headline: headline(result), Partial: r.Partial,
		Warnings: r.Ranking.Warnings, Mechanism: r.Sweep.Scenario.Mechanism, Words: d.Words, Assumptions: newAssumptionTables(r.Sweep.Scenario.Assumptions), Seeds: r.Sweep.Seeds,
		Table: newRankTable(r), Rule: r.Rule.Words(), Timeline: newTimelineView(r, d.Timelines),
		Counts: newCountTables(result),
	}
	for _, n := range notes(result) {
		if n.mark == "warning" || n.mark == "PARTIAL" { // they stand at the top
			continue
		}
		mark, ok := pageMarks[n.mark]
		if !ok {
			mark = n.mark
		}
		s.Notes = append(s.Notes, noteView{mark, n.text})
	}
	for _, body := range s.Table.Bodies {
		group := metricGroupView{Title: body.Title}
		for _, line := range body.Rows {
			group.Charts = append(group.Charts, newMetricChart(r, r.Ranking.Row(line.Name)))
		}
		s.Groups = append(s.Groups, group)
	}
	return s, nil
}

// countTable is a group of the runs' counts, as means.
type countTable struct {
	Title string
	Heads []string
	Rows  []assumptionRow
}

func newCountTables(r *Result) []countTable {
	groups := map[string]map[string]bool{}
	for _, run := range r.Sweep.Runs {
		for group, counts := range run.Counts {
			if groups[group] == nil {
				groups[group] = map[string]bool{}
			}
			for key := range counts {
				groups[group][key] = true
			}
		}
	}
	var tables []countTable
	for _, group := range sortedKeys(groups) {
		t := countTable{Title: strings.ReplaceAll(group, "_", " "), Heads: r.Sweep.Contestants}
		for _, key := range sortedKeys(groups[group]) {
			row := assumptionRow{Name: key}
			for _, c := range r.Sweep.Contestants {
				row.Cells = append(row.Cells, meanCount(r.Sweep, c, group, key))
			}
			t.Rows = append(t.Rows, row)
		}
		if t.Rows != nil {
			tables = append(tables, t)
		}
	}
	return tables
}
