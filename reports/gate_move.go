package reports

import (
	"math"
	"slices"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// Move is what became of a contestant in a row.
type Move struct {
	Contestant string
	// Was and Is say how it stood and stands, LostTo and LosesTo to whom.
	Was, Is         Place
	LostTo, LosesTo []string
	// MeanBefore and MeanNow are over all of its seeds, NaN without a value.
	MeanBefore, MeanNow float64
	// Paired compares now with before, seed by seed, where both have a value:
	// a positive mean says that the contestant got better.
	experiment.Paired
	// Base is the mean before on those seeds, which percentages refer to.
	Base float64
	// HalfWidth is half of the 95 % interval of the mean difference (Student),
	// 0 for fewer than two seeds.
	HalfWidth float64
	// Seeds are those on which the value differs, and Most the one of them on
	// which it does most.
	Seeds []uint64
	Most  uint64
}

// Place is how a contestant stands in a row.
type Place string

// The places.
const (
	Wins      Place = "wins"
	Loses     Place = "loses"     // somebody else is crowned
	Uncrowned Place = "uncrowned" // nobody is crowned
	Excluded  Place = "excluded"  // by the completion gate
	Shown     Place = "reference" // never crowned
	NoValue   Place = "no value"
	Absent    Place = "absent" // the contestant or the row is not there
)

func (b *Baseline) place(row *BaselineRow, contestant string) Place {
	at := slices.Index(b.Contestants, contestant)
	if row == nil || at < 0 {
		return Absent
	}
	_, hasValue := row.mean(at)
	switch {
	case slices.Contains(row.Winners, contestant):
		return Wins
	case slices.Contains(row.Excluded, contestant):
		return Excluded
	case !hasValue:
		return NoValue
	case slices.Contains(b.References, contestant):
		return Shown
	case len(row.Winners) == 0:
		return Uncrowned
	}
	return Loses
}

func (d *Drift) move(contestant string, before, now *BaselineRow) Move {
	m := Move{
		Contestant: contestant, MeanBefore: math.NaN(), MeanNow: math.NaN(),
		Was: d.Before.place(before, contestant), Is: d.Now.place(now, contestant),
	}
	if m.Was == Loses {
		m.LostTo = beatenBy(d.rankedBefore, before, contestant)
	}
	if m.Is == Loses {
		m.LosesTo = beatenBy(d.rankedNow, now, contestant)
	}
	b, n := slices.Index(d.Before.Contestants, contestant), slices.Index(d.Now.Contestants, contestant)
	if mean, ok := meanOf(before, b); ok {
		m.MeanBefore = mean
	}
	if mean, ok := meanOf(now, n); ok {
		m.MeanNow = mean
	}
	if m.Was == Absent || m.Is == Absent {
		return m
	}
	var was, is []float64
	most := 0.0
	d.common(func(seed uint64, atBefore, atNow int) {
		x, y := before.Values[b][atBefore], now.Values[n][atNow]
		if isNumber(x) && isNumber(y) {
			was, is = append(was, x), append(is, y)
		}
		if x == y || !isNumber(x) && !isNumber(y) {
			return
		}
		size := math.Abs(y - x)
		if !isNumber(size) {
			size = math.MaxFloat64 // a value that came or went is the largest move
		}
		m.Seeds = append(m.Seeds, seed)
		if size > most {
			most, m.Most = size, seed
		}
	})
	m.Paired = experiment.PairUp(is, was, betterOf(before, now))
	m.Base = experiment.AggregateOf(was).Mean
	if m.N > 1 {
		m.HalfWidth = float64(experiment.StudentQuantile(m.N-1, 0.975) * m.StandardError())
	}
	return m
}

func meanOf(row *BaselineRow, contestant int) (float64, bool) {
	if row == nil || contestant < 0 {
		return 0, false
	}
	return row.mean(contestant)
}
