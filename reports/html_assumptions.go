package reports

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// assumptionTable is a group of assumptions, those whose keys begin alike. If
// it is about several things of one kind, each has a column; otherwise Heads is
// nil and there is one column of values.
type assumptionTable struct {
	Title string
	Heads []string
	Rows  []assumptionRow
}

type assumptionRow struct {
	Name  string
	Cells []string
}

func newAssumptionTables(all experiment.Assumptions) []assumptionTable {
	var titles []string
	groups := map[string]experiment.Assumptions{}
	for _, a := range all {
		title, rest, ok := strings.Cut(a.Key, ".")
		if !ok {
			title, rest = "", a.Key
		}
		if _, known := groups[title]; !known {
			titles = append(titles, title)
		}
		value := a.Value
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		groups[title] = append(groups[title], experiment.Assumption{Key: rest, Value: value})
	}
	var tables []assumptionTable
	for _, title := range titles {
		t, ok := newMatrix(groups[title])
		if !ok {
			for _, a := range groups[title] {
				t.Rows = append(t.Rows, assumptionRow{words(a.Key), []string{a.Value}})
			}
		}
		if t.Title = words(title); title == "" {
			t.Title = "general"
		}
		tables = append(tables, t)
	}
	return tables
}

// newMatrix makes a column of each first part of the keys, if these are things
// of one kind: at least two, with most of their properties in common.
func newMatrix(group experiment.Assumptions) (assumptionTable, bool) {
	var things, properties []string
	cells := map[[2]string]string{}
	for _, a := range group {
		thing, property, ok := strings.Cut(a.Key, ".")
		if !ok {
			return assumptionTable{}, false
		}
		if !slices.Contains(things, thing) {
			things = append(things, thing)
		}
		if !slices.Contains(properties, property) {
			properties = append(properties, property)
		}
		cells[[2]string{thing, property}] = a.Value
	}
	if len(things) < 2 || 2*len(cells) < len(things)*len(properties) {
		return assumptionTable{}, false
	}
	t := assumptionTable{Heads: things}
	for _, property := range properties {
		row := assumptionRow{Name: words(property)}
		for _, thing := range things {
			value, ok := cells[[2]string{thing, property}]
			if !ok {
				value = "–"
			}
			row.Cells = append(row.Cells, value)
		}
		if !slices.Equal(row.Cells, things) { // the name of a thing is its head
			t.Rows = append(t.Rows, row)
		}
	}
	return t, true
}

// words makes a key readable.
func words(key string) string { return strings.NewReplacer("_", " ", ".", ": ").Replace(key) }
