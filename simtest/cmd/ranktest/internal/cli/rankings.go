package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ranktest/ranktest/reports"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/explain"
)

// outputs are what is written in the end.
func (s *runSettings) outputs(r *rankings) []output {
	to := func(flag, path string, write func(io.Writer, []*reports.Result) error) output {
		return output{flag, path, func(w io.Writer) error { return write(w, r.results) }}
	}
	return []output{
		to("json", s.json, reports.WriteJSON),
		to("markdown", s.markdown, reports.WriteMarkdown),
		to("benchstat", s.benchstat, reports.WriteBenchstat),
		to("html", s.html, func(w io.Writer, results []*reports.Result) error {
			return reports.WriteHTML(w, results, reports.HTMLOptions{Details: r.details})
		}),
	}
}

// rankings are the results so far.
type rankings struct {
	results []*reports.Result
	details map[string]reports.Detail // of each scenario, for the page
}

func (a *App) run(ctx context.Context, s *runSettings, names []string) error {
	r := &rankings{details: map[string]reports.Detail{}}
	outputs := s.outputs(r)
	if err := errors.Join(s.validate(), checkOutputs(outputs)); err != nil {
		return err
	}
	scenarios, err := a.entered(s, names)
	if err != nil {
		return err
	}
	var errs []error
	begun := 0
	for _, scenario := range scenarios {
		if ctx.Err() != nil {
			break
		}
		begun++
		result, err := a.sweep(ctx, s, scenario)
		errs = append(errs, err)
		if result == nil {
			continue
		}
		r.results = append(r.results, result)
		if s.html != "" {
			errs = append(errs, r.detail(ctx, scenario, result))
		}
		if !toStdout(outputs) {
			errs = append(errs, a.table(result, s.short, len(r.results) == 1))
		}
	}
	if n := len(scenarios); begun < n {
		errs = append(errs, fmt.Errorf("%w: %d of %d scenarios were not begun", context.Cause(ctx), n-begun, n))
	}
	if len(r.results) > 0 {
		errs = append(errs, a.writeOutputs(outputs, r.markPartial(len(scenarios))))
	}
	return errors.Join(errs...)
}

// detail adds what a page shows of a scenario beyond its result: words, and
// runs over time unless there is no time for them any more.
func (r *rankings) detail(ctx context.Context, scenario experiment.Scenario, result *reports.Result) error {
	words, err := explain.World(scenario)
	if err != nil {
		return finding{err}
	}
	d := reports.Detail{}
	if ctx.Err() == nil {
		d, err = reports.DetailOf(ctx, scenario, result)
	}
	d.Words = words
	r.details[scenario.Name()] = d
	if err != nil {
		return finding{fmt.Errorf("the page shows no runs over time of scenario %q: %w", scenario.Name(), err)}
	}
	return nil
}

// markPartial reports whether the results are not all that was asked for. If
// scenarios are missing, it says so in the results that there are.
func (r *rankings) markPartial(scenarios int) bool {
	if n := len(r.results); n < scenarios {
		for _, result := range r.results {
			result.Partial = append(result.Partial, fmt.Sprintf("%d of %d scenarios have a result", n, scenarios))
		}
	}
	return slices.ContainsFunc(r.results, func(r *reports.Result) bool { return len(r.Partial) > 0 })
}

// table prints a result, the first without an empty line above it.
func (a *App) table(r *reports.Result, short, first bool) error {
	if !first {
		fmt.Fprintln(a.Stdout)
	}
	if err := reports.WriteTable(a.Stdout, r, reports.TableOptions{Color: a.color(), Short: short}); err != nil {
		return finding{err}
	}
	return nil
}

// color reports whether the standard output wants colors.
func (a *App) color() bool {
	f, ok := a.Stdout.(*os.File)
	return ok && reports.ColorFor(f)
}
