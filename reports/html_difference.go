package reports

import (
	"fmt"
	"strings"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// differencePlot shows what the verdict rests on: each contestant minus its
// rival, on every seed, with the mean and its interval. Between two vertical
// lines lies what is too little to count.
func differencePlot(r *sheet, row *experiment.Row, shown []column) *plot {
	p := plot{Height: rowHeight * len(shown)}
	pairs := make([]experiment.Pair, len(shown))
	floor, unit, suffix := 0.0, 1.0, ""
	values := []float64{0}
	for i, c := range shown {
		pair, ok := rival(row, c.name)
		if !ok {
			continue
		}
		pairs[i] = pair
		floor = pair.Floor
		if pair.Best != 0 {
			unit, suffix = 100/max(pair.Best, -pair.Best), " %"
		}
		values = append(values, pair.Mean-pair.HalfWidth, pair.Mean+pair.HalfWidth, floor, -floor)
		values = append(values, differences(r, row, pair)...)
	}
	if len(values) == 1 {
		return nil
	}
	place := func(better float64) float64 { return unit * raw(row.Metric, better) }
	for i := range values {
		values[i] = place(values[i])
	}
	s := newScale(values)
	p.Ticks = s.ticks(4)
	for i := range p.Ticks {
		p.Ticks[i].Unit = suffix
	}
	p.Zero = s.x(0)
	p.BandX, p.BandWidth = s.x(-unit*floor), decimal(chartWidth*(s.part(unit*floor)-s.part(-unit*floor)))
	for _, seed := range r.Sweep.Seeds {
		p.Seeds = append(p.Seeds, seedMarks{Seed: seed})
	}

	var spoken []string
	for i, c := range shown {
		line := plotRow{Name: c.name, Class: class(r, row, c)}
		pair := pairs[i]
		if pair.N == 0 {
			switch line.Class {
			case "winner":
				line.Text = "best"
			case "plain":
				line.Text = "no value"
			default:
				line.Text = line.Class
			}
			p.Rows = append(p.Rows, line)
			continue
		}
		line.Text = difference(row, c.name)
		p.Rows = append(p.Rows, line)
		y := rowHeight*i + rowHeight/2
		if pair.N > 1 {
			p.Marks = append(p.Marks, mark{"interval " + line.Class,
				fmt.Sprintf("M%s %dH%s", s.x(place(pair.Mean-pair.HalfWidth)), y+5, s.x(place(pair.Mean+pair.HalfWidth)))})
		}
		p.Marks = append(p.Marks, mark{"mean " + line.Class, fmt.Sprintf("M%s %dh0", s.x(place(pair.Mean)), y+5)})
		at := map[uint64]float64{}
		for k, d := range differences(r, row, pair) {
			at[row.Seeds[k]] = place(d)
		}
		for k, seed := range r.Sweep.Seeds {
			if d, ok := at[seed]; ok {
				p.Seeds[k].dot(line.Class, fmt.Sprintf("%s %d", s.x(d), y-6))
			}
		}
		spoken = append(spoken, pair.Words(row.Metric.Unit))
	}
	p.Label = "paired differences: " + strings.Join(spoken, "; ")
	return &p
}

// differences returns a pair's differences in the better direction, one per
// seed of the row.
func differences(r *sheet, row *experiment.Row, p experiment.Pair) []float64 {
	var all []float64
	for _, seed := range row.Seeds {
		a, _ := r.value(p.A, seed, row.Metric.Name)
		b, _ := r.value(p.B, seed, row.Metric.Name)
		all = append(all, raw(row.Metric, a-b))
	}
	return all
}
