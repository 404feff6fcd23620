package placement

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// encode writes the trace with all keys sorted.
func (t *Trace) encode(e *encoder) error {
	e.begin('{')
	e.key("outages")
	e.begin('[')
	for _, o := range t.Outages {
		e.item()
		e.begin('{')
		e.key("end_tick")
		e.int(int64(o.End))
		e.key("start_tick")
		e.int(int64(o.Start))
		e.key("worker_index")
		e.int(int64(o.Worker))
		e.end('}')
	}
	e.end(']')
	e.key("schema_version")
	e.int(schemaVersion)
	e.key("seed")
	e.big(t.Seed)
	e.key("tasks")
	e.begin('[')
	for i := range t.Tasks {
		task := &t.Tasks[i]
		e.item()
		e.begin('{')
		e.key("arrival_tick")
		e.int(int64(task.Arrival))
		e.key("id")
		e.text(task.ID)
		e.key("preferred_zone")
		e.text(task.Zone)
		e.key("required_capability")
		e.text(task.Capability)
		e.key("work_units")
		e.int(int64(task.Work))
		e.end('}')
	}
	e.end(']')
	e.key("ticks")
	e.int(int64(t.Ticks))
	e.key("workers")
	e.begin('[')
	for i := range t.Workers {
		w := &t.Workers[i]
		e.item()
		e.begin('{')
		e.key("capabilities")
		e.begin('[')
		for _, c := range w.Capabilities {
			e.item()
			e.text(c)
		}
		e.end(']')
		e.key("capacity")
		e.int(int64(w.Capacity))
		e.key("id")
		e.text(w.ID)
		e.key("zone")
		e.text(w.Zone)
		e.end('}')
	}
	e.end(']')
	e.end('}')
	return e.finish()
}

// WriteCanonical writes the text that the digest is taken over.
func (t *Trace) WriteCanonical(w io.Writer) error { return t.encode(&encoder{out: w}) }

// Write writes the trace as a file has it.
func (t *Trace) Write(w io.Writer) error { return t.encode(&encoder{out: w, indent: true}) }

// Digest names the trace: "sha256:" and the hexadecimal SHA-256 of its
// canonical JSON.
func (t *Trace) Digest() string {
	h := sha256.New()
	_ = t.WriteCanonical(h) // a hash takes everything
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Save writes the trace to a file.
func (t *Trace) Save(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = t.Write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
