package reports_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// browser is a headless Chromium that is driven through a pipe, by the
// DevTools protocol: JSON messages that end in a zero byte.
type browser struct {
	t       *testing.T
	in      *os.File
	pipe    *os.File
	out     *bufio.Reader
	session string
	sent    int
	// Events that were met while waiting for answers.
	events []message
}

type message struct {
	ID        int                       `json:"id,omitempty"`
	SessionID string                    `json:"sessionId,omitempty"`
	Method    string                    `json:"method,omitempty"`
	Params    any                       `json:"params,omitempty"`
	Result    json.RawMessage           `json:"result,omitempty"`
	Error     *struct{ Message string } `json:"error,omitempty"`
}

// newBrowser starts Chromium with an empty page, or skips the test where there
// is none.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium on this machine: install Debian's package chromium to check the page in a browser")
	}
	toBrowser, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// Without the network flags it asks its maker's servers for updates.
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	b := &browser{t: t, in: in, pipe: out, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		b.session = ""
		b.send("Browser.close", nil)
		in.Close()
		cmd.Wait() // it may end by a signal, which is no failure of the page
		out.Close()
	})
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	b.call("Target.getTargets", nil, &targets)
	var attached struct{ SessionID string }
	for _, target := range targets.TargetInfos {
		if target.Type == "page" {
			b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
			break
		}
	}
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

func (b *browser) send(method string, params any) {
	b.sent++
	text, err := json.Marshal(message{ID: b.sent, SessionID: b.session, Method: method, Params: params})
	if err != nil {
		b.t.Fatal(err)
	}
	b.in.Write(append(text, 0))
}

// receive returns the next message.
func (b *browser) receive() message {
	b.t.Helper()
	if err := b.pipe.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		b.t.Fatal(err)
	}
	text, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("chromium has gone: %v", err)
	}
	var m message
	if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// call makes a call and decodes its result, if to is not nil.
func (b *browser) call(method string, params, to any) {
	b.t.Helper()
	b.send(method, params)
	for {
		m := b.receive()
		switch {
		case m.ID == 0:
			b.events = append(b.events, m)
			continue
		case m.ID != b.sent:
			continue
		case m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if to != nil {
			if err := json.Unmarshal(m.Result, to); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// open loads a page and waits until it is there.
func (b *browser) open(url string) {
	b.t.Helper()
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	for {
		m := b.receive()
		b.events = append(b.events, m)
		if m.Method == "Page.loadEventFired" {
			return
		}
	}
}

// screen sets the width of the screen and what the user prefers.
func (b *browser) screen(width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
		{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
	}}, nil)
}

// eval evaluates an expression in the page and decodes its value.
func (b *browser) eval(expression string, to any) {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatal(answer.ExceptionDetails.Exception.Description)
	}
	if err := json.Unmarshal(answer.Result.Value, to); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}

// shot takes a picture of a part of the page.
func (b *browser) shot(path string, top, width, height int) {
	b.t.Helper()
	var picture struct{ Data []byte }
	b.call("Page.captureScreenshot", map[string]any{
		"format": "png", "captureBeyondViewport": true,
		"clip": map[string]any{"x": 0, "y": top, "width": width, "height": height, "scale": 1},
	}, &picture)
	if err := os.WriteFile(path, picture.Data, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// words describes an event for a failure.
func (m message) words() string {
	text, _ := json.Marshal(m.Params)
	return fmt.Sprintf("%s %.400s", m.Method, text)
}
