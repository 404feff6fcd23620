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
	run experiment.Run
	end time.Duration
	// activities come in the order in which they were understood, which is
	// that of their ends for each worker.
	activities []activity
	// states are what the pool thought of each endpoint: that it must cool
	// down, or that it is dead, revoked, or not there yet.
	states [][]experiment.Span
	// dropped are the arrivals that were turned away.
	dropped []time.Duration
}

// activity is something that took time, from from to to.
type activity struct {
	kind     activityKind
	from, to time.Duration
	worker   int
	job      int
	step     int // from 0
	attempt  int // from 1
	// Of a call: where it went, and how long the provider was busy with it,
	// which is longer than the client waited if that gave up.
	endpoint int
	ordinal  uint64
	outcome  Outcome
	until    time.Duration
	// err is why an attempt failed.
	err error
	// failed is a job that was given up, an attempt, a call that did so at its
	// end, or a wait in vain.
	failed bool
	// unfinished activities were cut off by the end of the run.
	unfinished bool
}

// activityKind says what was done. Jobs contain attempts and pauses, attempts
// contain waits and calls.
type activityKind uint8

const (
	aLine activityKind = iota // a job waits until a worker takes it on
	aJob
	anAttempt
	aWait  // for a lease
	aCall  // under a lease
	aPause // before the next attempt
)

// history makes a run and tells it.
func (s *Scenario) history(ctx context.Context, contestant string, seed uint64) (*history, error) {
	t := &teller{history: &history{states: make([][]experiment.Span, len(s.world.Endpoints))}}
	for i := range s.world.Endpoints {
		id := s.world.Endpoints[i].ID
		t.endpoints = append(t.endpoints, id)
		if s.world.publishedLater(id) {
			t.states[i] = []experiment.Span{{Name: "not published", To: longest}}
		}
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
	attempt activity      // its number is 0 if none is going on
	latest  int           // its latest wait, call or pause, in activities
	free    time.Duration // the end of what it did last
	busy    bool          // with a job
}

func (t *teller) event(e *Event) {
	t.poolEvents()
	if e.Kind == JobDropped {
		t.dropped = append(t.dropped, e.At)
		return
	}
	for e.Worker >= len(t.workers) {
		t.workers = append(t.workers, workerStory{})
	}
	w := &t.workers[e.Worker]
	a := activity{worker: e.Worker, job: e.Job, step: e.Step, attempt: e.Attempt, endpoint: e.Endpoint, from: w.free, to: e.At}
	switch e.Kind {
	case JobClaimed:
		if e.For > 0 {
			a.kind, a.from = aLine, e.At-e.For
			t.add(a)
		}
		a.kind, a.from = aJob, e.At
		w.job, w.busy, w.free = a, true, e.At
	case LeaseGranted:
		t.attempt(w, a)
		if e.For > 0 {
			a.kind = aWait
			t.did(w, a)
		}
		w.free = e.At
	case RequestSent:
		a.kind, a.from, a.to, a.until = aCall, e.At, e.At+e.For, e.At+e.For
		a.ordinal, a.outcome, a.failed = e.Ordinal, e.Outcome, e.Outcome.Failed()
		t.did(w, a)
	case CallAbandoned:
		call := &t.activities[w.latest]
		call.to, call.outcome, call.failed = e.At, FailedTimeout, true
		w.free = e.At
	case AttemptFailed:
		t.attempt(w, a)
		if e.At > w.free {
			a.kind, a.failed = aWait, true
			t.did(w, a)
		}
		w.attempt.err, w.attempt.failed = e.Err, true
		t.endAttempt(w)
	case RetryScheduled:
		a.kind, a.from, a.to = aPause, e.At, e.At+e.For
		t.did(w, a)
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
	a.kind = anAttempt
	w.attempt = a
}

func (t *teller) endAttempt(w *workerStory) {
	if w.attempt.attempt > 0 {
		w.attempt.to = w.free
		t.add(w.attempt)
		w.attempt = activity{}
	}
}

// did adds what a worker did last.
func (t *teller) did(w *workerStory, a activity) {
	w.latest, w.free = len(t.activities), a.to
	t.add(a)
}

func (t *teller) add(a activity) { t.activities = append(t.activities, a) }

// finish ends what was going on when the run was over.
func (t *teller) finish() {
	for i := range t.workers {
		w := &t.workers[i]
		if !w.busy {
			continue
		}
		if w.free < t.end {
			wait := w.job
			wait.kind, wait.from, wait.to, wait.unfinished = aWait, w.free, t.end, true
			t.did(w, wait)
		}
		w.attempt.unfinished = true
		t.endAttempt(w)
		w.job.to, w.job.unfinished = t.end, true
		t.add(w.job)
	}
	for i := range t.activities {
		a := &t.activities[i]
		if a.to > t.end {
			a.to, a.unfinished = t.end, true
		}
		a.until = min(a.until, t.end)
	}
	for _, spans := range t.states {
		if n := len(spans); n > 0 {
			spans[n-1].To = min(spans[n-1].To, t.end)
		}
	}
}

// poolEvents takes down what the pools have made of their resources.
func (t *teller) poolEvents() {
	for _, s := range t.subscriptions {
		for _, e := range s.Drain() {
			switch e.Kind {
			case pool.WentDegraded:
				t.state(e, "cooling down", e.At+e.For)
			case pool.WentDead:
				t.state(e, "dead", longest)
			case pool.Withdrawn:
				t.state(e, "revoked", longest)
			case pool.Recovered, pool.Published:
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
