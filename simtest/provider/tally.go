package provider

import (
	"time"

	"github.com/ranktest/ranktest/acquire"
)

// tally is what a run counts while it goes on.
type tally struct {
	jobs           []time.Duration // of the successful jobs, arrival or claim to completion
	jobsFailed     int             // dropped ones included
	dropped        int
	inTime         int // jobs completed before the horizon
	steps          int // attempted
	attempts       int
	failedAttempts int
	retries        int
	classes        [acquire.Canceled + 1]int64
	waits          []time.Duration // of every lease granted
	served         []time.Duration // latency of every request served

	// For the restricted mean time to completion: the seconds from arrival to
	// horizon of all jobs, and what was spared of them by completing jobs.
	arrivals         int
	exposure, spared float64
}

// grow makes room for a run in which little is tried twice.
func (t *tally) grow(l *Workload) {
	const most = 1 << 16
	calls := min(most, min(most, l.Jobs)*min(most, l.StepsPerJob)*min(most, l.CallsPerStep))
	t.jobs = make([]time.Duration, 0, min(most, l.Jobs))
	t.waits = make([]time.Duration, 0, calls)
	t.served = make([]time.Duration, 0, calls)
	if l.Arrivals == nil {
		// The jobs of a closed loop are all there from the start.
		t.arrivals = l.Jobs
		t.exposure = float64(float64(l.Jobs) * seconds(l.Horizon))
	}
}

// arrive counts a job that arrives this long before the horizon.
func (t *tally) arrive(left time.Duration) {
	t.arrivals++
	t.exposure += seconds(left)
}

// complete counts a job that took this long, and was completed this long
// before the horizon.
func (t *tally) complete(took, left time.Duration) {
	t.jobs = append(t.jobs, took)
	if left >= 0 {
		t.inTime++
		t.spared += seconds(left)
	}
}
