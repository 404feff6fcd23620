package provider

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// assumptions lists all that the world takes for granted: every field that is
// not zero, by its path ("endpoint.metered.bucket.per_window"). It walks the
// types, so that a field that is added later cannot be forgotten; and since
// zero fields are left out, adding one changes no fingerprint of a world that
// does not use it. Who takes part is no assumption about the world.
func (w *World) assumptions() experiment.Assumptions {
	var a experiment.Assumptions
	world := *w
	world.Name, world.Summary, world.Mechanism, world.FirstSeed = "", "", "", 0
	world.Contestants, world.Unsuited = nil, nil
	world.Endpoints = nil
	flatten(&a, "", reflect.ValueOf(world))
	var order []string
	for _, e := range w.Endpoints {
		order = append(order, e.ID)
		flatten(&a, "endpoint."+e.ID, reflect.ValueOf(e))
	}
	a.Set("endpoints", strings.Join(order, ","))
	return a
}

func flatten(a *experiment.Assumptions, path string, v reflect.Value) {
	if v.IsZero() {
		return
	}
	if d, ok := v.Interface().(time.Duration); ok {
		a.Set(path, d)
		return
	}
	if d, ok := v.Interface().(interface{ assumption() any }); ok {
		a.Set(path, d.assumption())
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		flatten(a, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				flatten(a, join(path, snake(field.Name)), v.Field(i))
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
		for _, key := range keys {
			flatten(a, join(path, key.String()), v.MapIndex(key))
		}
	case reflect.Slice:
		for i := range v.Len() {
			flatten(a, join(path, strconv.Itoa(i)), v.Index(i))
		}
	default:
		a.Set(path, v.Interface())
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// snake turns StepsPerJob into steps_per_job.
func snake(name string) string {
	var b strings.Builder
	lower := false
	for _, c := range name {
		if unicode.IsUpper(c) && lower {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(c)
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
