package provider

import (
	"context"
	"fmt"
	"time"

	"github.com/ranktest/ranktest/pool"
	"github.com/ranktest/ranktest/simtest/experiment"
)

// history is a run told as activities, which have a beginning and an end,
// where events are moments.
type history struct {
	run        experiment.Run
	end        time.Duration
	activities []activity
	// states are what the pool thought of each endpoint: that it must cool
	// down, or that it is dead.
	states [][]experiment.Span
}

// activity is something that a worker did for some time.
type activity struct {
	kind       activityKind
	from, to   time.Duration
	worker     int
	job        int
	step       int // from 0
	attempt    int // from 1
	endpoint   int
	ordinal    uint64
	outcome    Outcome
	err        error // of an attempt
	unfinished bool  // the run ended in the middle of it
	failed     bool  // a job that was given up, a wait in vain
}

// activityKind says what a worker did. Jobs contain attempts and pauses,
// attempts contain waits and calls.
type activityKind uint8

const (
	aJob activityKind = iota
	anAttempt
	aWait  // for a lease
	aCall  // under a lease
	aPause // before the next attempt
)

// history makes a run and tells it. Activities come in the order of their
// ends.
func (s *Scenario) history(ctx context.Context, contestant string, seed uint64) (*history, error) {
	t := &teller{history: &history{states: make([][]experiment.Span, len(s.world.Endpoints))}}
	for i := range s.world.Endpoints {
		t.endpoints = append(t.endpoints, s.world.Endpoints[i].ID)
	}
	run, err := s.run(ctx, contestant, seed, hooks{
		event: t.event,
		pool:  func(p *pool.Pool) { t.subscriptions = append(t.subscriptions, p.Subscribe(1<<12)) },
	})
	if err != nil {
		return nil, err
	}
	t.poolEvents()
	for _, s := range t.subscriptions {
		if n := s.Dropped(); n > 0 {
			return nil, fmt.Errorf("provider: %d events of the pool were lost", n)
		}
	}
	t.run = run
	t.end = nanoseconds(run.Values["makespan_s"])
	t.finish()
	return t.history, nil
}

// teller turns events into activities.
type teller struct {
	*history
	endpoints     []string
	workers       []workerStory
	subscriptions []*pool.Subscription
}

// workerStory is what is known of a worker until now.
type workerStory struct {
	job     activity
	attempt activity      // 0 if none is going on
	free    time.Duration // the end of what it did last
	busy    bool          // with a job
}

func (t *teller) event(e *Event) {
	t.poolEvents()
	for e.Worker >= len(t.workers) {
		t.workers = append(t.workers, workerStory{})
	}
	w := &t.workers[e.Worker]
	a := activity{worker: e.Worker, job: e.Job, step: e.Step, attempt: e.Attempt, to: e.At}
	switch e.Kind {
	case JobClaimed:
		w.job, w.busy, w.free = a, true, e.At
		w.job.kind, w.job.from = aJob, e.At
	case LeaseGranted:
		t.attempt(w, a)
		if e.For > 0 {
			a.kind, a.from, a.endpoint = aWait, e.At-e.For, e.Endpoint
			t.add(a)
		}
		w.free = e.At
	case RequestSent:
		a.kind, a.from, a.to = aCall, e.At, e.At+e.For
		a.endpoint, a.ordinal, a.outcome = e.Endpoint, e.Ordinal, e.Outcome
		t.add(a)
		w.free = a.to
	case CallAbandoned:
		for i := len(t.activities) - 1; i >= 0; i-- {
			if call := &t.activities[i]; call.kind == aCall && call.worker == e.Worker {
				call.to, call.outcome = e.At, FailedTimeout
				break
			}
		}
		w.free = e.At
	case AttemptFailed:
		t.attempt(w, a)
		if e.At > w.free {
			a.kind, a.from, a.failed = aWait, w.free, true
			t.add(a)
		}
		w.attempt.err = e.Err
		w.free = e.At
		t.endAttempt(w)
	case RetryScheduled:
		a.kind, a.from, a.to = aPause, e.At, e.At+e.For
		t.add(a)
		w.free = a.to
	case JobDone, JobFailed:
		t.endAttempt(w)
		w.job.to, w.job.failed = e.At, e.Kind == JobFailed
		t.add(w.job)
		w.busy = false
	}
}

// attempt begins the attempt that a belongs to, unless it is going on: when
// the worker became free.
func (t *teller) attempt(w *workerStory, a activity) {
	if w.attempt.attempt == a.attempt && w.attempt.step == a.step {
		return
	}
	t.endAttempt(w)
	a.kind, a.from = anAttempt, w.free
	w.attempt = a
}

func (t *teller) endAttempt(w *workerStory) {
	if w.attempt.attempt > 0 {
		w.attempt.to = w.free
		t.add(w.attempt)
		w.attempt = activity{}
	}
}

func (t *teller) add(a activity) { t.activities = append(t.activities, a) }

// finish ends what was going on when the run came to a standstill.
func (t *teller) finish() {
	for i := range t.activities {
		a := &t.activities[i]
		if a.to > t.end {
			a.to, a.unfinished = t.end, true
		}
	}
	for i := range t.workers {
		w := &t.workers[i]
		if !w.busy {
			continue
		}
		if w.free < t.end {
			wait := w.job
			wait.kind, wait.from, wait.to, wait.unfinished = aWait, w.free, t.end, true
			t.add(wait)
			w.free = t.end
		}
		w.attempt.unfinished = true
		t.endAttempt(w)
		w.job.to, w.job.unfinished = t.end, true
		t.add(w.job)
	}
	for _, spans := range t.states {
		if n := len(spans); n > 0 {
			spans[n-1].To = min(spans[n-1].To, t.end)
		}
	}
}

// poolEvents takes down what the pool has made of its resources.
func (t *teller) poolEvents() {
	for _, s := range t.subscriptions {
		for _, e := range s.Drain() {
			switch e.Kind {
			case pool.WentDegraded:
				t.state(e, "cooling down", e.At+e.For)
			case pool.WentDead:
				t.state(e, "dead", longest)
			case pool.Recovered:
				t.state(e, "", e.At)
			}
		}
	}
}

// state ends what an endpoint was, and begins what it is now.
func (t *teller) state(e pool.Event, name string, until time.Duration) {
	for i, id := range t.endpoints {
		if id != e.Resource {
			continue
		}
		spans := t.states[i]
		if n := len(spans); n > 0 && spans[n-1].To > e.At {
			if spans[n-1].Name == name {
				spans[n-1].To = until
				return
			}
			spans[n-1].To = e.At
		}
		if name != "" {
			t.states[i] = append(spans, experiment.Span{Name: name, From: e.At, To: until})
		}
	}
}
