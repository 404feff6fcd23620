package placement_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/ranktest/ranktest/simtest/placement"
)

// outcomes as the reference writes them.
var outcomes = []string{
	placement.Assigned: "assigned", placement.NoCandidate: "no-candidate",
	placement.Unreachable: "unreachable", placement.Mismatch: "mismatch",
}

// taskOutcome is what became of a task.
type taskOutcome struct {
	ID        string
	Assigned  *int `json:"assigned_worker_at_end"`
	Completed *int `json:"completion_tick"`
	Started   *int `json:"first_start_tick"`
	Lost      int  `json:"lost_work_units"`
	Remaining int  `json:"remaining_work"`
	Restarts  int  `json:"restart_count"`
	Attempts  int  `json:"routing_attempts"`
}

// Tiny traces, each of which pins one rule: every routing decision, what
// became of every task, and every tick's longest queue and backlog.
func TestEveryDecisionOfTheHandBuiltTraces(t *testing.T) {
	files, err := os.ReadDir("testdata/handbuilt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 14 {
		t.Fatalf("%d files, want 14", len(files))
	}
	for _, f := range files {
		var file struct {
			Trace  json.RawMessage
			Digest string `json:"trace_digest"`
			Runs   []struct {
				referenceRun
				Selections [][5]any
				Tasks      []taskOutcome
				Recoveries []int `json:"recovery_ticks"`
				Pending    []int `json:"pending_after_tick"`
				Queue      []int `json:"tick_max_queue_depth"`
			}
		}
		readJSON(t, "handbuilt/"+f.Name(), &file)
		t.Run(f.Name(), func(t *testing.T) {
			trace, err := placement.Decode(file.Trace)
			if err != nil {
				t.Fatal(err)
			}
			if got := trace.Digest(); got != file.Digest {
				t.Fatalf("digest %s, want %s", got, file.Digest)
			}
			for _, run := range file.Runs {
				run.check(t, trace)
				h := newHistory(trace)
				if _, err := placement.Observe(context.Background(), trace, run.Policy, run.Config.settings(t), h.note); err != nil {
					t.Fatal(err)
				}
				for what, pair := range map[string][2]any{
					"decisions":      {h.selections, run.Selections},
					"outcomes":       {h.outcomes(run.Policy, run.Config.settings(t)), run.Tasks},
					"backlogs":       {h.pending, run.Pending},
					"longest queues": {h.queue, run.Queue},
					"recovery times": {h.recoveryTimes(), run.Recoveries},
				} {
					if got, want := text(t, pair[0]), text(t, pair[1]); got != want {
						t.Errorf("%s, %+v: %s\n got %s\nwant %s", run.Policy, run.Config, what, got, want)
					}
				}
			}
		})
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// history is what an observer can tell of a run.
type history struct {
	trace          *placement.Trace
	selections     [][5]any
	tasks          []taskOutcome
	pending, queue []int
	evictions      []eviction // one per outage that evicted something
}

type eviction struct {
	tick, worker int
	tasks        []int
}

func newHistory(trace *placement.Trace) *history {
	h := &history{trace: trace, selections: [][5]any{}, tasks: make([]taskOutcome, len(trace.Tasks))}
	for i, task := range trace.Tasks {
		h.tasks[i] = taskOutcome{ID: task.ID, Remaining: task.Work}
	}
	return h
}

func (h *history) note(e placement.Event) {
	switch e.Kind {
	case placement.Completed:
		end := e.Tick + 1
		h.tasks[e.Task].Completed, h.tasks[e.Task].Assigned = &end, nil
	case placement.Evicted:
		task := &h.tasks[e.Task]
		task.Restarts++
		task.Lost += e.Lost
		task.Assigned = nil
		if n := len(h.evictions); n == 0 || h.evictions[n-1].tick != e.Tick || h.evictions[n-1].worker != e.Worker {
			h.evictions = append(h.evictions, eviction{tick: e.Tick, worker: e.Worker})
		}
		last := &h.evictions[len(h.evictions)-1]
		last.tasks = append(last.tasks, e.Task)
	case placement.TickEnded:
		h.pending = append(h.pending, slices.Repeat([]int{e.Pending}, e.Ticks)...)
		h.queue = append(h.queue, slices.Repeat([]int{e.Queue}, e.Ticks)...)
	default:
		var worker any
		if e.Worker >= 0 {
			worker = e.Worker
		}
		h.selections = append(h.selections, [5]any{e.Tick, h.trace.Tasks[e.Task].ID, worker, e.Probes, outcomes[e.Kind]})
		h.tasks[e.Task].Attempts++
		if e.Kind == placement.Assigned {
			h.tasks[e.Task].Assigned = &e.Worker
		}
	}
}

// outcomes adds what only the state at the end of the run can tell.
func (h *history) outcomes(policy string, s placement.Settings) []taskOutcome {
	started, remaining := placement.EndState(h.trace, policy, s)
	for i := range h.tasks {
		h.tasks[i].Remaining = remaining[i]
		if started[i] > 0 {
			h.tasks[i].Started = &started[i]
		}
	}
	return h.tasks
}

func (h *history) recoveryTimes() []int {
	times := []int{}
	for _, e := range h.evictions {
		last := 0
		for _, task := range e.tasks {
			if h.tasks[task].Completed == nil {
				last = -1
				break
			}
			last = max(last, *h.tasks[task].Completed)
		}
		if last >= 0 {
			times = append(times, last-e.tick)
		}
	}
	return times
}
