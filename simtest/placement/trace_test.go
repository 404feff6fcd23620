package placement_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
)

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// Every trace that the reference generated comes out of the generator, with
// the same digest, the same file, and the same counts; and it reads back.
func TestGeneratedTracesAreTheReferences(t *testing.T) {
	var file struct {
		Entries []struct {
			ID      string
			Config  config
			Digest  string `json:"trace_digest"`
			Saved   string `json:"saved_file_sha256"`
			Bytes   int    `json:"canonical_bytes"`
			Summary struct {
				Able     map[string]int `json:"capability_worker_counts"`
				Tasks    int            `json:"task_count"`
				Outages  int            `json:"outage_count"`
				Capacity int            `json:"total_worker_capacity"`
			}
		}
	}
	readJSON(t, "digests.json.gz", &file)
	for _, e := range file.Entries {
		t.Run(e.ID, func(t *testing.T) {
			if testing.Short() && e.Config.Workers >= 10_000 {
				t.Skip("takes large traces")
			}
			trace := e.Config.trace(t)
			var canonical, saved bytes.Buffer
			if err := trace.WriteCanonical(&canonical); err != nil {
				t.Fatal(err)
			}
			if err := trace.Write(&saved); err != nil {
				t.Fatal(err)
			}
			s := trace.Summary()
			if s.Digest != e.Digest || canonical.Len() != e.Bytes || "sha256:"+sum(canonical.Bytes()) != e.Digest {
				t.Errorf("digest %s of %d bytes, want %s of %d", s.Digest, canonical.Len(), e.Digest, e.Bytes)
			}
			if got := sum(saved.Bytes()); got != e.Saved {
				t.Errorf("the file has SHA-256 %s, want %s", got, e.Saved)
			}
			got := fmt.Sprint(s.Able, s.Tasks, s.Outages, s.Capacity)
			if want := fmt.Sprint(e.Summary.Able, e.Summary.Tasks, e.Summary.Outages, e.Summary.Capacity); got != want {
				t.Errorf("counts %s, want %s", got, want)
			}
			again, err := placement.Parse(saved.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if again.Digest() != e.Digest {
				t.Error("reading the file back changes the digest")
			}
		})
	}
}

func TestFilesOfTheReferenceAreWrittenByteForByte(t *testing.T) {
	for _, name := range []string{"example-trace.json.gz", "small-trace.json.gz"} {
		want := read(t, name)
		trace, err := placement.Parse(want)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got bytes.Buffer
		if err := trace.Write(&got); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s is not written as it was read", name)
		}
	}
}

// Each of the reference's cases is accepted with its digest, or refused with
// the field and its index.
func TestStrictInput(t *testing.T) {
	refused := map[string]string{ // accepted by the reference
		"schema 1.0":           `"schema_version": 1.0:`,
		"schema true":          `"schema_version": true:`,
		"seed '7'":             `"seed": "7":`,
		"seed 7.9":             `"seed": 7.9:`,
		"ticks '3'":            `"ticks": "3":`,
		"capacity 2.9":         `"workers[0].capacity": 2.9:`,
		"capacity '2'":         `"workers[0].capacity": "2":`,
		"capacity true":        `"workers[0].capacity": true:`,
		"capabilities numbers": `"workers[0].capabilities[0]": 1:`,
		"worker id number":     `"workers[0].id": 12:`,
		"worker id null":       `"workers[0].id": null:`,
		"extra key":            `"workers[0]": "colour":`,
		// refused by the reference
		"schema 2":                   `"schema_version": 2:`,
		"schema '1'":                 `"schema_version": "1":`,
		"schema missing":             `"schema_version": missing:`,
		"seed missing":               `"seed": missing:`,
		"seed null":                  `"seed": null:`,
		"ticks 0":                    `"ticks": 0:`,
		"workers empty":              `"workers": empty:`,
		"workers object":             `"workers": {`,
		"worker not object":          `"workers[0]": 1:`,
		"capacity 0":                 `"workers[0].capacity": 0:`,
		"capabilities string":        `"workers[0].capabilities": "python":`,
		"capabilities empty":         `"workers[0].capabilities": empty:`,
		"zone missing":               `"workers[0].zone": missing:`,
		"duplicate worker id":        `"workers[1].id": "w":`,
		"duplicate task id":          `"tasks[1].id": "t":`,
		"arrival -1":                 `"tasks[0].arrival_tick": -1:`,
		"arrival = ticks":            `"tasks[0].arrival_tick": 2:`,
		"work 0":                     `"tasks[0].work_units": 0:`,
		"required ''":                `"tasks[0].required_capability": "":`,
		"tasks null":                 `"tasks": null:`,
		"outage worker -1":           `"outages[0].worker_index": -1:`,
		"outage worker out of range": `"outages[0].worker_index": 1:`,
		"outage start -1":            `"outages[0].start_tick": -1:`,
		"outage end = start":         `"outages[0].end_tick": 1:`,
		"outages overlap":            `"outages[1].start_tick": 1:`,
	}
	var cases []struct {
		Case   string
		Input  json.RawMessage
		OK     bool
		Digest string `json:"trace_digest"`
	}
	readJSON(t, "parse-cases.json.gz", &cases)
	accepted := 0
	for _, c := range cases {
		t.Run(c.Case, func(t *testing.T) {
			trace, err := placement.Parse(c.Input)
			want, refuse := refused[c.Case]
			switch {
			case refuse && err == nil:
				t.Errorf("accepted, want an error about %s", want)
			case refuse:
				if !bytes.Contains([]byte(err.Error()), []byte("placement: field "+want)) {
					t.Errorf("error %q, want one about %s", err, want)
				}
			case !c.OK:
				t.Error("the table has no expectation for this refusal")
			case err != nil:
				t.Errorf("refused: %v", err)
			default:
				accepted++
				if got := trace.Digest(); got != c.Digest {
					t.Errorf("digest %s, want %s", got, c.Digest)
				}
			}
		})
	}
	if accepted+len(refused) != len(cases) || len(cases) != 43 {
		t.Errorf("%d accepted and %d refused of %d cases", accepted, len(refused), len(cases))
	}
}
