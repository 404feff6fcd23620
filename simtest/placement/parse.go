package placement

import (
	"bytes"
	"fmt"
	"os"
	"slices"
)

// schemaVersion is the only one that there is.
const schemaVersion = 1

// The fields of a file.
var (
	traceFields  = []string{"schema_version", "seed", "ticks", "workers", "tasks", "outages"}
	workerFields = []string{"id", "capacity", "capabilities", "zone"}
	taskFields   = []string{"id", "arrival_tick", "work_units", "required_capability", "preferred_zone"}
	outageFields = []string{"worker_index", "start_tick", "end_tick"}
)

// Load reads a trace from a file; see Parse.
func Load(path string) (*Trace, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Parse reads a trace from JSON, strictly: an error names the field, the
// index, the value, and what would be right. Key order and white space are
// free. The memory that it uses is bounded by the length of data times a small
// constant.
//
// Every trace that it accepts has the digest that the reference gives it. What
// the reference accepts by coercion is refused: numbers with a fraction or an
// exponent (it cuts 2.9 down to 2), numbers in quotes, true for 1, texts that
// are no strings (it reads null as "None"), a schema version 1.0 or true,
// unknown fields and fields given twice (it drops them), capabilities listed
// twice by one worker (they would count as two workers), and numbers beyond 64
// bits, except for the seed.
func Parse(data []byte) (*Trace, error) {
	t, err := decode(data)
	if err != nil {
		return nil, err
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	for i := range t.Workers {
		c := t.Workers[i].Capabilities
		if len(c) == 1 {
			continue
		}
		sorted := slices.Sorted(slices.Values(c))
		for j := 1; j < len(sorted); j++ {
			if sorted[j] == sorted[j-1] {
				return nil, fieldError(fmt.Sprintf("workers[%d].capabilities", i), fmt.Sprintf("%q twice", sorted[j]), "must list each capability once")
			}
		}
	}
	return t, nil
}

// decode checks the form, but not what the values say.
func decode(data []byte) (*Trace, error) {
	r := newReader(data)
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, fieldError("(file)", "byte order mark", "must be plain UTF-8 without it")
	}
	t := new(Trace)
	err := r.object(traceFields, func(field int) (err error) {
		switch field {
		case 0:
			var version int
			at := r.pos
			if version, err = r.int(); err == nil && version != schemaVersion {
				r.pos = at
				err = r.refuse(fmt.Sprintf("must be %d", schemaVersion))
			}
		case 1:
			t.Seed, err = r.bigInt()
		case 2:
			t.Ticks, err = r.int()
		case 3:
			err = readList(r, &t.Workers, r.worker)
		case 4:
			err = readList(r, &t.Tasks, r.task)
		case 5:
			err = readList(r, &t.Outages, r.outage)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if r.next() != 0 || r.pos < len(data) {
		r.field = ""
		return nil, r.refuse("must end after the trace")
	}
	return t, nil
}

// readList reads an array of objects.
func readList[T any](r *reader, list *[]T, read func(*T) error) error {
	name := r.field
	err := r.array(func(i int) error {
		r.list, r.index, r.field = name, i, ""
		var element T
		if err := read(&element); err != nil {
			return err
		}
		*list = append(*list, element)
		return nil
	})
	if err == nil {
		r.list, r.field = "", name
	}
	return err
}

func (r *reader) worker(w *Worker) error {
	return r.object(workerFields, func(field int) (err error) {
		switch field {
		case 0:
			w.ID, err = r.string()
		case 1:
			w.Capacity, err = r.int()
		case 2:
			err = r.array(func(i int) error {
				r.field = fmt.Sprintf("capabilities[%d]", i)
				c, err := r.shared()
				w.Capabilities = append(w.Capabilities, c)
				return err
			})
		case 3:
			w.Zone, err = r.shared()
		}
		return err
	})
}

func (r *reader) task(t *Task) error {
	return r.object(taskFields, func(field int) (err error) {
		switch field {
		case 0:
			t.ID, err = r.string()
		case 1:
			t.Arrival, err = r.int()
		case 2:
			t.Work, err = r.int()
		case 3:
			t.Capability, err = r.shared()
		case 4:
			t.Zone, err = r.shared()
		}
		return err
	})
}

func (r *reader) outage(o *Outage) error {
	return r.object(outageFields, func(field int) (err error) {
		switch field {
		case 0:
			o.Worker, err = r.int()
		case 1:
			o.Start, err = r.int()
		case 2:
			o.End, err = r.int()
		}
		return err
	})
}
