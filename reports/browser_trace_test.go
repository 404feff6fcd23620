package reports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// A trace is read by catapult's importer, the viewer that the format was made
// for, as Go's sources have it for go tool trace: without a warning, and with
// every slice, instant, row and counter that was written.
func TestTraceInAViewer(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command to ask for its sources: %v", err)
	}
	viewer := filepath.Join(strings.TrimSpace(string(root)), "src/internal/trace/traceviewer/static")
	if _, err := os.Stat(filepath.Join(viewer, "trace_viewer_full.html")); err != nil {
		t.Skip("no trace viewer in the sources of this Go")
	}
	b := newBrowser(t)
	files := http.FileServer(http.Dir(viewer))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			fmt.Fprint(w, `<script src="webcomponents.min.js"></script><link rel="import" href="trace_viewer_full.html">`)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	b.open(server.URL)

	s, err := catalog.BurstyProvider()
	if err != nil {
		t.Fatal(err)
	}
	var trace bytes.Buffer
	if err := s.(experiment.Tracer).WriteTrace(t.Context(), &trace, "wait", 20260926); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(trace.String())
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Slices                    int
		Warnings, Names, Counters []string
		End                       float64 // in ms
	}
	b.eval(`(async () => {
		for (let i = 0; i < 300 && typeof tr === "undefined"; i++) await new Promise(wake => setTimeout(wake, 100))
		const model = new tr.Model(), options = new tr.importer.ImportOptions()
		options.shiftWorldToZero = false
		new tr.importer.Import(model, options).importTraces([`+string(text)+`])
		const processes = model.getAllProcesses(), threads = processes.flatMap(p => Object.values(p.threads))
		return {
			slices: threads.reduce((n, thread) => n + thread.sliceGroup.slices.length, 0),
			warnings: model.importWarnings.map(w => w.message), end: model.bounds.max,
			names: [...processes, ...threads].map(x => x.name), counters: processes.flatMap(p => Object.values(p.counters).map(c => c.name)),
		}
	})()`, &read)
	if want := strings.Count(trace.String(), `{"ph":"X"`) + strings.Count(trace.String(), `{"ph":"i"`); read.Slices != want {
		t.Errorf("%d slices and instants were read, %d written", read.Slices, want)
	}
	if len(read.Warnings) > 0 {
		t.Errorf("warnings: %q", read.Warnings)
	}
	for _, name := range []string{"client", "worker-11", "fast-flaky", "refusals", "slot 1"} {
		if !slices.Contains(read.Names, name) {
			t.Errorf("no group or row %q in %q", name, read.Names)
		}
	}
	if len(read.Counters) != 9 || read.End < 600_000 || read.End > 660_000 {
		t.Errorf("counters %q, end at %v ms", read.Counters, read.End)
	}
}
