package provider

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCacheForgetsWhatWasUsedLeastRecently(t *testing.T) {
	c := newLRU(3)
	for _, key := range []int{1, 2, 3, 1, 4} { // 2 is the oldest when 4 comes
		c.use(key)
	}
	for key, want := range map[int]bool{1: true, 2: false, 3: true, 4: true, 5: false} {
		if c.knows(key) != want {
			t.Errorf("knows(%d) = %v, want %v", key, !want, want)
		}
	}
}

// Against a plain list, over random uses.
func TestCacheAgainstAList(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, most := range []int{1, 2, 7, 50} {
		c, list := newLRU(most), []int{} // oldest first
		for range 5000 {
			key := 1 + r.IntN(2*most+3)
			known := slices.Contains(list, key)
			if c.knows(key) != known {
				t.Fatalf("%d entries: knows(%d) = %v, want %v: %v", most, key, !known, known, list)
			}
			c.use(key)
			if known {
				list = slices.DeleteFunc(list, func(k int) bool { return k == key })
			}
			if list = append(list, key); len(list) > most {
				list = list[1:]
			}
		}
	}
}
