package simtest

import (
	"slices"
	"testing"
)

// Whatever order Go makes the variables in, reports follow the source.
func TestScenariosAreInTheOrderOfTheSource(t *testing.T) {
	defer func(before []declaration) { declared = before }(declared)
	declared = nil
	for _, d := range []declaration{
		{name: "d", file: "/base_variant", line: 3}, {name: "b", file: "/base", line: 40},
		{name: "a", file: "/base", line: 9}, {name: "c", file: "/base", line: 100},
	} {
		declare(d)
	}
	if got := declaredNames(); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("the order is %v", got)
	}
}
