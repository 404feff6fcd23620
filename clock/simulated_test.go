package clock_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// forbidden is what reads or waits for real time, by package.
var forbidden = map[string]string{
	"time":    " Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker ",
	"context": " WithTimeout WithTimeoutCause WithDeadline WithDeadlineCause AfterFunc ",
}

// Code that runs on a virtual clock takes all time from it.
func TestSimulatedPackagesTakeTimeFromTheClock(t *testing.T) {
	for _, dir := range []string{"pool", "acquire", "simtest/provider", "simtest/placement"} {
		root := filepath.Join("..", filepath.FromSlash(dir))
		if _, err := os.Stat(root); err != nil {
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			uses, err := realTime(path, src)
			for _, use := range uses {
				t.Errorf("%s: use the clock", use)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestRealTimeIsFound(t *testing.T) {
	src := `package p
import ("time"; c "context"; x "example.com/time")
var a, b = time.Now(), x.Now()
func f(ctx c.Context) { <-time.After(time.Second); c.WithTimeout(ctx, 1); c.WithCancel(ctx) }`
	uses, err := realTime("p.go", []byte(src))
	if got := strings.Join(uses, "; "); err != nil || got != "p.go:3:12: time.Now; p.go:4:27: time.After; p.go:4:52: context.WithTimeout" {
		t.Error(got, err)
	}
}

// realTime lists the uses of what is forbidden in a source file.
func realTime(name string, src []byte) ([]string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	packages := make(map[string]string) // name in this file -> import path
	for _, spec := range f.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = path
	}
	var uses []string
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				path := packages[x.Name]
				if strings.Contains(forbidden[path], " "+sel.Sel.Name+" ") {
					uses = append(uses, fset.Position(sel.Pos()).String()+": "+path+"."+sel.Sel.Name)
				}
			}
		}
		return true
	})
	return uses, nil
}
