package placement

import (
	"maps"
	"math"
	"slices"
)

// tally counts how often each integer from 0 on occurred. Mean and percentile
// come out as from the sorted list of all of them, but the memory is that of
// the different values.
type tally struct {
	small  []int64 // of values below smallValues, as far as needed
	large  map[int64]int64
	n, sum int64
}

const smallValues = 1 << 14

func (t *tally) add(value, times int64) {
	t.n += times
	t.sum += value * times
	switch {
	case value < int64(len(t.small)):
		t.small[value] += times
	case value < smallValues:
		t.small = append(t.small, make([]int64, value+1-int64(len(t.small)))...)
		t.small[value] = times
	default:
		if t.large == nil {
			t.large = make(map[int64]int64)
		}
		t.large[value] += times
	}
}

// ascending yields each value with the number of those up to it.
func (t *tally) ascending(yield func(value, upTo int64) bool) {
	upTo := int64(0)
	for value, times := range t.small {
		if upTo += times; times > 0 && !yield(int64(value), upTo) {
			return
		}
	}
	for _, value := range slices.Sorted(maps.Keys(t.large)) {
		if upTo += t.large[value]; !yield(value, upTo) {
			return
		}
	}
}

// at returns the value at a place, from 0, in the sorted list.
func (t *tally) at(place int64) (found int64) {
	for value, upTo := range t.ascending {
		found = value
		if upTo > place {
			break
		}
	}
	return found
}

// max returns the largest value, 0 of nothing.
func (t *tally) max() int64 { return t.at(t.n) }

// mean returns the mean, rounded once.
func (t *tally) mean() number {
	if t.n == 0 {
		return absent
	}
	return fraction(quotient(t.sum, t.n))
}

// percentile interpolates linearly between the two values next to place
// (n-1)*p of the sorted list.
func (t *tally) percentile(p float64) number {
	if t.n == 0 {
		return absent
	}
	place := float64(float64(t.n-1) * p)
	low, high := math.Floor(place), math.Ceil(place)
	a, b := float64(t.at(int64(low))), float64(t.at(int64(high)))
	value := fraction(a)
	if low != high {
		f := place - low
		value = fraction(float64(a*(1-f)) + float64(b*f))
	}
	value.sample = t.n
	return value
}
