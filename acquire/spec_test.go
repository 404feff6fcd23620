package acquire_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
)

func TestSpecCanonicalSpelling(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"immediate", "immediate"},
		{"immediate()", "immediate"},
		{"  wait ( ) ", "wait"},
		{"wait(timeout=none)", "wait"},
		{"wait(timeout=60s)", "wait(timeout=1m)"},
		{"wait(timeout=3600s)", "wait(timeout=1h)"},
		{"wait(timeout=3605s)", "wait(timeout=1h0m5s)"},
		{"wait(timeout=70m)", "wait(timeout=1h10m)"},
		{"backoff(base=0.2s,factor=2.0,cap=10000ms,jitter=full,max_wait=none)", "backoff"},
		{"backoff( max_wait = 5s , base = 100ms )", "backoff(base=100ms,max_wait=5s)"},
		{"backoff(factor=inf,jitter=equal)", "backoff(factor=+Inf,jitter=equal)"},
		{"least_busy(fallback=wait)", "least_busy"},
		{"least_busy(fallback=wait(timeout=none))", "least_busy"},
		{"failover(pools= a | b ,fallback=backoff)", "failover(pools=a|b,fallback=backoff)"},
		{"failover(pools=)", "failover"},
		{"failover(pools=eu-west.1/gpt:4o)", "failover(pools=eu-west.1/gpt:4o)"},
		{"sticky(fallback=failover(fallback=backoff(cap=2s,base=1s),pools=a|b))",
			"sticky(fallback=failover(pools=a|b,fallback=backoff(base=1s,cap=2s)))"},
		{"quota_aware(reserve=5e-2,metric=requests)", "quota_aware(metric=requests)"},
	} {
		spec, err := acquire.Parse(c.spec)
		if err != nil {
			t.Errorf("%q: %v", c.spec, err)
			continue
		}
		if spec.String() != c.want {
			t.Errorf("%q is spelled %q, want %q", c.spec, spec, c.want)
		}
	}
}

func TestSpecErrorsTeach(t *testing.T) {
	deep := strings.Repeat("sticky(fallback=", 9) + "wait" + strings.Repeat(")", 9)
	for _, c := range []struct{ spec, want string }{
		{"", `algorithm "": unknown: must be one of immediate, wait, backoff, least_busy, failover, sticky, quota_aware`},
		{"bakoff", `algorithm "bakoff": unknown: must be one of immediate, wait, backoff, least_busy, failover, sticky, quota_aware; did you mean "backoff"?`},
		{"Wait", `did you mean "wait"?`},
		{"backoff(bas=1s)", `algorithm "backoff": parameter "bas": unknown: must be one of base, factor, cap, jitter, max_wait; did you mean "base"?`},
		{"immediate(timeout=1s)", `algorithm "immediate": parameter "timeout": unknown: there are none`},
		{"backoff(100ms)", `algorithm "backoff": "100ms": must be name=value`},
		{"backoff(base=1s,)", `algorithm "backoff": "": must be name=value`},
		{"backoff(base=1s,base=2s)", `parameter "base": given twice`},
		{"backoff(base=1)", `parameter "base": "1": must be a duration with its unit, such as 100ms or 1.5s`},
		{"backoff(base=-1s)", `parameter "base": -1s: must not be negative`},
		{"backoff(base=0s)", `parameter "base": 0s: must be more than 0`},
		{"backoff(base=none)", `parameter "base": "none": must be a duration`},
		{"backoff(cap=0s)", `parameter "cap": 0s: must be more than 0`},
		{"backoff(factor=0.5)", `parameter "factor": 0.5: must be at least 1`},
		{"backoff(factor=nan)", `parameter "factor": "nan": must be a number`},
		{"backoff(jitter=ful)", `parameter "jitter": "ful": must be one of full, equal, none; did you mean "full"?`},
		{"wait(timeout=0s)", `parameter "timeout": 0s: must be more than 0, or none`},
		{"quota_aware(reserve=1.5)", `parameter "reserve": 1.5: must be from 0 to 1`},
		{"quota_aware(metric=a b)", `parameter "metric": "a b": must be a word`},
		{"failover(pools=a||b)", `parameter "pools": "a||b": must be words separated by |`},
		{"failover(pools=a|a)", `parameter "pools": "a|a": "a" is listed twice`},
		{"sticky(fallback=wiat)", `algorithm "sticky": parameter "fallback": algorithm "wiat": unknown: must be one of immediate, wait, backoff, least_busy, failover, sticky, quota_aware; did you mean "wait"?`},
		{"sticky(fallback=)", `parameter "fallback": algorithm "": unknown`},
		{"wait(", `a closing parenthesis is missing`},
		{"sticky(fallback=wait(timeout=1s)", `a closing parenthesis is missing`},
		{"wait()x", `"x" after the closing parenthesis: must be the end`},
		{"wait)", `algorithm "wait)": unknown`},
		{deep, `more than 8 algorithms inside each other`},
	} {
		_, err := acquire.Parse(c.spec)
		if err == nil {
			t.Errorf("%q was accepted", c.spec)
			continue
		}
		if !strings.HasPrefix(err.Error(), "acquire: spec ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant  %s", c.spec, err, c.want)
		}
	}
}

func TestSpecNestsEightDeep(t *testing.T) {
	deep := strings.Repeat("sticky(fallback=", 8) + "immediate" + strings.Repeat(")", 8)
	if spec, err := acquire.Parse(deep); err != nil || spec.String() != deep {
		t.Errorf("%v, %v", spec, err)
	}
}

// A suggestion is only made where it is likely to be what was meant.
func TestSpecSuggestsNothingFarFetched(t *testing.T) {
	for _, spec := range []string{"x", "random", "round_robin", strings.Repeat("backoff", 1000)} {
		if _, err := acquire.Parse(spec); strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%.20q: %v", spec, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"wait", "backoff(base=100ms,cap=2s)", "failover(pools=a|b,fallback=backoff)", "sticky(fallback=sticky(fallback=wait))",
		"quota_aware(metric=requests,reserve=1e-3)", "wait(timeout=none)", "backoff(factor=inf)", "((((", "a(b=c(d=e),f)", "wait(,)",
		"wait()()", "failover(pools=|)", "wait(timeout=9223372036854775807ns)", "backoff(base=1s,base=1s)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := acquire.Parse(text)
		if err != nil {
			if spec != nil || !strings.HasPrefix(err.Error(), "acquire: spec ") {
				t.Fatalf("%q: %v, %v", text, spec, err)
			}
			return
		}
		again, err := acquire.Parse(spec.String())
		if err != nil {
			t.Fatalf("%q is spelled %q, which does not parse: %v", text, spec, err)
		}
		if again.String() != spec.String() {
			t.Fatalf("%q is spelled %q, which is spelled %q", text, spec, again)
		}
		if strings.ContainsAny(spec.String(), " \t\n") {
			t.Fatalf("%q is spelled %q, with a space", text, spec)
		}
	})
}

// all describes an algorithm with a parameter of every kind.
func all(got *acquire.Args) acquire.Definition {
	return acquire.Definition{
		Name: "all_kinds", Rule: "takes everything",
		Params: []acquire.Param{
			{Name: "d", Kind: acquire.DurationKind, Default: "1s"},
			{Name: "l", Kind: acquire.LimitKind, Default: "none"},
			{Name: "n", Kind: acquire.NumberKind, Default: "0.5"},
			{Name: "w", Kind: acquire.WordKind, Default: "red", Choices: []string{"red", "green"}},
			{Name: "ws", Kind: acquire.WordsKind},
			{Name: "alg", Kind: acquire.NestedKind, Default: "immediate"},
		},
		New: func(a acquire.Args) (acquire.Algorithm, error) {
			*got = a
			return a.Algorithm("alg"), nil
		},
	}
}

func TestRegisterHandsOverTypedArguments(t *testing.T) {
	r, args := acquire.NewRegistry(), acquire.Args{}
	if err := r.Register(all(&args)); err != nil {
		t.Fatal(err)
	}
	spec, err := r.Parse("all_kinds(d=0s,l=2m,n=-3,w=green,ws=x|y,alg=backoff(base=1s))")
	if err != nil {
		t.Fatal(err)
	}
	if want := "all_kinds(d=0s,l=2m,n=-3,w=green,ws=x|y,alg=backoff(base=1s))"; spec.String() != want {
		t.Errorf("spelled %q, want %q", spec, want)
	}
	got := []any{args.Duration("d"), args.Duration("l"), args.Number("n"), args.Word("w"), args.Words("ws"), fmt.Sprint(args.Algorithm("alg"))}
	want := []any{time.Duration(0), 2 * time.Minute, -3.0, "green", []string{"x", "y"}, "backoff(base=1s)"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("arguments %v, want %v", got, want)
	}
	if _, err := r.Parse("sticky(fallback=all_kinds)"); err != nil {
		t.Errorf("as a fallback: %v", err)
	}
	if _, err := acquire.Parse("all_kinds"); err == nil {
		t.Error("a registry of one's own must not change what the package parses")
	}
	if got := r.Definitions(); len(got) != 8 || got[7].Usage() != "all_kinds(d=1s,l=none,n=0.5,w=red,ws=,alg=immediate)" {
		t.Errorf("listed as %v", got[7].Usage())
	}
}

func TestRegisterRefuses(t *testing.T) {
	make := func(a acquire.Args) (acquire.Algorithm, error) { return acquire.Parse("wait") }
	param := func(p acquire.Param) acquire.Definition {
		return acquire.Definition{Name: "x", New: make, Params: []acquire.Param{p}}
	}
	for _, c := range []struct {
		def  acquire.Definition
		want string
	}{
		{acquire.Definition{Name: "wait", New: make}, `register "wait": the name is taken`},
		{acquire.Definition{Name: "My Algorithm", New: make}, `name: must match ^[a-z][a-z0-9_]*$`},
		{acquire.Definition{Name: "x"}, `field New: must not be nil`},
		{param(acquire.Param{Name: "Base"}), `parameter "Base": name: must match`},
		{param(acquire.Param{Name: "n", Kind: acquire.NumberKind, Default: "many"}), `parameter "n": default "many": must be a number`},
		{param(acquire.Param{Name: "f", Kind: acquire.NestedKind, Default: "x"}), `parameter "f": default algorithm "x": unknown`},
		{acquire.Definition{Name: "x", New: make, Params: []acquire.Param{
			{Name: "a", Kind: acquire.WordsKind}, {Name: "a", Kind: acquire.WordsKind}}}, `parameter "a": listed twice`},
		{acquire.Definition{Name: "x", New: func(acquire.Args) (acquire.Algorithm, error) { return nil, nil }}, `New returned nil`},
		{acquire.Definition{Name: "x", New: func(acquire.Args) (acquire.Algorithm, error) { return nil, errors.New("no") }}, `algorithm "x": no`},
	} {
		if err := acquire.NewRegistry().Register(c.def); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.def.Name, err, c.want)
		}
	}
}

// Registering and parsing at the same time is safe, even where an algorithm's
// New parses another spec.
func TestRegistryIsSafeForConcurrentUse(t *testing.T) {
	r := acquire.NewRegistry()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			err := r.Register(acquire.Definition{
				Name: fmt.Sprintf("own_%d", i),
				New:  func(acquire.Args) (acquire.Algorithm, error) { return r.Parse("wait") },
			})
			if err != nil {
				t.Error(err)
			}
			if _, err := r.Parse(fmt.Sprintf("sticky(fallback=own_%d)", i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(r.Definitions()); n != 7+8 {
		t.Errorf("%d definitions, want 15", n)
	}
}

// The listing shows the documented defaults, and each usage is a spec that
// means the plain name.
func TestDefinitionsListTheDefaults(t *testing.T) {
	want := []string{
		"immediate",
		"wait(timeout=none)",
		"backoff(base=200ms,factor=2,cap=10s,jitter=full,max_wait=none)",
		"least_busy(fallback=wait)",
		"failover(pools=,fallback=wait)",
		"sticky(fallback=wait)",
		"quota_aware(metric=tokens,reserve=0.05,fallback=wait)",
	}
	for i, d := range acquire.NewRegistry().Definitions() {
		if d.Usage() != want[i] {
			t.Errorf("listed as %s, want %s", d.Usage(), want[i])
		}
		if spec, err := acquire.Parse(d.Usage()); err != nil || spec.String() != d.Name {
			t.Errorf("%s is spelled %v, %v; want %s", d.Usage(), spec, err, d.Name)
		}
		if d.Rule == "" {
			t.Errorf("%s has no rule", d.Name)
		}
		for _, p := range d.Params {
			if p.Help == "" {
				t.Errorf("%s: parameter %s has no help", d.Name, p.Name)
			}
		}
	}
}

var _ acquire.Algorithm = (*acquire.Spec)(nil)
