package fairness

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// Handler is a world that shows what it hands to a contestant.
type Handler interface {
	// Handed makes a run and calls look, during the first decision of the
	// contestant, with the very value that the contestant is handed.
	Handed(ctx context.Context, contestant string, seed uint64, look func(handed any)) error
}

// NoLeak checks that no scenario, and nothing of the package that the scenario
// is of, can be reached from what a contestant is handed: not through fields
// (exported or not), elements, maps or interfaces, nor as the code of a
// function or the receiver of a method value. What a closure has captured is
// not visible to anybody; that the closure was made by the world is.
//
// The clock is not entered: every clock refers to the tasks that it runs, and
// they are the world. What it offers (package clock) leads nowhere.
func NoLeak(ctx context.Context, s experiment.Scenario, contestant string, seed uint64) error {
	w, ok := s.(Handler)
	if !ok {
		return fmt.Errorf("fairness: leak: scenario %q does not show what it hands to a contestant", s.Name())
	}
	walk := walker{world: packagesOf(reflect.TypeOf(s)), seen: map[visit]bool{}}
	looked := false
	err := w.Handed(ctx, contestant, seed, func(handed any) {
		looked = true
		walk.value(reflect.ValueOf(handed), "request")
	})
	switch {
	case err != nil:
		return fmt.Errorf("fairness: leak: %s: %w", contestant, err)
	case !looked:
		return fmt.Errorf("fairness: leak: %s: the contestant was never asked: nothing could be looked at", contestant)
	case walk.found != "":
		return fmt.Errorf("fairness: leak: %s: %s: a contestant must not reach the world", contestant, walk.found)
	case walk.visited < 10:
		return fmt.Errorf("fairness: leak: %s: only %d values were looked at: too few to tell", contestant, walk.visited)
	}
	return nil
}

// packagesOf returns the import paths of a scenario's type and of those that
// it embeds.
func packagesOf(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	paths := []string{t.PkgPath()}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous && f.Type.Kind() != reflect.Interface {
				paths = append(paths, packagesOf(f.Type)...)
			}
		}
	}
	return paths
}

var clockPackage = reflect.TypeFor[clock.Clock]().PkgPath()

var scenarioType = reflect.TypeFor[experiment.Scenario]()

// walker goes through everything that can be reached from a value.
type walker struct {
	world   []string // the packages that must not be reached
	seen    map[visit]bool
	visited int
	found   string // the first path into the world
}

type visit struct {
	at unsafe.Pointer
	t  reflect.Type
}

func (w *walker) value(v reflect.Value, path string) {
	if w.found != "" || !v.IsValid() {
		return
	}
	w.visited++
	t := v.Type()
	if t.PkgPath() == clockPackage {
		return
	}
	if slices.Contains(w.world, t.PkgPath()) || t.Implements(scenarioType) || reflect.PointerTo(t).Implements(scenarioType) {
		if t.Kind() != reflect.Interface || !v.IsNil() {
			w.found = fmt.Sprintf("%s is a %s", path, t)
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || w.known(v.UnsafePointer(), t) {
			return
		}
		w.value(v.Elem(), path)
	case reflect.Interface:
		w.value(v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i), path+"."+t.Field(i).Name)
		}
	case reflect.Slice:
		if v.Len() > 0 && w.known(v.UnsafePointer(), t) {
			return
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			w.value(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		if v.IsNil() || w.known(v.UnsafePointer(), t) {
			return
		}
		for it := v.MapRange(); it.Next(); {
			w.value(it.Key(), path+"'s key")
			w.value(it.Value(), fmt.Sprintf("%s[%v]", path, it.Key()))
		}
	case reflect.Func:
		w.function(v, path)
	}
}

// known reports whether what is at an address was looked at before.
func (w *walker) known(at unsafe.Pointer, t reflect.Type) bool {
	key := visit{at, t}
	if w.seen[key] {
		return true
	}
	w.seen[key] = true
	return false
}

// function looks at where the code of a function is from.
func (w *walker) function(v reflect.Value, path string) {
	if v.IsNil() {
		return
	}
	name := runtime.FuncForPC(v.Pointer()).Name()
	if slices.ContainsFunc(w.world, func(path string) bool { return strings.HasPrefix(name, path+".") }) {
		w.found = fmt.Sprintf("%s is the function %s", path, name)
	}
}
