package placement

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// fieldError is the form of every refusal of this package.
func fieldError(field string, value any, want string) error {
	return fmt.Errorf("placement: field %q: %v: %s", field, value, want)
}

// Validate reports the first thing that is wrong with the trace, with field,
// index, value and what would be right. Traces from Parse and from a Generator
// are valid.
func (t *Trace) Validate() error {
	if err := t.check(); err != nil {
		return err
	}
	if err := t.checkTexts(); err != nil {
		return err
	}
	if err := unique("workers", len(t.Workers), func(i int) string { return t.Workers[i].ID }); err != nil {
		return err
	}
	if err := unique("tasks", len(t.Tasks), func(i int) string { return t.Tasks[i].ID }); err != nil {
		return err
	}
	return t.checkOverlap()
}

// check is the part of Validate without which a simulation makes no sense. It
// allocates nothing, so that every simulation can afford it.
func (t *Trace) check() error {
	switch {
	case t.Seed == nil:
		return fieldError("seed", "missing", "must be an integer")
	case t.Ticks < 1:
		return fieldError("ticks", t.Ticks, "must be at least 1")
	case len(t.Workers) == 0:
		return fieldError("workers", "empty", "must have at least one worker")
	}
	for i := range t.Workers {
		switch w := &t.Workers[i]; {
		case w.Capacity < 1:
			return fieldError(fmt.Sprintf("workers[%d].capacity", i), w.Capacity, "must be at least 1")
		case len(w.Capabilities) == 0:
			return fieldError(fmt.Sprintf("workers[%d].capabilities", i), "empty", "must have at least one capability")
		}
	}
	for i := range t.Tasks {
		switch task := &t.Tasks[i]; {
		case task.Arrival < 0 || task.Arrival >= t.Ticks:
			return fieldError(fmt.Sprintf("tasks[%d].arrival_tick", i), task.Arrival, fmt.Sprintf("must be from 0 to ticks-1, which is %d", t.Ticks-1))
		case task.Work < 1:
			return fieldError(fmt.Sprintf("tasks[%d].work_units", i), task.Work, "must be at least 1")
		case task.Capability == "":
			return fieldError(fmt.Sprintf("tasks[%d].required_capability", i), `""`, "must not be empty")
		}
	}
	for i, o := range t.Outages {
		switch {
		case o.Worker < 0 || o.Worker >= len(t.Workers):
			return fieldError(fmt.Sprintf("outages[%d].worker_index", i), o.Worker, fmt.Sprintf("must be from 0 to %d, the last worker", len(t.Workers)-1))
		case o.Start < 0:
			return fieldError(fmt.Sprintf("outages[%d].start_tick", i), o.Start, "must not be negative")
		case o.End <= o.Start:
			return fieldError(fmt.Sprintf("outages[%d].end_tick", i), o.End, fmt.Sprintf("must be after start_tick, which is %d", o.Start))
		}
	}
	return nil
}

// checkTexts refuses texts that have no form in JSON.
func (t *Trace) checkTexts() error {
	for i := range t.Workers {
		w := &t.Workers[i]
		for _, text := range [...]struct{ field, text string }{{"id", w.ID}, {"zone", w.Zone}} {
			if !validText(text.text) {
				return fieldError(fmt.Sprintf("workers[%d].%s", i, text.field), fmt.Sprintf("%q", text.text), "must be UTF-8")
			}
		}
		for j, c := range w.Capabilities {
			if !validText(c) {
				return fieldError(fmt.Sprintf("workers[%d].capabilities[%d]", i, j), fmt.Sprintf("%q", c), "must be UTF-8")
			}
		}
	}
	for i := range t.Tasks {
		task := &t.Tasks[i]
		for _, text := range [...]struct{ field, text string }{
			{"id", task.ID}, {"required_capability", task.Capability}, {"preferred_zone", task.Zone},
		} {
			if !validText(text.text) {
				return fieldError(fmt.Sprintf("tasks[%d].%s", i, text.field), fmt.Sprintf("%q", text.text), "must be UTF-8")
			}
		}
	}
	return nil
}

// validText accepts UTF-8 and lone surrogates (see surrogate).
func validText(s string) bool {
	if utf8.ValidString(s) {
		return true
	}
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			if _, lone := surrogate(s); !lone {
				return false
			}
			size = 3
		}
		s = s[size:]
	}
	return true
}

func unique(list string, n int, id func(int) string) error {
	first := make(map[string]int, n)
	for i := range n {
		if j, taken := first[id(i)]; taken {
			return fieldError(fmt.Sprintf("%s[%d].id", list, i), fmt.Sprintf("%q", id(i)), fmt.Sprintf("must be unique, but %s[%d] has it too", list, j))
		}
		first[id(i)] = i
	}
	return nil
}

func (t *Trace) checkOverlap() error {
	order := make([]int, len(t.Outages))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := t.Outages[i], t.Outages[j]
		return cmp.Or(cmp.Compare(a.Worker, b.Worker), cmp.Compare(a.Start, b.Start), cmp.Compare(i, j))
	})
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		if a, b := t.Outages[i], t.Outages[j]; a.Worker == b.Worker && b.Start < a.End {
			return fieldError(fmt.Sprintf("outages[%d].start_tick", j), b.Start,
				fmt.Sprintf("must not be before tick %d, where outages[%d] of the same worker ends", a.End, i))
		}
	}
	return nil
}
