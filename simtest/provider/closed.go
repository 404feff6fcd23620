package provider

import (
	"context"
	"time"
)

// loop is a worker of a closed loop: it claims jobs one after the other until
// there are none, or until the horizon.
func (w *worker) loop(ctx context.Context) {
	for {
		now := w.clk.Elapsed()
		if !w.claim(now) || w.perform(ctx, now) {
			return
		}
		if mean := w.world.Workload.Think; mean > 0 {
			if w.clk.Sleep(ctx, w.thinking(mean, w.job.number)) != nil {
				return
			}
		}
	}
}

func (w *worker) claim(now time.Duration) bool {
	w.lock.lock()
	defer w.lock.unlock()
	if w.claimed >= w.world.Workload.Jobs || now >= w.world.Workload.Horizon {
		w.ended = max(w.ended, now)
		return false
	}
	w.begin(job{number: w.claimed, origin: now, key: w.keyOf(w.claimed)}, now)
	return true
}
