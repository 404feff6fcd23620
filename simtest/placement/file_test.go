package placement_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
)

// The reference's trace of odd texts, escaped and as raw UTF-8 in another key
// order. One worker lists a capability twice, so that it is not for Parse.
func TestUnicode(t *testing.T) {
	var want struct {
		Bytes  int    `json:"canonical_bytes"`
		Digest string `json:"trace_digest"`
		Saved  string `json:"saved_file_sha256"`
	}
	readJSON(t, "unicode-digest.json", &want)
	for _, name := range []string{"unicode-trace.json", "unicode-trace-rawutf8.json"} {
		trace, err := placement.Decode(read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		var canonical, saved bytes.Buffer
		if err := trace.WriteCanonical(&canonical); err != nil {
			t.Fatal(err)
		}
		if err := trace.Write(&saved); err != nil {
			t.Fatal(err)
		}
		if got := canonical.Bytes(); !bytes.Equal(got, read(t, "unicode-canonical.json")) || len(got) != want.Bytes {
			t.Errorf("%s: canonical form is\n%s", name, got)
		}
		if trace.Digest() != want.Digest || sum(saved.Bytes()) != want.Saved {
			t.Errorf("%s: digest %s, file %s, want %+v", name, trace.Digest(), sum(saved.Bytes()), want)
		}
		if err := trace.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := placement.Parse(saved.Bytes()); err == nil || !strings.Contains(err.Error(), `"workers[6].capabilities": "a" twice`) {
			t.Errorf("%s: Parse says %v, want an error about the capability that is listed twice", name, err)
		}
	}
}

// file is a small valid file with one text and two numbers to be filled in.
func file(seed, work, text string) string {
	return `{"schema_version":1,"seed":` + seed + `,"ticks":2,` +
		`"workers":[{"id":"w","capacity":1,"capabilities":["c"],"zone":"` + text + `"}],` +
		`"tasks":[{"id":"t","arrival_tick":1,"work_units":` + work + `,"required_capability":"c","preferred_zone":"z"}],"outages":[]}`
}

// Nothing is rounded and no character is replaced: what comes out is the
// canonical form of what went in.
func TestNothingIsLostOnTheWayThroughAFile(t *testing.T) {
	for _, c := range []struct{ name, seed, work, text, canonical string }{
		{"plain", "1", "1", "z", "z"},
		{"a seed above 64 bits", "123456789012345678901234567890", "1", "z", "z"},
		{"a negative one", "-18446744073709551617", "1", "z", "z"},
		{"work above 2^53", "1", "9007199254740993", "z", "z"},
		{"work of 2^63-1", "1", "9223372036854775807", "z", "z"},
		{"raw UTF-8", "1", "1", "zoné 😀", `zon\u00e9 \ud83d\ude00`},
		{"a surrogate pair", "1", "1", `\uD83D\uDE00`, `\ud83d\ude00`},
		{"a lone high surrogate", "1", "1", `\ud800`, `\ud800`},
		{"a lone low surrogate", "1", "1", `\udfffx`, `\udfffx`},
		{"two high ones and a low one", "1", "1", `\ud800\ud83d\ude00`, `\ud800\ud83d\ude00`},
		{"a low one before a high one", "1", "1", `\ude00\ud83d`, `\ude00\ud83d`},
		{"escapes", "1", "1", `\/\b\f\n\r\t\"\\\u0000\u007f\u2028`, `/\b\f\n\r\t\"\\\u0000\u007f\u2028`},
		{"what HTML would escape", "1", "1", `<>&'`, `<>&'`},
	} {
		trace, err := placement.Parse([]byte(file(c.seed, c.work, c.text)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got bytes.Buffer
		if err := trace.WriteCanonical(&got); err != nil {
			t.Fatal(err)
		}
		want := `{"outages":[],"schema_version":1,"seed":` + c.seed +
			`,"tasks":[{"arrival_tick":1,"id":"t","preferred_zone":"z","required_capability":"c","work_units":` + c.work +
			`}],"ticks":2,"workers":[{"capabilities":["c"],"capacity":1,"id":"w","zone":"` + c.canonical + `"}]}`
		if got.String() != want {
			t.Errorf("%s: canonical form is\n%s, want\n%s", c.name, got.String(), want)
		}
	}
}

func TestBrokenFilesAreRefusedByName(t *testing.T) {
	valid := file("1", "1", "z")
	edit := func(old, new string) string { return strings.Replace(valid, old, new, 1) }
	for _, c := range []struct{ name, data, want string }{
		{"nothing", "", `"(file)": end of file: must be an object`},
		{"no object", "[]", `"(file)": [: must be an object`},
		{"cut off", valid[:60], `"workers`},
		{"more than one value", valid + "{}", `"(file)": {: must end after the trace`},
		{"a byte order mark", "\ufeff" + valid, `byte order mark: must be plain UTF-8`},
		{"a field twice", edit(`"ticks":2`, `"ticks":2,"ticks":3`), `"ticks": "ticks": must be given once`},
		{"a comma too many", edit(`"outages":[]`, `"outages":[],`), `must be a string`},
		{"a comma too many in a list", edit(`["c"]`, `["c",]`), `"workers[0].capabilities[1]": ]: must be a string`},
		{"a leading zero", edit(`"ticks":2`, `"ticks":02`), `"ticks": 02: must be an integer`},
		{"a plus sign", edit(`"ticks":2`, `"ticks":+2`), `"ticks": +2: must be an integer`},
		{"NaN", edit(`"ticks":2`, `"ticks":NaN`), `"ticks": NaN: must be an integer`},
		{"an exponent", edit(`"ticks":2`, `"ticks":2e0`), `"ticks": 2e0: must be an integer, without fraction or exponent`},
		{"more than 64 bits", edit(`"work_units":1`, `"work_units":9223372036854775808`), `"tasks[0].work_units": 9223372036854775808: must fit into 64 bits`},
		{"a seed of 5,000 digits", edit(`"seed":1`, `"seed":`+strings.Repeat("9", 5000)), `"seed": 999999999999999999999999: must have at most 4300 digits`},
		{"an unknown escape", edit(`"id":"w"`, `"id":"\x"`), `"workers[0].id": \x": must be a valid escape`},
		{"half an escape", edit(`"id":"w"`, `"id":"\u12"`), `"workers[0].id": \u12": must be a valid escape`},
		{"a raw newline", edit(`"id":"w"`, "\"id\":\"\n\""), `"workers[0].id": control character 0x0a in a string: must be escaped`},
		{"a byte that is no UTF-8", edit(`"id":"w"`, "\"id\":\"\xff\""), `"workers[0].id": byte 0xff in a string: must be UTF-8`},
		{"a surrogate as UTF-8", edit(`"id":"w"`, "\"id\":\"\xed\xa0\x80\""), `"workers[0].id": byte 0xed in a string: must be UTF-8`},
	} {
		_, err := placement.Parse([]byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "placement: field ") {
			t.Errorf("%s: error %v, want one with %s", c.name, err, c.want)
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.json")
	trace, err := placement.DefaultGenerator().Trace(big.NewInt(-7))
	if err != nil {
		t.Fatal(err)
	}
	if err := trace.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := placement.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, trace) {
		t.Error("the trace that was loaded is not the one that was saved")
	}
	if err := os.WriteFile(path, []byte(`{"seed":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := placement.Load(path); err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), `"seed": true`) {
		t.Errorf("error %v, want one that names the file and the field", err)
	}
	if err := trace.Save(filepath.Join(path, "nowhere")); err == nil {
		t.Error("saving below a file succeeds")
	}
}

// The result file of the reference's examples, number by number as they are
// written: 3.0 is not 3.
func TestResultFilesAreTheReferences(t *testing.T) {
	for name, load := range map[string]func() (*placement.Trace, placement.Settings){
		"example-benchmark.json.gz": func() (*placement.Trace, placement.Settings) {
			s := scenario(t, placement.Documented())
			trace, err := s.Trace(42)
			if err != nil {
				t.Fatal(err)
			}
			return trace, s.Settings(42)
		},
		"small-benchmark.json.gz": func() (*placement.Trace, placement.Settings) {
			trace, err := placement.Parse(read(t, "small-trace.json.gz"))
			if err != nil {
				t.Fatal(err)
			}
			return trace, placement.DefaultSettings()
		},
	} {
		trace, s := load()
		c, err := placement.Compare(context.Background(), trace, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := c.WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		got, want := literals(t, out.Bytes()), literals(t, read(t, name))
		for key, w := range want {
			if g := got[key]; g != w && !(strings.HasSuffix(key, jain) && near(g, w)) {
				t.Errorf("%s: %s is %s, want %s", name, key, g, w)
			}
			delete(got, key)
		}
		if len(got) > 0 {
			t.Errorf("%s: more than the reference writes: %v", name, got)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, out.Bytes(), "", "  "); err != nil || indented.String() != out.String() {
			t.Errorf("%s: not indented by two spaces with a newline at the end", name)
		}
	}
}

// literals lists the leaves of a JSON text by path, as they are written.
func literals(t *testing.T, data []byte) map[string]string {
	t.Helper()
	leaves := map[string]string{}
	var walk func(path string, raw json.RawMessage)
	walk = func(path string, raw json.RawMessage) {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil || object == nil {
			leaves[path] = string(raw)
			return
		}
		for key, value := range object {
			walk(path+"/"+key, value)
		}
	}
	walk("", data)
	return leaves
}

func near(a, b string) bool {
	x, errX := json.Number(a).Float64()
	y, errY := json.Number(b).Float64()
	return errX == nil && errY == nil && x-y < 1e-12 && y-x < 1e-12
}

// Whatever the bytes are: no panic, an error that names a place or a valid
// trace that survives a round trip, and no more memory than a constant times
// the size of the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(file("1", "1", "z")))
	f.Add([]byte(file("-9", "3", `\ud800\u0041`)))
	for _, name := range []string{"unicode-trace.json", "unicode-trace-rawutf8.json", "small-trace.json.gz"} {
		f.Add(read(f, name))
	}
	var cases []struct{ Input json.RawMessage }
	readJSON(f, "parse-cases.json.gz", &cases)
	for _, c := range cases {
		f.Add([]byte(c.Input))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		trace, err := placement.Parse(data)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(64*len(data)+1<<20) {
			t.Errorf("%d bytes took %d bytes of memory", len(data), used)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "placement: field ") {
				t.Errorf("error %q names no field", err)
			}
			return
		}
		var saved bytes.Buffer
		if err := trace.Write(&saved); err != nil {
			t.Fatal(err)
		}
		again, err := placement.Parse(saved.Bytes())
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		if !reflect.DeepEqual(again, trace) || again.Digest() != trace.Digest() {
			t.Error("what was written reads back differently")
		}
	})
}
