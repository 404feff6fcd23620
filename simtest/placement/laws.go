package placement

import "fmt"

// checkLaws holds the finished run to what must be true of every run,
// whatever the policy. A violation is a bug of the simulation, not a result.
func (e *engine) checkLaws() error {
	var done, queued int64
	for i := range e.workers {
		done += e.workers[i].processed
		queued += int64(e.workers[i].queued)
	}
	var kept int64
	for i := range e.tasks {
		kept += int64(e.trace.Tasks[i].Work) - e.tasks[i].remaining
	}
	c := &e.counts
	laws := []struct {
		law         string
		left, right int64
	}{
		{"work served by all workers = work processed", done, c.processed},
		{"progress of all tasks + work lost = work processed", kept + c.lost, c.processed},
		{"completed + pending + queued = tasks", c.completed + int64(len(e.pending)) + queued, int64(len(e.tasks))},
		{"completed + evicted + queued = assigned", c.completed + c.requeued + queued, c.outcomes[Assigned]},
	}
	for _, l := range laws {
		if l.left != l.right {
			return fmt.Errorf("placement: policy %q: law %q does not hold: %d is not %d", e.policy.name, l.law, l.left, l.right)
		}
	}
	if c.processed > c.potential {
		return fmt.Errorf("placement: policy %q: %d work units were processed with a capacity of %d", e.policy.name, c.processed, c.potential)
	}
	return nil
}
