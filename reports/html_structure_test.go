package reports_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/ranktest/ranktest/reports"
)

func pages(t *testing.T) map[string]string {
	return map[string]string{"pond": pondPage(t), "base": basePage(t), "empty": pageOf(t, nil, reports.HTMLOptions{})}
}

// What every page owes to a keyboard, to a screen reader and to a validator.
func TestPageStructure(t *testing.T) {
	for name, page := range pages(t) {
		t.Run(name, func(t *testing.T) {
			doc := parse(t, page)
			checkDocument(t, doc)
			checkIDs(t, doc)
			checkHeadings(t, doc)
			checkTables(t, doc)
			for _, svg := range all(doc, "svg") {
				if attr(svg, "aria-hidden") != "true" && (attr(svg, "role") != "img" || len(attr(svg, "aria-label")) < 10) {
					t.Errorf("a chart without words: %v", svg.Attr)
				}
			}
			for _, figure := range all(doc, "figure") {
				if len(all(figure, "table")) == 0 {
					t.Errorf("%s: no table beside the chart", text(all(figure, "h5")[0]))
				}
			}
			for _, n := range all(doc, "") {
				if attr(n, "class") == "scroll" && (attr(n, "tabindex") != "0" || attr(n, "aria-label") == "") {
					t.Errorf("what scrolls cannot be reached by keyboard, or has no name: %v", n.Attr)
				}
			}
		})
	}
}

func checkDocument(t *testing.T, doc *html.Node) {
	t.Helper()
	if lang := attr(all(doc, "html")[0], "lang"); lang != "en" {
		t.Errorf("language %q", lang)
	}
	for _, name := range []string{"h1", "main", "header", "footer"} {
		if n := len(all(doc, name)); n != 1 {
			t.Errorf("%d elements %s, want 1", n, name)
		}
	}
	if titles := all(all(doc, "head")[0], "title"); len(titles) != 1 || text(titles[0]) == "" {
		t.Errorf("%d titles", len(titles))
	}
	first := all(all(doc, "body")[0], "a")[0]
	if attr(first, "href") != "#content" || attr(all(doc, "main")[0], "id") != "content" {
		t.Errorf("the first link does not skip to the content")
	}
}

func checkIDs(t *testing.T, doc *html.Node) {
	t.Helper()
	ids := map[string]bool{}
	for _, n := range all(doc, "") {
		if id := attr(n, "id"); id != "" && ids[id] {
			t.Errorf("id %q is there twice", id)
		} else if id != "" {
			ids[id] = true
		}
	}
	for _, n := range all(doc, "") {
		if to, ok := strings.CutPrefix(attr(n, "href"), "#"); ok && !ids[to] {
			t.Errorf("a link leads to %q, which is not there", to)
		}
		if by := attr(n, "aria-labelledby"); by != "" && !ids[by] {
			t.Errorf("labelled by %q, which is not there", by)
		}
	}
}

func checkHeadings(t *testing.T, doc *html.Node) {
	t.Helper()
	level := 0
	for _, n := range all(doc, "") {
		if len(n.Data) != 2 || n.Data[0] != 'h' || n.Data[1] < '1' || n.Data[1] > '6' {
			continue
		}
		next := int(n.Data[1] - '0')
		if next > level+1 || text(n) == "" {
			t.Errorf("heading %q of level %d after one of level %d", text(n), next, level)
		}
		level = next
	}
}

// checkTables checks that each has a caption, that heads say what they are the
// head of, and that all rows are equally wide.
func checkTables(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, table := range all(doc, "table") {
		captions := all(table, "caption")
		if len(captions) != 1 || text(captions[0]) == "" {
			t.Errorf("a table without a caption: %.80s", text(table))
			continue
		}
		for _, th := range all(table, "th") {
			if !slices.Contains([]string{"row", "col", "rowgroup", "colgroup"}, attr(th, "scope")) || text(th) == "" {
				t.Errorf("%s: a head without scope or text: %v", text(captions[0]), th.Attr)
			}
		}
		width := 0
		below := 0 // cells of a row that a head above it takes
		for _, tr := range all(table, "tr") {
			n := below
			below = 0
			for _, cell := range slices.Concat(all(tr, "th"), all(tr, "td")) {
				n += max(1, number(attr(cell, "colspan")))
				if number(attr(cell, "rowspan")) == 2 {
					below++
				}
			}
			if width == 0 {
				width = n
			}
			if n != width {
				t.Errorf("%s: a row of %d cells, want %d: %s", text(captions[0]), n, width, text(tr))
			}
		}
	}
}

func number(s string) int {
	n := 0
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}

// A page is read where there is no network: it refers to nothing but itself,
// and its policy forbids it to.
func TestPageNeedsNothingElse(t *testing.T) {
	for name, page := range pages(t) {
		doc := parse(t, page)
		for _, n := range all(doc, "") {
			for _, a := range n.Attr {
				switch a.Key {
				case "src", "srcset", "action", "data", "poster", "xlink:href", "background", "ping":
					t.Errorf("%s: %s has %s=%q", name, n.Data, a.Key, a.Val)
				case "href":
					if !strings.HasPrefix(a.Val, "#") && a.Val != "data:," {
						t.Errorf("%s: a link to %q", name, a.Val)
					}
				}
				if strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: %s has a handler in %s", name, n.Data, a.Key)
				}
			}
			if slices.Contains([]string{"img", "iframe", "object", "embed", "audio", "video", "base", "form"}, n.Data) {
				t.Errorf("%s: element %s", name, n.Data)
			}
		}
		if found := regexp.MustCompile(`(?i)https?:|//[a-z]|url\(|@import|fetch\(|XMLHttpRequest|WebSocket|import\(`).FindString(code(doc)); found != "" {
			t.Errorf("%s: style or script has %q", name, found)
		}
		policy := ""
		for _, meta := range all(doc, "meta") {
			if attr(meta, "http-equiv") == "Content-Security-Policy" {
				policy = attr(meta, "content")
			}
		}
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "script-src 'unsafe") {
			t.Errorf("%s: policy %q", name, policy)
		}
	}
}

// code returns styles and scripts, without their comments.
func code(doc *html.Node) string {
	var text strings.Builder
	for _, name := range []string{"style", "script"} {
		for _, n := range all(doc, name) {
			text.WriteString(n.FirstChild.Data)
		}
	}
	return regexp.MustCompile(`(?m)^\s*// .*$`).ReplaceAllString(text.String(), "")
}

// Texts of others stay texts.
func TestPageEscapes(t *testing.T) {
	sweep := pond(3, 0)
	const name = "<script>alert(1)<script>"
	for i := range sweep.Contestants {
		if sweep.Contestants[i] == "crawl" {
			sweep.Contestants[i] = name
		}
	}
	for i := range sweep.Runs {
		if sweep.Runs[i].Contestant == "crawl" {
			sweep.Runs[i].Contestant = name
		}
	}
	sweep.Scenario.Contestants = sweep.Contestants
	page := pageOf(t, []*reports.Result{result(t, sweep, reports.Provenance{})}, reports.HTMLOptions{Title: "</title><b>"})
	doc := parse(t, page)
	if n := len(all(doc, "script")); n != 1 {
		t.Errorf("%d scripts, want 1", n)
	}
	if n := len(all(doc, "fast")) + len(all(doc, "b")); n > 0 {
		t.Errorf("%d elements made of texts", n)
	}
	if !strings.Contains(text(doc), name) || text(all(doc, "title")[0]) != "</title><b>" {
		t.Error("a name is not shown as it is")
	}
}
