package placement_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
	"github.com/ranktest/ranktest/simtest/pyrand"
)

// plain is the tick model written down as directly as possible: every tick is
// executed, every history is kept and searched, and the oracle looks at every
// worker. It shares nothing with the package but the random numbers.
type plain struct {
	trace    *placement.Trace
	settings placement.Settings
	random   *pyrand.Rand

	queue     [][]int // of tasks, per worker
	history   [][]observation
	remaining []int
	pending   []int
	potential int
	processed []int // work, per worker
	online    []int // ticks, per worker
	log       []placement.Event
}

type observation struct{ tick, load int }

func (p *plain) offline(w, tick int) bool {
	return slices.ContainsFunc(p.trace.Outages, func(o placement.Outage) bool {
		return o.Worker == w && o.Start <= tick && tick < o.End
	})
}

func (p *plain) load(w int) (sum int) {
	for _, task := range p.queue[w] {
		sum += p.remaining[task]
	}
	return sum
}

func (p *plain) observe(w, tick int) {
	h := p.history[w]
	if len(h) > 0 && h[len(h)-1].tick == tick {
		h = h[:len(h)-1]
	}
	p.history[w] = append(h, observation{tick, p.load(w)})
}

// observed is the load of a worker at the end of a tick.
func (p *plain) observed(w, tick int) int {
	h := p.history[w]
	i := sort.Search(len(h), func(i int) bool { return h[i].tick > tick })
	if i == 0 {
		return 0
	}
	return h[i-1].load
}

func (p *plain) choose(policy string, task, tick int) (worker, probes int) {
	var all, able []int
	for w := range p.trace.Workers {
		all = append(all, w)
		for _, c := range p.trace.Workers[w].Capabilities {
			if c == p.trace.Tasks[task].Capability {
				able = append(able, w)
			}
		}
	}
	var asked []int
	switch policy {
	case "one-random":
		asked = []int{p.random.Randrange(len(all))}
	case "power-two":
		asked = p.sample(all, 2)
	case "power-three":
		asked = p.sample(all, 3)
	case "capability-power-two":
		asked = p.sample(able, 2)
	case placement.Oracle:
		asked = able
	}
	best, bestLoad := -1, 0
	for _, w := range asked {
		down, load := p.offline(w, max(0, tick-p.settings.AvailabilityLag)), p.observed(w, max(0, tick-p.settings.LoadLag))
		if policy == placement.Oracle {
			down, load = p.offline(w, tick), p.load(w)
		}
		if down {
			continue
		}
		if best >= 0 {
			a, b := p.ratio(load, w), p.ratio(bestLoad, best)
			if a > b || a == b && (load > bestLoad || load == bestLoad && w >= best) {
				continue
			}
		}
		best, bestLoad = w, load
	}
	return best, len(asked)
}

func (p *plain) ratio(load, w int) float64 {
	return float64(load) / float64(p.trace.Workers[w].Capacity)
}

func (p *plain) sample(from []int, n int) (chosen []int) {
	for _, i := range p.random.Sample(nil, len(from), min(n, len(from))) {
		chosen = append(chosen, from[i])
	}
	return chosen
}

func (p *plain) run(policy string) {
	end := p.trace.Ticks + p.settings.Drain
	for tick := 0; tick < end; tick++ {
		for w := range p.trace.Workers {
			if !p.offline(w, tick) {
				p.online[w]++
				p.potential += p.trace.Workers[w].Capacity
			}
		}
		for _, o := range p.trace.Outages {
			if o.Start == tick {
				p.evict(o.Worker, tick)
			}
		}
		for w := range p.trace.Workers {
			p.serve(w, tick)
		}
		for i, task := range p.trace.Tasks {
			if task.Arrival == tick {
				p.pending = append(p.pending, i)
			}
		}
		p.route(policy, tick)
		longest, busy := 0, false
		for w := range p.queue {
			longest = max(longest, len(p.queue[w]))
			busy = busy || len(p.queue[w]) > 0
		}
		p.log = append(p.log, placement.Event{Kind: placement.TickEnded, Tick: tick, Task: -1, Worker: -1, Ticks: 1, Queue: longest, Pending: len(p.pending)})
		if tick+1 >= p.trace.Ticks && len(p.pending) == 0 && !busy {
			break
		}
	}
}

func (p *plain) evict(w, tick int) {
	for _, task := range p.queue[w] {
		lost := 0
		if p.settings.RestartOnChurn {
			lost = p.trace.Tasks[task].Work - p.remaining[task]
		}
		p.remaining[task] += lost
		p.pending = append(p.pending, task)
		p.log = append(p.log, placement.Event{Kind: placement.Evicted, Tick: tick, Task: task, Worker: w, Lost: lost})
	}
	p.queue[w] = nil
	p.observe(w, tick)
}

func (p *plain) serve(w, tick int) {
	if len(p.queue[w]) == 0 {
		return
	}
	for budget := p.trace.Workers[w].Capacity; budget > 0 && len(p.queue[w]) > 0; {
		task := p.queue[w][0]
		work := min(budget, p.remaining[task])
		budget -= work
		p.processed[w] += work
		if p.remaining[task] -= work; p.remaining[task] == 0 {
			p.queue[w] = p.queue[w][1:]
			p.log = append(p.log, placement.Event{Kind: placement.Completed, Tick: tick, Task: task, Worker: w})
		}
	}
	p.observe(w, tick)
}

func (p *plain) route(policy string, tick int) {
	for range len(p.pending) {
		task := p.pending[0]
		p.pending = p.pending[1:]
		w, probes := p.choose(policy, task, tick)
		e := placement.Event{Tick: tick, Task: task, Worker: w, Probes: probes}
		switch {
		case w < 0:
			e.Kind = placement.NoCandidate
		case p.offline(w, tick):
			e.Kind = placement.Unreachable
		case !slices.Contains(p.trace.Workers[w].Capabilities, p.trace.Tasks[task].Capability):
			e.Kind = placement.Mismatch
		default:
			p.queue[w] = append(p.queue[w], task)
			p.observe(w, tick)
		}
		if e.Kind != placement.Assigned {
			p.pending = append(p.pending, task)
		}
		p.log = append(p.log, e)
	}
}

// shares returns the utilization and Jain's index, 0 if there is none.
func (p *plain) shares() (utilization, fairness float64) {
	var work int
	var sum, squares float64
	for w, done := range p.processed {
		work += done
		if done > 0 {
			rate := float64(done) / float64(p.online[w]*p.trace.Workers[w].Capacity)
			sum += rate
			squares += rate * rate
		}
	}
	if squares > 0 {
		fairness = sum * sum / (float64(len(p.processed)) * squares)
	}
	return float64(work) / float64(p.potential), fairness
}

// randomTrace is valid and odd: few workers or just enough for another way of
// sampling, capabilities that nobody has or that one worker lists twice, long
// gaps, outages that touch, begin at 0, or reach beyond the end.
func randomTrace(r *rand.Rand) *placement.Trace {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}[:1+r.IntN(10)]
	t := &placement.Trace{Seed: big.NewInt(r.Int64()), Ticks: 1 + r.IntN(120)}
	for i := range 1 + r.IntN(30) {
		w := placement.Worker{ID: fmt.Sprint(i), Capacity: 1 + r.IntN(4), Zone: names[r.IntN(len(names))]}
		for range 1 + r.IntN(3) {
			w.Capabilities = append(w.Capabilities, names[r.IntN(len(names))])
		}
		t.Workers = append(t.Workers, w)
		for start := r.IntN(40); start < t.Ticks+20 && r.IntN(3) > 0; start += r.IntN(30) {
			end := start + 1 + r.IntN(15)
			t.Outages = append(t.Outages, placement.Outage{Worker: i, Start: start, End: end})
			start = end
		}
	}
	r.Shuffle(len(t.Outages), func(i, j int) { t.Outages[i], t.Outages[j] = t.Outages[j], t.Outages[i] })
	for i := range r.IntN(150) {
		t.Tasks = append(t.Tasks, placement.Task{
			ID: fmt.Sprint(i), Arrival: r.IntN(t.Ticks), Work: 1 + r.IntN(1<<r.IntN(6)),
			Capability: names[r.IntN(len(names))], Zone: names[r.IntN(len(names))],
		})
	}
	return t
}

// Skipped ticks, delay lines, the oracle's index: none of it may change
// anything that happens.
func TestSameAsThePlainAlgorithm(t *testing.T) {
	const traces = 250
	for seed := range uint64(traces) {
		r := rand.New(rand.NewPCG(seed, 3))
		trace := randomTrace(r)
		if err := trace.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := placement.Settings{
			AvailabilityLag: r.IntN(1 << r.IntN(7)), LoadLag: r.IntN(1 << r.IntN(8)), Drain: r.IntN(60),
			PolicySeed: big.NewInt(r.Int64()), RestartOnChurn: r.IntN(2) == 0,
		}
		for _, policy := range placement.Policies() {
			p := &plain{
				trace: trace, settings: s, random: pyrand.New(s.PolicySeed),
				queue: make([][]int, len(trace.Workers)), history: make([][]observation, len(trace.Workers)),
				processed: make([]int, len(trace.Workers)), online: make([]int, len(trace.Workers)),
			}
			for _, task := range trace.Tasks {
				p.remaining = append(p.remaining, task.Work)
			}
			p.run(policy)

			var log []placement.Event
			result, err := placement.Observe(context.Background(), trace, policy, s, func(e placement.Event) {
				for range e.Ticks - 1 { // a stretch of idle ticks is one event
					one := e
					one.Ticks = 1
					log = append(log, one)
					e.Tick++
				}
				e.Ticks = min(e.Ticks, 1)
				log = append(log, e)
			})
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, policy, err)
			}
			sortCompletions(log)
			sortCompletions(p.log)
			if d := firstDifference(log, p.log); d != "" {
				t.Fatalf("seed %d, %s, %+v: %s", seed, policy, s, d)
			}
			utilization, fairness := p.shares()
			v := result.Values()
			if got := v["capacity_utilization"]; p.potential > 0 && got != utilization {
				t.Fatalf("seed %d, %s: utilization %v, want %v", seed, policy, got, utilization)
			}
			if got := v[jain]; math.Abs(got-fairness) > 1e-12 {
				t.Fatalf("seed %d, %s: Jain's index %v, want %v", seed, policy, got, fairness)
			}
		}
	}
}

// sortCompletions orders the completions of one tick, in which the workers are
// independent of each other, by task.
func sortCompletions(log []placement.Event) {
	for i := 0; i < len(log); i++ {
		j := i
		for j < len(log) && log[j].Kind == placement.Completed {
			j++
		}
		slices.SortFunc(log[i:j], func(a, b placement.Event) int { return a.Task - b.Task })
		i = j
	}
}

func firstDifference(got, want []placement.Event) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("event %d of %d is\n%+v, want\n%+v", i, len(want), got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d events, want %d", len(got), len(want))
	}
	return ""
}
