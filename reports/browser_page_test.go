package reports_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var shots = flag.String("shots", "", "a folder for pictures of the page, to be looked at")

// What only a browser can tell: that nothing is logged or fetched, that the
// page fits a phone, that its texts can be read in light and dark, that all
// charts have a name for a screen reader, and that a seed can be picked out.
func TestPageInABrowser(t *testing.T) {
	b := newBrowser(t)
	for name, page := range map[string]string{"base": basePage(t), "pond": pondPage(t)} {
		path := filepath.Join(t.TempDir(), name+".html")
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s %d %s", name, width, scheme), func(t *testing.T) {
					b.t = t
					b.screen(width, 900, scheme)
					b.open("file://" + path)
					b.checkQuiet(path)
					b.checkFit()
					b.checkContrast()
					if width == 1280 && scheme == "light" { // which change no name
						b.checkNames()
					}
					b.photograph(fmt.Sprintf("%s-%d-%s", name, width, scheme), width)
					b.checkPicker()
					b.checkQuiet(path)
				})
			}
		}
	}
}

// checkQuiet checks that nothing was logged, and nothing fetched but the page.
func (b *browser) checkQuiet(path string) {
	b.t.Helper()
	for _, e := range b.events {
		words := e.words()
		switch e.Method {
		case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
			b.t.Error(words)
		case "Network.requestWillBeSent":
			if !strings.Contains(words, `"documentURL":"file://`+path) || strings.Contains(words, `"url":"http`) {
				b.t.Error(words)
			}
		}
	}
}

// checkFit checks, with everything open, that the page does not scroll
// sideways, that no text is smaller than 12 pixels, and that the numbers of an
// axis do not touch.
func (b *browser) checkFit() {
	b.t.Helper()
	var wide []string
	b.eval(`(() => {
		document.querySelectorAll("details").forEach(d => d.open = true)
		const width = document.documentElement.clientWidth
		const wide = [...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll, .hidden, .skip") && e.getBoundingClientRect().right > width + 12)
		const found = wide.map(e => e.tagName + "." + (e.getAttribute("class") || "") + ": " + e.textContent.slice(0, 60))
		if (document.documentElement.scrollWidth > width) found.push("the page is " + document.documentElement.scrollWidth + " wide, the window " + width)
		for (const e of document.querySelectorAll("body *"))
			if ([...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 12 && e.closest("svg, script") === null)
				found.push("small: " + e.textContent.slice(0, 60))
		for (const axis of document.querySelectorAll(".axis")) {
			const boxes = [...axis.children].map(e => e.getBoundingClientRect())
			if (boxes.some((box, i) => i > 0 && box.left < boxes[i - 1].right + 2)) found.push("touching: " + axis.textContent)
		}
		return found
	})()`, &wide)
	if len(wide) > 0 {
		b.t.Errorf("does not fit: %q", wide)
	}
}

// checkContrast checks every text against what is behind it: 4.5 to 1, as WCAG
// 2 asks for (1.4.3), and the signs of charts against the page: 3 to 1 (1.4.11).
func (b *browser) checkContrast() {
	b.t.Helper()
	var low []string
	b.eval(`(() => {
		const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true})
		const remember = f => { const known = new Map(); return x => { if (!known.has(x)) known.set(x, f(x)); return known.get(x) } }
		const rgba = remember(color => {
			canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1)
			return [...canvas.getImageData(0, 0, 1, 1).data]
		})
		const light = ([r, g, b]) => {
			const f = [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
			return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]
		}
		const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05) }
		const behind = remember(e => {
			const color = rgba(getComputedStyle(e).backgroundColor)
			return color[3] === 255 ? color : e.parentElement ? behind(e.parentElement) : [255, 255, 255, 255]
		})
		const low = new Set()
		for (const e of document.querySelectorAll("body *")) {
			if (e.closest("svg, script, .skip") || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue
			const r = ratio(rgba(getComputedStyle(e).color), behind(e))
			if (r < 4.5) low.add(r.toFixed(2) + " " + e.tagName + "." + (e.getAttribute("class") || "") + " " + e.textContent.slice(0, 40))
		}
		for (const e of document.querySelectorAll(".dot, .mark, .count, .level-0, .state")) {
			const style = getComputedStyle(e), color = style.fill === "none" ? style.stroke : style.fill
			const r = ratio(rgba(color), behind(e))
			if (r < 3) low.add(r.toFixed(2) + " " + e.getAttribute("class"))
		}
		return [...low]
	})()`, &low)
	if len(low) > 0 {
		b.t.Errorf("too little contrast: %q", low)
	}
}

// checkNames checks that what a screen reader finds in the page has a name.
func (b *browser) checkNames() {
	b.t.Helper()
	type value struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name value
		}
	}
	b.call("Accessibility.getFullAXTree", nil, &tree)
	roles := map[string]int{}
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		if n.Ignored {
			continue
		}
		roles[role]++
		switch role {
		case "image", "img", "table", "figure", "region", "navigation", "combobox", "link", "heading", "columnheader", "rowheader":
			if name, _ := n.Name.Value.(string); name == "" {
				b.t.Errorf("a %s without a name", role)
			}
		}
	}
	for _, role := range []string{"table", "figure", "region", "heading", "rowheader", "main", "navigation", "combobox"} {
		if roles[role] == 0 {
			b.t.Errorf("no %s in the accessibility tree: %v", role, roles)
		}
	}
	if roles["image"]+roles["img"] == 0 {
		b.t.Errorf("no image in the accessibility tree: %v", roles)
	}
}

// checkPicker picks a seed out, by keyboard.
func (b *browser) checkPicker() {
	b.t.Helper()
	var before, after struct {
		On, Figures int
		Readout     string
		Seed        string
	}
	const look = `(() => ({
		on: document.querySelectorAll(".seed.on").length, figures: document.querySelectorAll("figure").length,
		readout: document.querySelector(".readout").textContent, seed: document.querySelector("select").selectedOptions[0].text,
	}))()`
	b.eval(look, &before)
	var ignored bool
	b.eval(`(document.querySelector("select").focus(), true)`, &ignored)
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": "ArrowDown", "code": "ArrowDown", "windowsVirtualKeyCode": 40}, nil)
	}
	b.eval(look, &after)
	if before.On != 0 || before.Readout != "" || before.Seed != "none" {
		b.t.Errorf("before anything is picked out: %+v", before)
	}
	if after.On < after.Figures || !strings.HasPrefix(after.Readout, "seed "+after.Seed+": ") || after.Seed == "none" {
		b.t.Errorf("after the arrow key: %+v", after)
	}
}

// photograph takes pictures of the page, if that was asked for.
func (b *browser) photograph(name string, width int) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	var height int
	b.eval(`(document.querySelectorAll("details").forEach(d => d.open = false), document.documentElement.scrollHeight)`, &height)
	for top, i := 0, 1; top < height; top, i = top+1500, i+1 {
		b.shot(filepath.Join(*shots, fmt.Sprintf("%s-%d.png", name, i)), top, width, min(1500, height-top))
	}
}
