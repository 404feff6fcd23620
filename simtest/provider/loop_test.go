package provider_test

import (
	"testing"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

const s = time.Second

// Jobs at 0, 0.5 and 3 s on a server that needs 1 s for each: the second waits
// half a second, and that counts, for it came at 0.5 and not when it was sent.
func TestAnOpenLoopMeasuresFromTheArrival(t *testing.T) {
	r, lines := watch(t, opened(plainWorld(), 0, s/2, 3*s), "wait", provider.JobClaimed, provider.JobDone)
	expectLines(t, lines,
		"0s job 0 job claimed", "500ms job 1 job claimed",
		"1s job 0 job done after 1s", "2s job 1 job done after 1.5s",
		"3s job 2 job claimed", "4s job 2 job done after 1s")
	expectValues(t, r, map[string]float64{
		"jobs_done": 3, "makespan_s": 4, "acquire_wait_p99_ms": 500 * 0.98, "successful_job_latency_p50_ms": 1000,
		"restricted_mean_completion_s": 3.5 / 3, "goodput_rps": 3.0 / 3600, "deadline_miss_rate": 0,
		"utilization": 0.75, "utilization_enforced": 0.75, "share_distance": 0,
	})
}

// A slow server is not asked less: three jobs arrive, whatever becomes of the
// first. A closed loop with the same server would send the second after the
// first, and never see it wait.
func TestAClosedLoopHidesTheWait(t *testing.T) {
	w := plainWorld()
	w.Workload.Jobs = 3
	closed, _ := watch(t, w, "wait")
	open, _ := watch(t, opened(w, 0, 0, 0), "wait")
	expectValues(t, closed, map[string]float64{"successful_job_latency_p99_ms": 1000, "jobs_done": 3, "restricted_mean_completion_s": 2})
	expectValues(t, open, map[string]float64{"successful_job_latency_p50_ms": 2000, "jobs_done": 3, "restricted_mean_completion_s": 2})
}

// Two places, five jobs at once on a server for four: at the bound jobs wait
// in line, first come first served, or are dropped.
func TestABoundOnJobsInProgress(t *testing.T) {
	w := opened(plainWorld(), 0, 0, 0, s/2, 1500*time.Millisecond)
	w.Endpoints[0].Capacity, w.Workload.Concurrency = 4, 2
	r, lines := watch(t, w, "wait", provider.JobClaimed, provider.JobDropped)
	expectLines(t, lines,
		"0s job 0 job claimed", "0s job 1 job claimed", "1s job 2 job claimed", "1s job 3 job claimed", "2s job 4 job claimed")
	expectValues(t, r, map[string]float64{"jobs_done": 5, "makespan_s": 3})

	w.Workload.Arrivals.Drop = true
	r, lines = watch(t, w, "wait", provider.JobClaimed, provider.JobDropped)
	expectLines(t, lines,
		"0s job 0 job claimed", "0s job 1 job claimed", "0s job 2 job dropped", "500ms job 3 job dropped", "1.5s job 4 job claimed")
	// The dropped ones count from their arrival to the end of the hour.
	expectValues(t, r, map[string]float64{
		"jobs_done": 3, "jobs_failed": 2, "jobs_unstarted": 0, "makespan_s": 2.5,
		"restricted_mean_completion_s": (3*1 + 3600 + 3599.5) / 5,
	})
}

func TestJobsThatArriveAtTheHorizonAreUnstarted(t *testing.T) {
	w := opened(plainWorld(), 0, 10*s-1, 10*s, 11*s)
	w.Workload.Horizon = 10 * s
	r, _ := watch(t, w, "wait")
	// The second is done, but not before the horizon.
	expectValues(t, r, map[string]float64{"jobs_done": 2, "jobs_unstarted": 2, "goodput_rps": 0.1, "restricted_mean_completion_s": (1 + 1e-9) / 2})
}

// A patience of 1.5 s on a server of 1 s. Job 1 waits 0.5 s, is sent, and
// would be done at its deadline: too late. It is abandoned, but the provider
// goes on with it until 2 s, so that job 2, which is leased at 1.5 s, is
// refused.
func TestPatienceEndsAtItsNanosecond(t *testing.T) {
	w := opened(plainWorld(), 0, s/2-1, s)
	w.Workload.Patience = 1500 * time.Millisecond
	r, lines := watch(t, w, "wait", provider.RequestSent, provider.CallAbandoned, provider.JobDone, provider.JobFailed)
	expectLines(t, lines,
		"0s job 0 to only: ok", "1s job 0 job done after 1s",
		"1s job 1 to only: ok", "1.999999999s job 1 call abandoned after 999.999999ms", "1.999999999s job 1 job failed after 1.5s",
		"1.999999999s job 2 to only: 429-capacity", "1.999999999s job 2 job failed after 999.999999ms")
	expectValues(t, r, map[string]float64{"jobs_done": 1, "deadline_miss_rate": 2.0 / 3, "jobs_failed": 2, "error_rate": 1.0 / 3})
}

// With one nanosecond more of patience job 1 is done in time.
func TestPatienceIsNotAnInstantShorter(t *testing.T) {
	w := opened(plainWorld(), 0, s/2)
	w.Workload.Patience = 1500*time.Millisecond + 1
	_, lines := watch(t, w, "wait", provider.JobDone, provider.JobFailed)
	expectLines(t, lines, "1s job 0 job done after 1s", "2s job 1 job done after 1.5s")
}

// A job whose time is over before its turn comes is given up without a
// request, and waiting for a lease ends at the deadline.
func TestPatienceEndsInLineAndInThePool(t *testing.T) {
	w := opened(plainWorld(), 0, 0)
	w.Workload.Patience, w.Workload.Concurrency = 800*time.Millisecond, 1
	r, lines := watch(t, w, "wait", provider.RequestSent, provider.JobFailed)
	expectLines(t, lines, "0s job 0 to only: ok", "800ms job 0 job failed after 800ms", "800ms job 1 job failed after 800ms")
	expectValues(t, r, map[string]float64{"deadline_miss_rate": 1, "requests": 1})

	w.Workload.Concurrency = 0
	_, lines = watch(t, w, "wait", provider.RequestSent, provider.JobFailed)
	// Job 0 gives its lease back at 800 ms, to job 1, whose time ends too: it
	// sends nothing.
	expectLines(t, lines, "0s job 0 to only: ok", "800ms job 0 job failed after 800ms", "800ms job 1 job failed after 800ms")
}

// A retry that could not start before the deadline is not waited for.
func TestNoPauseBeyondTheDeadline(t *testing.T) {
	w := opened(plainWorld(), 0)
	w.Endpoints[0].ErrorRate, w.Workload.Patience = 1, 10*s
	w.Retry.MaxAttempts, w.Retry.Base, w.Retry.Factor, w.Retry.Cap, w.Retry.Jitter = 5, 3*s, 1, 3*s, 2
	_, lines := watch(t, w, "wait", provider.AttemptFailed, provider.RetryScheduled, provider.JobFailed)
	expectLines(t, lines,
		"1s job 0 attempt failed", "1s job 0 retry scheduled", "5s job 0 attempt failed", "5s job 0 retry scheduled",
		"9s job 0 attempt failed", "9s job 0 job failed after 9s")
}

// wait(timeout=T) gives up T after it asked, to the nanosecond; with a T one
// nanosecond longer than the wait it is served.
func TestAcquisitionTimesOutAtItsNanosecond(t *testing.T) {
	w := opened(plainWorld(), 0, 250*time.Millisecond)
	_, lines := watch(t, w, "wait(timeout=749999999ns)", provider.JobDone, provider.JobFailed)
	expectLines(t, lines, "999.999999ms job 1 job failed after 749.999999ms", "1s job 0 job done after 1s")
	_, lines = watch(t, w, "wait(timeout=750000001ns)", provider.JobDone, provider.JobFailed)
	expectLines(t, lines, "1s job 0 job done after 1s", "2s job 1 job done after 1.75s")
}

// Two workers think after each job; the pauses belong to the job, so they are
// the same whoever made it.
func TestThinkTimeBelongsToTheJob(t *testing.T) {
	w := plainWorld()
	w.Endpoints[0].Capacity, w.Workload.Concurrency, w.Workload.Jobs, w.Workload.Think = 2, 2, 2000, 3*s
	r, _ := watch(t, w, "wait")
	// 2 workers, each 1 s of service and 3 s of thought in the mean.
	if x := r.Values["throughput_rps"]; x < 0.48 || x > 0.52 {
		t.Errorf("throughput is %v/s, want about 0.5", x)
	}
	w.Workload.Jobs, w.Workload.Concurrency = 2, 1
	_, one := watch(t, w, "wait", provider.JobClaimed)
	w.Workload.Jobs = 3
	_, again := watch(t, w, "wait", provider.JobClaimed)
	if len(again) != 3 || again[1] != one[1] {
		t.Errorf("claims are %v and %v: the pause after job 0 differs", one, again)
	}
}

// A call is given up after the client's timeout; the endpoint is busy with it
// for as long as it takes.
func TestCallTimeoutLeavesTheProviderBusy(t *testing.T) {
	w := opened(plainWorld(), 0, 400*time.Millisecond, 1200*time.Millisecond)
	w.Workload.CallTimeout = 300 * time.Millisecond
	r, lines := watch(t, w, "wait", provider.RequestSent, provider.CallAbandoned, provider.JobFailed)
	expectLines(t, lines,
		"0s job 0 to only: ok", "300ms job 0 call abandoned after 300ms", "300ms job 0 job failed after 300ms",
		"400ms job 1 to only: 429-capacity", "400ms job 1 job failed after 0s",
		"1.2s job 2 to only: ok", "1.5s job 2 call abandoned after 300ms", "1.5s job 2 job failed after 300ms")
	if n := r.Counts["error_classes"]["timeout"]; n != 2 {
		t.Errorf("%d timeouts, want 2", n)
	}
}

// A budget of one retry, and half a retry for each step: of four steps that
// all fail three times over, two are retried once more than they would be.
func TestRetryBudgetIsSharedByAllJobs(t *testing.T) {
	w := opened(plainWorld(), 0, 10*s, 20*s, 30*s)
	w.Endpoints[0].ErrorRate = 1
	w.Health.DegradeAfter, w.Health.DeadAfter = 0, 0
	w.Retry.MaxAttempts = 4
	w.RetryBudget = &provider.RetryBudget{Ratio: 0.5, Burst: 1}
	_, lines := watch(t, w, "wait", provider.RetryScheduled)
	expectLines(t, lines, "1s job 0 retry scheduled", "21s job 2 retry scheduled")
}

// Sizes of a trace scale the latency.
func TestSizesScaleTheLatency(t *testing.T) {
	w := opened(plainWorld(), 0, 10*s)
	w.Workload.Arrivals.Trace.Arrivals[1].Size = 2.5
	_, lines := watch(t, w, "wait", provider.JobDone)
	expectLines(t, lines, "1s job 0 job done after 1s", "12.5s job 1 job done after 2.5s")
}
