package reports_test

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// outline is a page as it is read aloud: a line per heading, paragraph, item
// and row, with what is said instead of charts.
func outline(doc *html.Node) string {
	var lines strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if attr(n, "aria-hidden") == "true" {
			return
		}
		line := ""
		switch n.Data {
		case "h1", "h2", "h3", "h4", "h5":
			line = strings.Repeat("#", int(n.Data[1]-'0')) + " " + text(n)
		case "p", "li", "strong", "caption", "summary", "dt", "dd":
			if n.Data != "li" || len(all(n, "a")) == 0 {
				line = text(n)
			}
		case "svg":
			line = "[" + attr(n, "aria-label") + "]"
		case "tr":
			for _, cell := range slices.Collect(n.ChildNodes()) {
				if cell.Type == html.ElementNode {
					line += "| " + text(cell) + " "
				}
			}
		}
		if line = strings.TrimSpace(line); line != "" {
			lines.WriteString(line + "\n")
			return
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
	}
	walk(all(doc, "body")[0])
	return lines.String()
}

func TestPageReadAloud(t *testing.T) {
	golden(t, "pond.outline", outline(parse(t, pondPage(t))))
}

// The same runs give the same bytes, whatever time it took to make them.
func TestPagesOfTheSameRunsAreEqual(t *testing.T) {
	page := func(slow int) string {
		sweep := pond(10, 0)
		for i := range sweep.Runs {
			sweep.Runs[i].Values["wall_s"] *= float64(slow)
			sweep.Runs[i].Wall *= time.Duration(slow)
		}
		return pageOf(t, []*reports.Result{result(t, sweep, reports.Provenance{})}, reports.HTMLOptions{})
	}
	first := page(1)
	for i := range 20 { // maps are iterated in another order every time
		if page(i+1) != first {
			t.Fatal("it differs")
		}
	}
}

// Who is marked in the table is who claims the row.
func TestTheTableMarksTheWinners(t *testing.T) {
	r := result(t, pond(10, 0), reports.Provenance{})
	doc := parse(t, pageOf(t, []*reports.Result{r}, reports.HTMLOptions{}))
	table := within(byID(t, doc, "quiet_pond-ranking").NextSibling, "section")
	var ranking *html.Node
	for _, n := range all(table, "table") {
		if attr(n, "class") == "ranking" {
			ranking = n
		}
	}
	var heads []string
	for _, th := range all(all(ranking, "thead")[0], "th")[1:] {
		heads = append(heads, strings.Fields(text(th))[0])
	}
	rows := 0
	for _, tr := range all(ranking, "tr") {
		links := all(tr, "a")
		if len(links) == 0 {
			continue
		}
		rows++
		row := r.Ranking.Row(text(links[0]))
		for i, td := range all(tr, "td") {
			if got, want := attr(td, "class") == "winner", row.Won(heads[i]); got != want {
				t.Errorf("%s, %s: marked as winner: %v, want %v", row.Metric.Name, heads[i], got, want)
			}
			_, excluded := row.ExcludedRatio(heads[i])
			if got := attr(td, "class") == "excluded"; got != excluded {
				t.Errorf("%s, %s: marked as excluded: %v, want %v", row.Metric.Name, heads[i], got, excluded)
			}
		}
	}
	if want := len(r.Ranking.Rows) - 1; rows != want { // all but the volatile one
		t.Errorf("%d rows, want %d", rows, want)
	}
}

// duel has two contestants on three seeds, and a hermit who does no work.
func duel(t *testing.T) *reports.Result {
	d := experiment.Description{
		Name: "duel", Summary: "by hand", Fingerprint: "f", Contestants: []string{"a", "b", "hermit"},
		Metrics: []experiment.Metric{
			{Name: "work", Unit: "jobs", Bench: "work", Better: experiment.Higher, Completion: true},
			{Name: "delay", Unit: "ms", Bench: "delay-ns", BenchScale: 1e6, Better: experiment.Lower, Gated: true, Headline: true},
		},
	}
	sweep := &experiment.Result{Scenario: d, Contestants: d.Contestants, Seeds: []uint64{1, 2, 3}}
	for _, c := range []struct {
		name  string
		work  float64
		delay []float64
	}{{"a", 100, []float64{100, 110, 90}}, {"b", 100, []float64{150, 155, 145}}, {"hermit", 1, []float64{5000, 100, 100}}} {
		for i, v := range c.delay {
			sweep.Runs = append(sweep.Runs, experiment.Run{Contestant: c.name, Seed: uint64(i + 1), Values: map[string]float64{"work": c.work, "delay": v}})
		}
	}
	return result(t, sweep, reports.Provenance{})
}

// The compared values 90 to 155 lie on a scale from 88.05 to 156.95, 3 % more
// on each side; the hermit's 5000 would press them together, and lies at its
// end. Rows are 28 pixels high.
func TestDotsByHand(t *testing.T) {
	doc := parse(t, pageOf(t, []*reports.Result{duel(t)}, reports.HTMLOptions{}))
	plots := all(within(byID(t, doc, "duel--delay"), "figure"), "svg")
	if len(plots) != 2 {
		t.Fatalf("%d charts, want values and differences", len(plots))
	}
	x := func(v float64) string {
		s := fmt.Sprintf("%.1f", 1000*(v-88.05)/(156.95-88.05))
		return strings.TrimSuffix(s, ".0")
	}
	wantPaths(t, plots[0], "seed 1",
		"M"+x(100)+" 14L"+x(150)+" 42L1000 70", "M"+x(100)+" 14h0", "M"+x(150)+" 42h0", "M1000 70h0")
	wantPaths(t, plots[0], "seed 3",
		"M"+x(90)+" 14L"+x(145)+" 42L"+x(100)+" 70", "M"+x(90)+" 14h0", "M"+x(145)+" 42h0", "M"+x(100)+" 70h0")
	figure := text(within(byID(t, doc, "duel--delay"), "figure"))
	for _, words := range []string{"a is best.", "1733 off the scale", "+50.0 ± 12.4 %", "0 % 20 % 40 % 60 %", "a beats b by 50 ms"} {
		if !strings.Contains(figure, words) {
			t.Errorf("the figure does not say %q:\n%s", words, figure)
		}
	}
	// b minus a is 50, 45 and 55 ms, per cent of the best mean, too. The mean
	// is 50 and the interval t(2; 0.975) = 4.302653 times 5/sqrt(3) to each
	// side; with the guard of 1 % the scale goes from -1 to 62.42 and 3 % more.
	half := 4.302653 * 5 / math.Sqrt(3)
	lo, hi := -1-0.03*(51+half), 50+half+0.03*(51+half)
	x = func(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", 1000*(v-lo)/(hi-lo)), ".0") }
	wantPaths(t, plots[1], "seed 2", "M"+x(45)+" 36h0")
	marks := ""
	for _, path := range all(plots[1], "path") {
		if strings.HasPrefix(attr(path, "class"), "mark") {
			marks += attr(path, "class") + " " + attr(path, "d") + "; "
		}
	}
	if want := "mark interval plain M" + x(50+half) + " 47H" + x(50-half) + "; mark mean plain M" + x(50) + " 47h0; "; marks != want {
		t.Errorf("marks %q, want %q", marks, want)
	}
}

// wantPaths checks the paths of what belongs to a seed.
func wantPaths(t *testing.T, svg *html.Node, seed string, want ...string) {
	t.Helper()
	for _, g := range all(svg, "g") {
		if text(all(g, "title")[0]) != seed {
			continue
		}
		var got []string
		for _, path := range all(g, "path") {
			got = append(got, attr(path, "d"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: paths %q, want %q", seed, got, want)
		}
		return
	}
	t.Errorf("%s is not there", seed)
}

// A lane is 32 pixels high for the highest level of all contestants, here 3;
// it begins at 34 and grows upwards, 4 bins of a second wide.
func TestLanesByHand(t *testing.T) {
	doc := parse(t, pondPage(t))
	var lanes []*html.Node
	for _, n := range all(doc, "div") {
		if attr(n, "class") == "timeline" {
			lanes = all(n, "svg")
		}
	}
	if len(lanes) != 5 { // the world's pool, and two of both contestants
		t.Fatalf("%d lanes, want 5", len(lanes))
	}
	if box := attr(lanes[1], "viewBox"); box != "0 0 10 56" {
		t.Errorf("idle's pool is drawn in %q; all have the time of the longest run", box)
	}
	want := map[string]string{
		"limit":         "M0 34V12.7H1V2H2V12.7H3V2H4V34Z", // 2, 3, 2, 3
		"limit-line":    "M0 12.7H1V2H2V12.7H3V2H4",
		"level level-0": "M0 34V23.3H2V34H4V34Z",          // 1, 1, 0, 0
		"level level-1": "M0 34V23.3H1V12.7H2V23.3H4V34Z", // with the one below it: 1, 2, 1, 1
		"count count-0": "M0 39V39H2V56H3V39H4V39Z",       // one in the third bin, at 1/s the most there is
		"base":          "M0 34H10",
		"weather":       "1 1", "state": "2 2", "after": "4 6", // x and width
	}
	for _, n := range all(lanes[1], "") {
		class := attr(n, "class")
		got := attr(n, "d")
		if n.Data == "rect" {
			class, _, _ = strings.Cut(class, " ")
			got = attr(n, "x") + " " + attr(n, "width")
		}
		if got != want[class] {
			t.Errorf("%s: %q, want %q", class, got, want[class])
		}
		delete(want, class)
	}
	for class := range want {
		t.Errorf("there is no %s", class)
	}
}

func TestPagesThatCannotBeMade(t *testing.T) {
	r := result(t, pond(3, 0), reports.Provenance{})
	write := func(results []*reports.Result, lines ...*experiment.Timeline) error {
		return reports.WriteHTML(io.Discard, results, reports.HTMLOptions{Details: map[string]reports.Detail{"quiet_pond": {Timelines: lines}}})
	}
	wantError(t, write([]*reports.Result{r, r}), `scenario "quiet_pond": must be in a page once`)
	other := pondTimeline("idle", time.Second)
	other.Seed = 3
	wantError(t, write([]*reports.Result{r}, pondTimeline("crawl", time.Second), other), `timeline of "idle"`, "seed 3")
	broken := pondTimeline("idle", time.Second)
	broken.Step = 0
	wantError(t, write([]*reports.Result{r}, broken), "step 0s: must be above 0")
	if err := write([]*reports.Result{r}, pondTimeline("idle", 0)); err != nil {
		t.Errorf("a run without length: %v", err)
	}
}
