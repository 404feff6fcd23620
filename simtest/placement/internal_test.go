package placement

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// The reference's percentiles, bit for bit.
func TestPercentiles(t *testing.T) {
	f, err := os.Open("testdata/percentile-vectors.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		P, Result float64
		Values    []float64
	}
	if err := json.NewDecoder(z).Decode(&vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range vectors {
		var counts tally
		for _, x := range v.Values {
			counts.add(int64(x), 1)
		}
		want := fraction(v.Result)
		want.sample = int64(len(v.Values))
		if got := counts.percentile(v.P); got != want {
			t.Errorf("percentile %v of %v is %v, want %v", v.P, v.Values, got.value, v.Result)
		}
	}
}

// A tally answers like the sorted list of what it has counted.
func TestTallyIsTheSortedList(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var counts tally
		var list []int64
		for range r.IntN(60) {
			value, times := r.Int64N(1<<r.IntN(40)), int64(1+r.IntN(3))
			counts.add(value, times)
			list = append(list, slices.Repeat([]int64{value}, int(times))...)
		}
		slices.Sort(list)
		if len(list) == 0 {
			if counts.mean() != absent || counts.percentile(0.95) != absent || counts.max() != 0 {
				t.Errorf("seed %d: an empty tally has values", seed)
			}
			continue
		}
		for place, want := range list {
			if got := counts.at(int64(place)); got != want {
				t.Fatalf("seed %d: place %d of %v is %d", seed, place, list, got)
			}
		}
		if counts.max() != list[len(list)-1] {
			t.Errorf("seed %d: the maximum of %v is %d", seed, list, counts.max())
		}
	}
}

// Numbers are written as Python writes them.
func TestFloatForms(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 0.1: "0.1", 1e-4: "0.0001", 0.00012345: "0.00012345", 1e-5: "1e-05", 1.5e-7: "1.5e-07",
		1e15: "1000000000000000.0", 1e16: "1e+16", 1.25e22: "1.25e+22", 1e100: "1e+100", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308",
	} {
		e := encoder{out: new(bytes.Buffer)}
		e.float(x)
		if string(e.buf) != want {
			t.Errorf("%g is written %s, want %s", x, e.buf, want)
		}
	}
}

// The changes that are kept are those of the last lag ticks, however long the
// run is.
func TestLoadHistoryIsNoLongerThanTheLag(t *testing.T) {
	g := DefaultGenerator()
	g.Ticks, g.Arrivals = 2000, 20
	trace, err := g.Trace(big.NewInt(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, lag := range []int{0, 1, 10, 100} {
		s := DefaultSettings()
		s.LoadLag = lag
		e, err := prepare(trace, "power-two", s)
		if err != nil {
			t.Fatal(err)
		}
		kept, changes, perTick := 0, 0, 0
		e.observe = func(ev Event) {
			if ev.Kind != TickEnded {
				return
			}
			kept = max(kept, len(e.line.changes)-e.line.head)
			now := 0
			for i := len(e.line.changes) - 1; i >= e.line.head && e.line.changes[i].tick == e.tick; i-- {
				now++
			}
			changes += now
			perTick = max(perTick, now)
		}
		if err := e.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if kept > lag*perTick {
			t.Errorf("lag %d: %d changes kept, with at most %d in a tick", lag, kept, perTick)
		}
		if lag > 0 && changes < 20*kept/max(1, lag) {
			t.Errorf("lag %d: only %d changes in all: the run is too short to show anything", lag, changes)
		}
		if c := cap(e.line.changes); c > 8*kept+1000 {
			t.Errorf("lag %d: room for %d changes, where %d are kept", lag, c, kept)
		}
	}
}

// One step per attempt: the matches that the oracle's index plays do not grow
// with the pool for workers that are not in the lead.
func TestTournamentFindsTheLeast(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		var source []Worker
		var workers []worker
		for range 1 + r.IntN(40) {
			w := Worker{Capacity: 1 + r.IntN(4)}
			for range 1 + r.IntN(3) {
				w.Capabilities = append(w.Capabilities, string(rune('a'+r.IntN(12))))
			}
			source = append(source, w)
			workers = append(workers, worker{capacity: int64(w.Capacity)})
		}
		d := newDirectory(source)
		index := newTournament(d, workers)
		for range 300 {
			w := int32(r.IntN(len(workers)))
			if r.IntN(4) == 0 {
				workers[w].down ^= 1
			} else {
				workers[w].load = r.Int64N(6)
			}
			index.update(workers, w)
			for c, pool := range d.pools {
				least := int32(none)
				for _, m := range pool {
					if workers[m].down == 0 && (least == none || standing(workers, m).less(standing(workers, least))) {
						least = m
					}
				}
				if got := index.best(workers, int32(c)); got != least {
					t.Fatalf("seed %d: the least loaded of %v is %d, not %d", seed, pool, least, got)
				}
			}
		}
	}
}

// Whether few or many capabilities are known, and however many a worker has.
func TestDirectory(t *testing.T) {
	for _, names := range []int{1, fewNames, fewNames + 1, 63, 64, 65, 300} {
		r := rand.New(rand.NewPCG(uint64(names), 3))
		name := func(i int) string { return string(rune('A' + i)) }
		var source []Worker
		for range 20 {
			var w Worker
			for range 1 + r.IntN(80) {
				w.Capabilities = append(w.Capabilities, name(r.IntN(names)))
			}
			source = append(source, w)
		}
		d := newDirectory(source)
		e := &engine{directory: d, workers: make([]worker, len(source))}
		for w := range source {
			e.workers[w].able = d.bits(int32(w))
		}
		for i := range names + 1 {
			c, mentions := d.number(name(i)), 0
			for w := range source {
				has := slices.Contains(source[w].Capabilities, name(i))
				if got := e.offers(int32(w), c); got != has {
					t.Errorf("%d names: offers(%d, %q) is %v", names, w, name(i), got)
				}
				for _, n := range source[w].Capabilities {
					if n == name(i) {
						mentions++
					}
				}
			}
			if pool := d.pool(c); len(pool) != mentions || !slices.IsSorted(pool) {
				t.Errorf("%d names: the pool of %q is %v, want %d mentions in ascending order", names, name(i), pool, mentions)
			}
		}
	}
}
