package pyrand_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/simtest/pyrand"
)

// load decodes a gzipped JSON file of testdata.
func load(t testing.TB, name string, into any) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func integer(t testing.TB, text string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("%q is no integer", text)
	}
	return n
}

// One stream per seed, all operations applied in order: a single word drawn
// too many or too few anywhere breaks everything after it.
func TestIntegerSeedsGivePythonsStreams(t *testing.T) {
	var file struct {
		Vectors []struct {
			Seed      string
			U32       []uint32
			Random    []float64
			After2000 uint32 `json:"u32_after_2000"`
			NextU32   uint32 `json:"next_u32"`
			Sequence  []struct {
				Op    string
				Args  []json.RawMessage
				Value json.RawMessage
			}
		}
	}
	load(t, "rng-vectors.json.gz", &file)
	if len(file.Vectors) != 16 {
		t.Fatalf("%d vectors, want 16", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.Seed, func(t *testing.T) {
			seed := integer(t, v.Seed)
			r := pyrand.New(seed)
			for i, want := range v.U32 {
				if got := r.Uint32(); got != want {
					t.Fatalf("word %d is %d, want %d", i, got, want)
				}
			}
			r.Seed(seed)
			for i, want := range v.Random {
				if got := r.Float64(); got != want {
					t.Fatalf("random() %d is %v, want %v", i, got, want)
				}
			}
			r.Seed(seed)
			for range 2000 {
				r.Uint32()
			}
			if got := r.Uint32(); got != v.After2000 {
				t.Errorf("word 2000 is %d, want %d", got, v.After2000)
			}
			r.Seed(seed)
			for i, s := range v.Sequence {
				got := fmt.Sprint(apply(t, r, s.Op, s.Args))
				want := strings.NewReplacer(",", "", "\n", "").Replace(string(s.Value))
				want = strings.Join(strings.Fields(strings.Trim(want, "[ ]")), " ")
				if strings.Trim(got, "[]") != want {
					t.Fatalf("step %d: %s%s is %s, want %s", i, s.Op, s.Args, got, want)
				}
			}
			if got := r.Uint32(); got != v.NextU32 {
				t.Errorf("the word after the sequence is %d, want %d", got, v.NextU32)
			}
		})
	}
}

func apply(t *testing.T, r *pyrand.Rand, op string, args []json.RawMessage) any {
	t.Helper()
	ints := make([]int, len(args))
	lists := make([][]float64, len(args))
	for i, a := range args {
		if json.Unmarshal(a, &ints[i]) != nil {
			if err := json.Unmarshal(a, &lists[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	switch op {
	case "getrandbits":
		return r.Getrandbits(ints[0])
	case "random":
		text, _ := json.Marshal(r.Float64())
		return string(text)
	case "randrange":
		return r.Randrange(ints[0])
	case "randint":
		return r.Randint(ints[0], ints[1])
	case "choice":
		return lists[0][r.Randrange(len(lists[0]))]
	case "choices":
		return lists[0][r.Choices(pyrand.Cumulative(lists[1]...))]
	case "sample":
		return r.Sample(nil, ints[0], ints[1])
	}
	t.Fatalf("unknown operation %q", op)
	return nil
}

func TestTextSeedsGivePythonsStreams(t *testing.T) {
	var file struct {
		Seed        int
		Endpoints   map[string][][6]float64
		Storms      map[string][][3]any `json:"storm_windows"`
		RetryDelays [][4]any            `json:"retry_delays"`
		Backoff     [][2]any            `json:"acquire_backoff"`
	}
	load(t, "draws.json.gz", &file)
	var r pyrand.Rand
	checked := 0
	check := func(key string, got, want any) {
		t.Helper()
		checked++
		if got != want {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
	for endpoint, rows := range file.Endpoints {
		for _, row := range rows {
			key := fmt.Sprintf("%d:%s:%d", file.Seed, endpoint, int(row[0]))
			r.SeedText([]byte(key))
			z, tail, failure, kind := r.Gauss(0, 1), r.Float64(), r.Float64(), r.Float64()
			if math.Abs(z-row[4]) > 4e-16*math.Max(1, math.Abs(row[4])) {
				t.Errorf("%s: gauss %v, want %v", key, z, row[4])
			}
			check(key, [3]float64{tail, failure, kind}, [3]float64{row[5], row[2], row[3]})
		}
	}
	for endpoint, rows := range file.Storms {
		for _, row := range rows {
			key := fmt.Sprintf("%d:%s:storm:%v", file.Seed, endpoint, row[0])
			check(key, pyrand.NewText(key).Float64(), row[1])
		}
	}
	for _, row := range file.RetryDelays {
		key := row[0].(string)
		check(key, pyrand.NewText(key).Uniform(0, row[1].(float64)), row[2])
	}
	for _, row := range file.Backoff {
		key := row[0].(string)
		r.SeedText([]byte(key))
		for i, want := range row[1].([]any) {
			check(key, r.Uniform(0, math.Min(10, 0.2*math.Pow(2, float64(i)))), want)
		}
	}
	if checked < 500 {
		t.Errorf("only %d draws were checked", checked)
	}
}

// Streams longer than the state, keys longer than the state, and leading zero
// bytes; the expected words come from CPython 3.11.
func TestUnusualTexts(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint32
	}{
		{"", 4124137760},
		{"a", 1168357962},
		{"\x00\x00\x00\x00\x00zero", 1809973451},
		{"é€😀", 429132848},
		{strings.Repeat("y", 4000), 1844117921},
		{strings.Repeat("\x00", 9), 3823868965},
	} {
		name := fmt.Sprintf("%.12q, %d bytes", c.text, len(c.text))
		if got := pyrand.NewText(c.text).Uint32(); got != c.want {
			t.Errorf("%s: first word %d, want %d", name, got, c.want)
		}
	}
}

func TestGaussKeepsTheSecondHalf(t *testing.T) {
	// random.Random(42).gauss(0, 1), three times, CPython 3.11.
	want := []float64{-0.14409032957792836, -0.1729036003315193, -0.11131586156766246}
	r := pyrand.New(big.NewInt(42))
	for i, w := range want {
		if got := r.Gauss(0, 1); math.Abs(got-w) > 4e-16 {
			t.Errorf("gauss %d is %v, want %v", i, got, w)
		}
	}
	r.Seed(big.NewInt(42))
	if got := r.Gauss(0, 1); math.Abs(got-want[0]) > 4e-16 {
		t.Errorf("reseeding kept the second half: %v, want %v", got, want[0])
	}
}

func TestReseedingAndDrawingDoNotAllocate(t *testing.T) {
	var r pyrand.Rand
	text := []byte(strings.Repeat("x", 128))
	picks := make([]int, 0, 16)
	got := testing.AllocsPerRun(100, func() {
		r.SeedText(text)
		r.Gauss(0, 1)
		picks = r.Sample(picks[:0], 21, 3)
		picks = r.Sample(picks[:0], 1000, 16)
	})
	if got != 0 {
		t.Errorf("%v allocations a round, want none", got)
	}
}

func TestArgumentsOutOfRangePanic(t *testing.T) {
	r := pyrand.New(big.NewInt(1))
	for name, call := range map[string]func(){
		"getrandbits(0)":  func() { r.Getrandbits(0) },
		"getrandbits(65)": func() { r.Getrandbits(65) },
		"randrange(0)":    func() { r.Randrange(0) },
		"randint(2, 1)":   func() { r.Randint(2, 1) },
		"sample(3, 4)":    func() { r.Sample(nil, 3, 4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			call()
		}()
	}
}

func BenchmarkSeedTextAndSixWords(b *testing.B) {
	var r pyrand.Rand
	key := []byte("20260917:slow-steady:1234")
	b.ReportAllocs()
	for b.Loop() {
		r.SeedText(key)
		for range 6 {
			r.Uint32()
		}
	}
}

func BenchmarkUint32(b *testing.B) {
	r := pyrand.New(big.NewInt(1))
	for b.Loop() {
		r.Uint32()
	}
}

func BenchmarkSampleThreeOfThousand(b *testing.B) {
	r := pyrand.New(big.NewInt(1))
	var picks []int
	for b.Loop() {
		picks = r.Sample(picks[:0], 1000, 3)
	}
}
