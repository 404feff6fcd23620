package experiment_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"

	"github.com/ranktest/ranktest/simtest/experiment"
)

// cache is a world of one's own: requests for keys, some much more popular
// than others, and a cache that may keep a quarter of them.
type cache struct{}

func (cache) Name() string                { return "skewed_cache" }
func (cache) Summary() string             { return "which eviction suits skewed popularity?" }
func (cache) Contestants() []string       { return []string{"random", "oldest", "coldest"} }
func (cache) Unsuited() map[string]string { return nil }

func (cache) Metrics() []experiment.Metric {
	return []experiment.Metric{{
		Name: "hit_rate", Unit: "ratio", Bench: "hit-%", BenchScale: 100, Better: experiment.Higher,
		Meaning: "requests that found their key in the cache",
	}}
}

func (cache) Fingerprint() string {
	var a experiment.Assumptions
	a.Set("keys", 100)
	a.Set("kept", 25)
	a.Set("requests", 5000)
	return a.Fingerprint()
}

// Run draws the same keys on a seed for every contestant; its own choices come
// from a stream that is named after it.
func (cache) Run(_ context.Context, contestant string, seed uint64) (experiment.Run, error) {
	keys := rand.New(rand.NewPCG(seed, 1))
	own := rand.New(rand.NewPCG(seed, uint64(len(contestant))<<32))
	var kept []int
	var hits float64
	asked := map[int]int{}
	for range 5000 {
		key := min(keys.IntN(100), keys.IntN(100), keys.IntN(100))
		asked[key]++
		if slices.Contains(kept, key) {
			hits++
			continue
		}
		if len(kept) == 25 {
			out := 0 // the oldest
			switch contestant {
			case "random":
				out = own.IntN(25)
			case "coldest":
				for i, k := range kept {
					if asked[k] < asked[kept[out]] {
						out = i
					}
				}
			}
			kept = slices.Delete(kept, out, out+1)
		}
		kept = append(kept, key)
	}
	return experiment.Run{Values: map[string]float64{"hit_rate": hits / 5000}, Iterations: 5000}, nil
}

func Example() {
	result, err := experiment.Sweep(context.Background(), cache{}, experiment.Options{Seeds: []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}})
	if err != nil {
		log.Fatal(err)
	}
	ranking, err := experiment.Rank(result, experiment.Calibrated)
	if err != nil {
		log.Fatal(err)
	}
	row := ranking.Row("hit_rate")
	fmt.Println("winners:", row.Winners)
	fmt.Println(row.Explain("random"))
	pair, _ := row.Pair("random", "oldest")
	fmt.Println(pair.Words("ratio"))
	// Output:
	// winners: [coldest]
	// coldest beats random by 0.1504 ratio (27.07 % of the best mean), interval 0.1418 to 0.159, better on 10 of 10 seeds
	// oldest is not separated from random: ahead by 0.00372 ratio (0.6696 % of the best mean), interval -0.0006125 to 0.008053, better on 7 of 10 seeds
}
