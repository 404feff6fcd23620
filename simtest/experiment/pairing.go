package experiment

import "slices"

// Pairing tells what common random numbers are worth in a row: the variance of
// the difference of two contestants on the same seed, relative to the sum of
// their variances, which is what independent luck would give; the median over
// all pairs that were compared. Below 1 sharing the luck has paid, and 0.25
// saves three of four seeds. It is false if there are no two contestants, no
// two seeds, or no variance.
func (r *Result) Pairing(row *Row) (ratio float64, ok bool) {
	var ratios []float64
	for i, a := range row.Eligible {
		for _, b := range row.Eligible[:i] {
			p, compared := row.Pair(a.Contestant, b.Contestant)
			if !compared || p.N < 2 {
				continue
			}
			_, sa := meanStdev(r.on(row.Seeds, a.Contestant, row.Metric.Name))
			_, sb := meanStdev(r.on(row.Seeds, b.Contestant, row.Metric.Name))
			if apart := float64(sa*sa) + float64(sb*sb); apart > 0 {
				ratios = append(ratios, float64(p.Stdev*p.Stdev)/apart)
			}
		}
	}
	if ratios == nil {
		return 0, false
	}
	slices.Sort(ratios)
	return Percentile(ratios, 0.5), true
}

// on returns a contestant's values of a metric on given seeds.
func (r *Result) on(seeds []uint64, contestant, metric string) []float64 {
	values := make([]float64, 0, len(seeds))
	for _, seed := range seeds {
		run, _ := r.Run(contestant, seed)
		values = append(values, run.Values[metric])
	}
	return values
}
