package placement

// prepared is a trace that has been checked, with what follows from it alone:
// any number of runs can share it, at the same time, too.
type prepared struct {
	*Trace
	directory *directory
	calendar  *calendar
	arrivals  []int32 // the tasks by arrival
}

// prepareTrace checks what Trace.Validate does, except for ids and other texts,
// in which no run has an interest.
func prepareTrace(t *Trace) (*prepared, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := t.checkOverlap(); err != nil {
		return nil, err
	}
	return prepareValid(t), nil
}

// prepareValid is prepareTrace for a trace that is valid.
func prepareValid(t *Trace) *prepared {
	return &prepared{t, newDirectory(t.Workers), newCalendar(t.Outages), byArrival(t.Tasks)}
}

// start makes a run that has not begun.
func (t *prepared) start(p policy, s Settings) (*engine, error) {
	if err := checkSize(t.Trace, s); err != nil {
		return nil, err
	}
	return newEngine(t, p, s), nil
}
