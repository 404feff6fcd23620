package placement

import "context"

// Decode reads a trace without judging its values: the reference's files with
// capabilities listed twice are data for tests, though Parse refuses them.
var Decode = decode

// NextWord runs a policy, and returns with its result the word that its random
// stream would give next.
func NextWord(t *Trace, policy string, s Settings) (*Result, uint32, error) {
	e, err := prepare(t, policy, s)
	if err != nil {
		return nil, 0, err
	}
	if err := e.run(context.Background()); err != nil {
		return nil, 0, err
	}
	return e.result(), e.random.Uint32(), nil
}

// EndState runs a policy, and returns for each task the tick of its first
// service (0: never) and the work that remains.
func EndState(t *Trace, policy string, s Settings) (started, remaining []int) {
	e, err := prepare(t, policy, s)
	if err != nil {
		panic(err)
	}
	if err := e.run(context.Background()); err != nil {
		panic(err)
	}
	for i := range e.tasks {
		started = append(started, e.tasks[i].started)
		remaining = append(remaining, int(e.tasks[i].remaining))
	}
	return started, remaining
}
