package reports_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// pondPage is a page of everything that can be the matter with a report: ties,
// exclusions, an oracle, a standstill, missing runs and values, and names that
// must be escaped.
func pondPage(t *testing.T) string {
	t.Helper()
	few := pond(4, 0)
	few.Runs = slices.Delete(few.Runs, 6, 7) // a seed of crawl's, not the one that stalled
	few.Scenario.Mechanism = "warm water <rises> & cold water sinks"
	few.Scenario.Assumptions = experiment.Assumptions{
		{Key: "depth", Value: "1.5"},
		{Key: "lane.north.length", Value: "50"}, {Key: "lane.north.width", Value: "2"},
		{Key: "lane.south.length", Value: "25"}, {Key: "lane.south.depth", Value: `"<deep>"`},
		{Key: "water.is_cold", Value: "true"}, {Key: "water.salt", Value: "0"},
	}
	r := result(t, few, reports.Provenance{Rule: experiment.Reference, Draws: "python", Partial: []string{"the suite was <filtered>"}})
	detail := reports.Detail{
		Words: []reports.Passage{
			{Paragraphs: []string{"Somebody swims & somebody <waits>."}},
			{Heading: "the lanes", Items: []reports.Item{{Label: "north", Text: "is open"}}},
		},
		Timelines: []*experiment.Timeline{pondTimeline("idle", 4*time.Second), pondTimeline("crawl", 10*time.Second)},
	}
	return pageOf(t, []*reports.Result{r}, reports.HTMLOptions{Title: "ponds & more", Details: map[string]reports.Detail{"quiet_pond": detail}})
}

// pondTimeline is a run of so long in bins of a second.
func pondTimeline(contestant string, end time.Duration) *experiment.Timeline {
	line := &experiment.Timeline{Contestant: contestant, Seed: 1<<63 + 8, Step: time.Second, End: end}
	swim, rest, bumps := line.NewSeries("swimming"), line.NewSeries("resting"), line.NewSeries("bumps")
	line.Occupy(swim, 0, end/2)
	line.Occupy(rest, end/4, end)
	line.Count(bumps, end/2)
	limit := line.NewSeries("")
	for i := range limit.Values {
		limit.Values[i] = float64(2 + i%2)
	}
	line.Lanes = []experiment.Lane{
		{Name: "pool <1>", Unit: "swimmers", Limit: limit.Values, Levels: []experiment.Series{swim, rest}, Counts: []experiment.Series{bumps},
			Weather: []experiment.Span{{Name: "rain", From: min(end, time.Second), To: min(end, 2*time.Second)}},
			States:  []experiment.Span{{Name: "closed", From: min(end, 2*time.Second), To: end}}},
		{Name: "bench", Unit: "people", Levels: []experiment.Series{line.NewSeries("sitting")}},
	}
	return line
}

// basePage is the page of the base scenario.
func basePage(t *testing.T) string {
	t.Helper()
	s, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	var seeds []uint64
	for i := range uint64(6) {
		seeds = append(seeds, 20260917+i)
	}
	sweep, err := experiment.Sweep(t.Context(), s, experiment.Options{Seeds: seeds})
	if err != nil {
		t.Fatal(err)
	}
	r := result(t, sweep, reports.Provenance{})
	detail, err := reports.DetailOf(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	if len(detail.Timelines) != len(s.Contestants()) {
		t.Fatalf("%d timelines, want one of each of %v", len(detail.Timelines), s.Contestants())
	}
	return pageOf(t, []*reports.Result{r}, reports.HTMLOptions{Details: map[string]reports.Detail{s.Name(): detail}})
}

func pageOf(t *testing.T, results []*reports.Result, o reports.HTMLOptions) string {
	t.Helper()
	return format(t, func(w io.Writer) error { return reports.WriteHTML(w, results, o) })
}

// parse parses a page, strictly: it must come out as it went in.
func parse(t *testing.T, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// all returns the elements of a name below a node, in order; "" is any.
func all(n *html.Node, name string) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (name == "" || d.Data == name) {
			found = append(found, d)
		}
	}
	return found
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if strings.EqualFold(a.Key, key) {
			return a.Val
		}
	}
	return ""
}

// text returns what is to be read in a node, with white space folded.
func text(n *html.Node) string {
	var words strings.Builder
	for d := range n.Descendants() {
		if d.Type != html.TextNode || d.Parent.Data == "style" || d.Parent.Data == "script" {
			continue
		}
		if d.PrevSibling == nil || d.PrevSibling.Data != "wbr" { // which breaks lines, not words
			words.WriteByte(' ')
		}
		words.WriteString(d.Data)
	}
	return strings.Join(strings.Fields(words.String()), " ")
}

// byID returns the element with an id.
func byID(t *testing.T, doc *html.Node, id string) *html.Node {
	t.Helper()
	for _, n := range all(doc, "") {
		if attr(n, "id") == id {
			return n
		}
	}
	t.Fatalf("nothing has the id %q", id)
	return nil
}

// within returns the closest element of a name around a node.
func within(n *html.Node, name string) *html.Node {
	for ; n != nil && n.Data != name; n = n.Parent {
	}
	return n
}
