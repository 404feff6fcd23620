package placement

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// Known answers of queueing theory, which the parts of this package must
// reproduce. A check passes if the mean over replications is within 3.5
// standard errors or the stated relative tolerance. Each comes with a variant
// that is wrong on purpose, and must not pass.

// long runs take minutes.
var long = os.Getenv("SIMTEST_LONG") != ""

func skipIfShort(t *testing.T) {
	if testing.Short() {
		t.Skip("takes many runs")
	}
}

// estimate is a mean over replications with its standard error.
type estimate struct{ mean, err float64 }

func replicate(n int, once func(seed uint64) float64) estimate {
	var sum, squares float64
	for seed := range n {
		x := once(uint64(seed) + 1)
		sum += x
		squares += x * x
	}
	k := float64(n)
	mean := sum / k
	return estimate{mean, math.Sqrt(max(0, squares/k-mean*mean) / (k - 1))}
}

func (e estimate) agrees(theory, tolerance float64) bool {
	return math.Abs(e.mean-theory) <= max(3.5*e.err, tolerance*theory)
}

// Mitzenmacher 1996; Vvedenskaya, Dobrushin and Karpelevich 1996: with d
// choices, E[T] = sum over i >= 1 of lambda^((d^i-d)/(d-1)) for many servers.
func powerOfChoices(lambda float64, d int) float64 {
	if d == 1 {
		return 1 / (1 - lambda)
	}
	sum := 0.0
	for i := 1; ; i++ {
		k := float64(d)
		term := math.Pow(lambda, (math.Pow(k, float64(i))-k)/(k-1))
		if sum += term; term < 1e-12 {
			return sum
		}
	}
}

func TestPowerOfChoices(t *testing.T) {
	skipIfShort(t)
	run := func(workers, tasks int, lambda float64, d int, forgets bool) estimate {
		return replicate(4, func(seed uint64) float64 {
			m := newMarket(workers, tasks, lambda, d, seed)
			m.forgets = forgets
			return m.meanTime()
		})
	}
	cells := []struct {
		workers, tasks int
		lambda         float64
		d              int
		tolerance      float64
	}{
		{100, 50_000, 0.5, 1, 0.04}, {100, 50_000, 0.5, 2, 0.04}, {100, 50_000, 0.5, 3, 0.04},
		{100, 50_000, 0.7, 1, 0.04}, {100, 50_000, 0.7, 2, 0.04}, {100, 50_000, 0.7, 3, 0.04},
		{100, 50_000, 0.9, 2, 0.04}, {100, 50_000, 0.9, 3, 0.04},
		{100, 50_000, 0.95, 2, 0.06}, {100, 50_000, 0.95, 3, 0.06},
	}
	if long {
		cells = append(cells, cells...)
		for i := range cells[:10] {
			cells[i].tasks *= 20
			cells[10+i].workers *= 10
			cells[10+i].tasks *= 100
			cells[10+i].tolerance = 0.03
		}
	}
	for _, c := range cells {
		theory := powerOfChoices(c.lambda, c.d)
		e := run(c.workers, c.tasks, c.lambda, c.d, false)
		t.Logf("%d workers, lambda %g, d %d: %.4f +- %.4f, theory %.4f", c.workers, c.lambda, c.d, e.mean, e.err, theory)
		if !e.agrees(theory, c.tolerance) {
			t.Errorf("%d workers, lambda %g, d %d: mean time in system %.4f +- %.4f, want %.4f", c.workers, c.lambda, c.d, e.mean, e.err, theory)
		}
	}
	if theory := powerOfChoices(0.9, 2); math.Abs(theory-2.614057) > 1e-6 {
		t.Errorf("the formula gives %v, want the tabulated 2.614057", theory)
	}
	if e := run(100, 50_000, 0.9, 2, true); e.agrees(powerOfChoices(0.9, 2), 0.04) {
		t.Errorf("loads that never fall pass as power of two: %.4f +- %.4f", e.mean, e.err)
	}
}

// In the tick model itself, loads are work, not numbers of tasks. For tasks of
// exponential work that is the least-work-left policy, for which the workload
// has the closed form F(w)^(1-d) = lambda + (lambda^(1-d) - lambda) e^((d-1)w)
// (Hellemans and Van Houdt 2018); for d = 2, E[T] = -ln(1-lambda^2)/lambda^2.
func TestLeastWorkOfTwo(t *testing.T) {
	skipIfShort(t)
	const lambda, unit, workers = 0.9, 40, 100 // a unit of time is so many ticks
	run := func(policy string) estimate {
		return replicate(4, func(seed uint64) float64 {
			ticks := 10_000
			if long {
				ticks *= 20
			}
			trace := arrivals(seed, workers, ticks, lambda*workers/unit, func(r *rand.Rand) int {
				return 1 + int(math.Log(1-r.Float64())/math.Log(1-1.0/unit)) // geometric, mean unit
			})
			return simulated(t, trace, policy, Settings{Drain: 10_000, PolicySeed: big.NewInt(int64(seed))}, "mean_response_ticks")/unit - 1.0/unit
		})
	}
	theory := -math.Log(1-lambda*lambda) / (lambda * lambda)
	e := run("capability-power-two")
	t.Logf("%.4f +- %.4f, theory %.4f", e.mean, e.err, theory)
	if !e.agrees(theory, 0.04) {
		t.Errorf("mean time in system %.4f +- %.4f, want %.4f", e.mean, e.err, theory)
	}
	if e := run("power-three"); e.agrees(theory, 0.04) {
		t.Errorf("three choices pass as two: %.4f +- %.4f", e.mean, e.err)
	}
}

// arrivals makes a trace with Poisson arrivals per tick.
func arrivals(seed uint64, workers, ticks int, perTick float64, work func(*rand.Rand) int) *Trace {
	r := rand.New(rand.NewPCG(seed, 11))
	t := &Trace{Seed: big.NewInt(int64(seed)), Ticks: ticks}
	able := []string{"any"}
	for range workers {
		t.Workers = append(t.Workers, Worker{Capacity: 1, Capabilities: able})
	}
	for tick := range ticks {
		for range poisson(r, perTick) {
			t.Tasks = append(t.Tasks, Task{Arrival: tick, Work: work(r), Capability: "any"})
		}
	}
	return t
}

// poisson counts how many exponential steps fit into the mean.
func poisson(r *rand.Rand, mean float64) (n int) {
	for left := mean - r.ExpFloat64(); left > 0; left -= r.ExpFloat64() {
		n++
	}
	return n
}

func simulated(t *testing.T, trace *Trace, policy string, s Settings, metric string) float64 {
	t.Helper()
	r, err := Simulate(context.Background(), trace, policy, s)
	if err != nil {
		t.Fatal(err)
	}
	return r.Values()[metric]
}

// Mitzenmacher 2000, Dahlin 2000: loads that are refreshed every T. The more
// choices, the more herding. "All" is a scheduler that looks at everybody; it
// breaks ties by index, as this package does, and so herds on one worker where
// the literature's herds on all idle ones: it is worse from T = 0.1 on.
func TestStaleLoads(t *testing.T) {
	skipIfShort(t)
	const workers, lambda, all = 100, 0.9, 100
	tasks := 20_000
	if long {
		tasks *= 10
	}
	run := func(period float64, d, clients int) float64 {
		n := tasks
		if d == all { // which takes a hundred draws a task
			n /= 2
		}
		return replicate(2, func(seed uint64) float64 {
			m := newMarket(workers, n, lambda, d, seed)
			m.refreshed = max(1, int(period*workers*(1+lambda)))
			for range clients {
				m.views = append(m.views, make([]int64, workers))
			}
			return m.meanTime()
		}).mean
	}
	cells := func(period float64) map[string]float64 {
		times := map[string]float64{
			"random": run(period, 1, 0), "d=2": run(period, 2, 0), "d=3": run(period, 3, 0), "all": run(period, all, 0),
		}
		t.Logf("T = %g: %v", period, times)
		return times
	}
	ordered := func(times map[string]float64, names ...string) bool {
		return slices.IsSortedFunc(names, func(a, b string) int { return cmp.Compare(times[a], times[b]) })
	}
	fresh, stale, old := cells(0.01), cells(5), cells(50)
	if !ordered(fresh, "all", "d=3", "d=2", "random") {
		t.Error("T = 0.01: the order is not all, d=3, d=2, random")
	}
	if !ordered(stale, "d=2", "d=3", "random", "all") {
		t.Error("T = 5: the order is not d=2, d=3, random, all")
	}
	if math.Abs(stale["d=2"]-4.0) > 0.06*4.0 || math.Abs(stale["d=3"]-4.35) > 0.06*4.35 {
		t.Error("T = 5: d=2 and d=3 do not take about 4.0 and 4.35")
	}
	if !ordered(old, "random", "d=2", "all") {
		t.Error("T = 50: the order is not random, d=2, all")
	}
	if ordered(fresh, "d=2", "d=3", "random", "all") || ordered(fresh, "random", "d=2", "all") {
		t.Error("fresh loads pass as stale ones")
	}

	// A single client that counts what it has sent itself does not herd; many
	// do.
	one, few, many := run(5, all, 1), run(5, all, 2), run(5, all, 10)
	t.Logf("T = 5: 1 client %.2f, 2 clients %.2f, 10 clients %.2f", one, few, many)
	if one > stale["d=2"] {
		t.Errorf("T = 5: a client that counts its own tasks takes %.2f, which is not the least", one)
	}
	if !(one < few && few < many && stale["d=3"] < many) {
		t.Errorf("T = 5: 1, 2 and 10 clients take %.2f, %.2f, %.2f", one, few, many)
	}
}

// Azar, Broder, Karlin and Upfal 1994: n balls in n bins, the mean maximum.
func TestBallsIntoBins(t *testing.T) {
	skipIfShort(t)
	throw := func(n int, policy string, lag int) estimate {
		return replicate(max(4, 1<<15/n), func(seed uint64) float64 {
			trace := arrivals(seed, n, 2, 0, nil)
			for range n {
				trace.Tasks = append(trace.Tasks, Task{Arrival: 1, Work: 1, Capability: "any"})
			}
			return simulated(t, trace, policy, Settings{LoadLag: lag, PolicySeed: big.NewInt(int64(seed))}, "max_worker_queue_depth")
		})
	}
	for _, c := range []struct {
		n      int
		policy string
		want   float64
	}{
		{1 << 12, "one-random", 6.26}, {1 << 12, "power-two", 3.02}, {1 << 12, "power-three", 2.87},
		{1 << 16, "one-random", 7.57}, {1 << 16, "power-two", 3.31}, {1 << 16, "power-three", 3.00},
	} {
		e := throw(c.n, c.policy, 0)
		t.Logf("n = %d, %s: %.3f +- %.3f, want %.2f", c.n, c.policy, e.mean, e.err, c.want)
		if !e.agrees(c.want, 0.05) {
			t.Errorf("n = %d, %s: mean maximum %.3f +- %.3f, want %.2f", c.n, c.policy, e.mean, e.err, c.want)
		}
	}
	if e := throw(1<<12, "power-two", 1); e.agrees(3.02, 0.05) {
		t.Errorf("two choices that do not see this tick's balls pass: %.3f +- %.3f", e.mean, e.err)
	}
}

// One-random in ticks: every worker is a queue with Poisson arrivals that are
// served from the next tick on, one a tick. The mean number of ticks from
// arrival to service is 1 + lambda/(2(1-lambda)), as in M/D/1.
func TestOneRandomInTicks(t *testing.T) {
	skipIfShort(t)
	run := func(lambda float64, metric string) estimate {
		return replicate(4, func(seed uint64) float64 {
			const workers = 50
			ticks := 3000
			if long {
				ticks *= 20
			}
			trace := arrivals(seed, workers, ticks, lambda*workers, func(*rand.Rand) int { return 1 })
			return simulated(t, trace, "one-random", Settings{Drain: 1000, PolicySeed: big.NewInt(int64(seed))}, metric)
		})
	}
	for _, c := range []struct{ lambda, want float64 }{{0.5, 1.5}, {0.8, 3}, {0.9, 5.5}} {
		if want := 1 + c.lambda/(2*(1-c.lambda)); math.Abs(want-c.want) > 1e-9 {
			t.Errorf("the formula gives %v, want the tabulated %v", want, c.want)
		}
		e := run(c.lambda, "mean_wait_ticks")
		t.Logf("lambda %g: %.4f +- %.4f, want %g", c.lambda, e.mean, e.err, c.want)
		if !e.agrees(c.want, 0.02) {
			t.Errorf("lambda %g: mean wait %.4f +- %.4f ticks, want %g", c.lambda, e.mean, e.err, c.want)
		}
	}
	// To count the tick of service twice is the classical mistake.
	if e := run(0.5, "mean_response_ticks"); e.agrees(1.5, 0.02) {
		t.Errorf("a tick more passes as well: %.4f +- %.4f", e.mean, e.err)
	}
}

// Work of w ticks that an outage restarts with probability q a tick takes
// (1-p^w)/(q p^w) ticks in the mean, p = 1-q: the waiting time for a run of w
// successes.
func TestWorkRestartedByOutages(t *testing.T) {
	skipIfShort(t)
	run := func(q float64, work int, restart bool) estimate {
		return replicate(6, func(seed uint64) float64 {
			const workers, ticks = 300, 1500
			r := rand.New(rand.NewPCG(seed, 13))
			trace := arrivals(seed, workers, ticks, 0, nil)
			for w := range workers {
				trace.Tasks = append(trace.Tasks, Task{Work: work, Capability: "any"})
				for tick := range ticks {
					if r.Float64() < q {
						trace.Outages = append(trace.Outages, Outage{w, tick, tick + 1})
					}
				}
			}
			// Each tick in which a worker holds a task either serves it or
			// evicts it.
			s := Settings{PolicySeed: big.NewInt(0), RestartOnChurn: restart}
			result, err := Simulate(context.Background(), trace, Oracle, s)
			if err != nil {
				t.Fatal(err)
			}
			v := result.Values()
			if v["completion_rate"] != 1 {
				t.Fatalf("q %g, work %d: only %v of the tasks were completed", q, work, v["completion_rate"])
			}
			return (v["processed_work_units"] + v["churn_requeues"]) / workers
		})
	}
	for _, c := range []struct {
		q    float64
		work int
		want float64
	}{{0.05, 10, 13.404}, {0.01, 50, 65.288}} {
		pw := math.Pow(1-c.q, float64(c.work))
		if theory := (1 - pw) / (c.q * pw); math.Abs(theory-c.want) > 1e-3 {
			t.Errorf("the formula gives %v, want the tabulated %v", theory, c.want)
		}
		e := run(c.q, c.work, true)
		t.Logf("q %g, work %d: %.3f +- %.3f, want %.3f", c.q, c.work, e.mean, e.err, c.want)
		if !e.agrees(c.want, 0.02) {
			t.Errorf("q %g, work %d: %.3f +- %.3f ticks, want %.3f", c.q, c.work, e.mean, e.err, c.want)
		}
		if e := run(c.q, c.work, false); e.agrees(c.want, 0.02) {
			t.Errorf("q %g, work %d: outages that restart nothing pass: %.3f +- %.3f", c.q, c.work, e.mean, e.err)
		}
	}
}

// One able worker of 100, tasks of 10 ticks, one task a tick: without a
// directory, the less loaded of two is hardly ever the only able worker, since
// that is busy and all others are idle.
func TestTwoChoicesAvoidTheOnlyAbleWorker(t *testing.T) {
	const workers, ticks = 100, 500
	run := func(policy string) estimate {
		return replicate(10, func(seed uint64) float64 {
			trace := arrivals(seed, workers, ticks, 0, nil)
			trace.Workers[workers/2].Capabilities = []string{"rare"}
			for tick := range ticks {
				trace.Tasks = append(trace.Tasks, Task{Arrival: tick, Work: 10, Capability: "rare"})
			}
			result, err := Simulate(context.Background(), trace, policy, Settings{PolicySeed: big.NewInt(int64(seed))})
			if err != nil {
				t.Fatal(err)
			}
			return result.Values()["successful_assignments"] / result.Values()["routing_attempts"]
		})
	}
	one, two := run("one-random"), run("power-two")
	t.Logf("one-random %.5f +- %.5f, power-two %.5f +- %.5f", one.mean, one.err, two.mean, two.err)
	if !one.agrees(0.01, 0.08) {
		t.Errorf("one-random succeeds in %.5f +- %.5f of its attempts, want one in %d", one.mean, one.err, workers)
	}
	if !two.agrees(0.00041, 0.06) {
		t.Errorf("power-two succeeds in %.5f +- %.5f of its attempts, want 0.00041", two.mean, two.err)
	}
	if able := run("capability-power-two"); able.agrees(0.00041, 0.1) {
		t.Error("a directory makes no difference")
	}
}
