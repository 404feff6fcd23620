package simtest_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ranktest/ranktest/"

// layers are the packages from the top down: each imports only from layers
// below its own.
var layers = [][]string{
	{"simtest", "simtest/cmd/ranktest"},
	{"simtest/cmd/ranktest/internal/cli"},
	{"simtest/explain"},
	{"reports"},
	{"simtest/catalog"},
	{"simtest/provider", "simtest/placement"},
	{"simtest/fairness", "simtest/traceevent"},
	{"simtest/experiment"},
	{"simtest/draws"},
	{"simtest/pyrand"},
	{"simtest/numeric"},
	{"acquire"},
	{"pool"},
	{"clock"},
}

type listed struct {
	ImportPath    string
	Imports, Deps []string
	GoFiles       []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,GoFiles", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
	return all
}

func layerOf(path string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, strings.TrimPrefix(path, module)) })
}

func TestImportsGoDownwards(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		mine := layerOf(p.ImportPath)
		if mine < 0 {
			if p.ImportPath != module+"simtest/oracle" { // only tests
				t.Errorf("%s has no layer: give it one here", p.ImportPath)
			}
			continue
		}
		seen++
		for _, i := range p.Imports {
			if strings.HasPrefix(i, module) && layerOf(i) <= mine {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, i)
			}
		}
	}
	if seen < 14 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

// Half of the rule that no algorithm can reach a world; and what production
// programs import brings nothing with it.
func TestWhatShipsStandsOnTheStandardLibrary(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		ships := slices.Contains([]string{"clock", "pool", "acquire"}, name)
		for _, d := range p.Deps {
			own, foreign := strings.HasPrefix(d, module), strings.Contains(strings.Split(d, "/")[0], ".")
			switch {
			case ships && foreign && !own:
				t.Errorf("%s depends on %s", name, d)
			case ships && strings.HasPrefix(d, module+"simtest"):
				t.Errorf("%s depends on %s: an algorithm could reach a world", name, d)
			case name != "simtest" && strings.HasPrefix(d, "github.com/onsi/"):
				t.Errorf("%s depends on a test framework: %s", name, d)
			case name == "simtest/provider" && (d == "net" || strings.HasPrefix(d, "net/")):
				t.Errorf("%s could reach the network: %s", name, d)
			}
		}
	}
}
