package oracle_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/simtest/catalog"
	"github.com/ranktest/ranktest/simtest/experiment"
	"github.com/ranktest/ranktest/simtest/provider"
)

// O18. What holds in every run, whatever is simulated: see audit. All runs of
// this suite are audited as they go; here every scenario that ships is, with
// every contestant, and the audit itself is given logs that were tampered with.
//
// Besides: a run is a function of its seed (equal seeds, equal digests), and what
// comes from outside is a function of the seed alone (equal arrivals whoever
// takes part, different ones on different seeds).
func invariants(g *group) {
	shipped(g)
	seeds(g)
	tampered(g)
	g.row("runs audited until here", "", fmt.Sprint(g.audited.Load()), "", "", "no fault")
}

// shipped audits every scenario of the catalogue that is a world of package
// provider, and makes every run twice.
func shipped(g *group) {
	for _, entry := range catalog.All() {
		made, err := entry.New()
		if err != nil {
			g.Fatal(err)
		}
		s, ok := made.(*provider.Scenario)
		if !ok {
			continue
		}
		contestants := s.Contestants()
		faults := replicate(g, len(contestants), func(i int) (error, error) {
			a, err := audited(g, s, contestants[i], s.FirstSeed())
			if err != nil {
				return err, nil
			}
			b, err := s.Run(g.Context(), contestants[i], s.FirstSeed())
			if err == nil && a.Digest != b.Digest {
				err = fmt.Errorf("%s: two runs of seed %d differ", contestants[i], s.FirstSeed())
			}
			return err, nil
		})
		good := 0
		for i, fault := range faults {
			if fault == nil {
				good++
			} else {
				g.Errorf("%s: %s: %v", s.Name(), contestants[i], fault)
			}
		}
		g.holds("scenario "+s.Name()+": contestants without fault", fmt.Sprint(len(faults)), fmt.Sprint(good), good == len(faults))
	}
}

// audited makes a run of any scenario under the audit. A run that has stalled is
// not at its end, and is only followed up to there.
func audited(g *group, s *provider.Scenario, contestant string, seed uint64) (experiment.Run, error) {
	a := newAudit(s.World())
	run, err := s.Observe(g.Context(), contestant, seed, a.event)
	switch {
	case err != nil:
		return run, err
	case run.Stall != nil:
		return run, a.fault
	}
	if err := a.end(run); err != nil {
		return run, err
	}
	g.audited.Add(1)
	return run, nil
}

// busyWorld has something of everything: a line, steps and calls, failures,
// refusals, retries, timeouts and deadlines.
func busyWorld() provider.World {
	w := queue(3, 2, 2_000)
	w.Endpoints[0].ErrorRate = 0.1
	second := w.Endpoints[0]
	second.ID, second.Capacity, second.Weight = "second", 6, 0.5
	w.Endpoints = append(w.Endpoints, second)
	l := &w.Workload
	l.StepsPerJob, l.CallsPerStep, l.Concurrency = 2, 2, 7
	l.CallTimeout, l.Patience = 3*time.Second, 20*time.Second
	w.Retry = acquire.DefaultRetry()
	return w
}

func logOf(g *group, w provider.World, contestant string, seed uint64) ([]provider.Event, experiment.Run) {
	s, err := provider.New(w)
	if err != nil {
		g.Fatal(err)
	}
	var log []provider.Event
	r, err := s.Observe(g.Context(), contestant, seed, func(e *provider.Event) { log = append(log, *e) })
	if err != nil {
		g.Fatal(err)
	}
	return log, r
}

func seeds(g *group) {
	arrivals := func(contestant string, seed uint64) (times []time.Duration) {
		log, _ := logOf(g, busyWorld(), contestant, seed)
		for _, e := range log {
			if e.Kind == provider.JobClaimed {
				times = append(times, e.At-e.For)
			}
		}
		return times
	}
	a, other := arrivals("wait", 1), arrivals("wait", 2)
	same := slices.Equal(a, arrivals("backoff", 1))
	g.holds("arrivals of two contestants on one seed", "equal", verdict(same, "equal", "different"), same)
	differ := 0
	for i := range a {
		if a[i] != other[i] {
			differ++
		}
	}
	g.holds("arrivals on two seeds", "all different", fmt.Sprintf("%d of %d different", differ, len(a)), differ == len(a))
}

// tampered logs must not pass.
func tampered(g *group) {
	w := busyWorld()
	log, run := logOf(g, w, "wait", 1)
	replay := func(log []provider.Event, run experiment.Run) error {
		a := newAudit(w)
		for i := range log {
			a.event(&log[i])
		}
		return a.end(run)
	}
	if err := replay(log, run); err != nil {
		g.Errorf("the log as it is: %v", err)
	}
	// late finds an event of a kind in the second half.
	late := func(kind provider.EventKind) int {
		for i := len(log) / 2; i < len(log); i++ {
			if log[i].Kind == kind {
				return i
			}
		}
		g.Fatalf("there is no %v to tamper with", kind)
		return 0
	}
	for _, c := range []struct {
		what   string
		kind   provider.EventKind
		tamper func(log []provider.Event, i int) []provider.Event
	}{
		{"a job ends a nanosecond early", provider.JobDone, func(log []provider.Event, i int) []provider.Event {
			log[i].At--
			return log
		}},
		{"a job's time counts from its claim", provider.JobDone, func(log []provider.Event, i int) []provider.Event {
			inLine := map[int]time.Duration{} // by job
			for j := range log {
				e := &log[j]
				switch {
				case e.Kind == provider.JobClaimed:
					inLine[e.Job] = e.For
				case e.Kind == provider.JobDone && inLine[e.Job] > 0:
					e.For -= inLine[e.Job]
					return log
				}
			}
			return log
		}},
		{"a job never ends", provider.JobDone, func(log []provider.Event, i int) []provider.Event { return slices.Delete(log, i, i+1) }},
		{"a job ends twice", provider.JobFailed, func(log []provider.Event, i int) []provider.Event { return slices.Insert(log, i, log[i]) }},
		{"a job is claimed before it arrives", provider.JobClaimed, func(log []provider.Event, i int) []provider.Event {
			log[i].For = -1
			return log
		}},
		{"a job overtakes another in the line", provider.JobClaimed, func(log []provider.Event, i int) []provider.Event {
			for j := i + 1; ; j++ {
				if log[j].Kind == provider.JobClaimed {
					log[i].Job, log[j].Job = log[j].Job, log[i].Job
					return log
				}
			}
		}},
		{"a request without a lease", provider.LeaseGranted, func(log []provider.Event, i int) []provider.Event { return slices.Delete(log, i, i+1) }},
		{"a request to another endpoint than was leased", provider.RequestSent, func(log []provider.Event, i int) []provider.Event {
			log[i].Endpoint = 1 - log[i].Endpoint
			return log
		}},
		{"a request that is not counted", provider.RequestSent, func(log []provider.Event, i int) []provider.Event {
			log[i].Ordinal++
			return log
		}},
		{"a retry before its pause is over", provider.RetryScheduled, func(log []provider.Event, i int) []provider.Event {
			log[i].For += time.Hour
			return log
		}},
		{"events in another order", provider.JobDone, func(log []provider.Event, i int) []provider.Event {
			log[i], log[i+50] = log[i+50], log[i]
			return log
		}},
	} {
		g.notices(c.what, replay(c.tamper(slices.Clone(log), late(c.kind)), run))
	}
	for _, metric := range []string{"jobs_done", "requests", "leases_active_at_end", "utilization", "refusal_rate"} {
		wrong := run
		wrong.Values = map[string]float64{}
		for name, v := range run.Values {
			wrong.Values[name] = v
		}
		wrong.Values[metric] += 0.01
		g.notices("the metric "+metric+" off by 0.01", replay(log, wrong))
	}
}
