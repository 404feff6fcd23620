package fairness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// MinShared is how many identities two runs must have in common for a check of
// their draws to mean anything.
const MinShared = 20

// Roller is a world that shows what it rolled.
type Roller interface {
	// Rolls makes a run and returns every exogenous roll that it met, by
	// identity (such as "metered#17"), as an exact text.
	Rolls(ctx context.Context, contestant string, seed uint64) (map[string]string, error)
}

// SharedDraws checks that any two of the contestants met the same rolls
// wherever they both came. A contestant that did next to nothing shares little
// with anybody; but two of them, at the least, must have MinShared identities
// in common.
func SharedDraws(ctx context.Context, w Roller, contestants []string, seed uint64) error {
	var met []map[string]string
	for _, c := range contestants {
		rolls, err := w.Rolls(ctx, c, seed)
		if err != nil {
			return fmt.Errorf("fairness: shared draws: %s, seed %d: %w", c, seed, err)
		}
		met = append(met, rolls)
	}
	most := 0
	for i := range met {
		for j := range i {
			shared, err := sameRolls(met[j], met[i])
			if err != nil {
				return fmt.Errorf("fairness: shared draws: seed %d: %s and %s: %w", seed, contestants[j], contestants[i], err)
			}
			most = max(most, shared)
		}
	}
	if err := enough(most); err != nil && len(contestants) > 1 {
		return fmt.Errorf("fairness: shared draws: seed %d: any two of %s: %w", seed, strings.Join(contestants, ", "), err)
	}
	return nil
}

// sameRolls compares two sets of rolls where they overlap, and counts how much
// that is.
func sameRolls(a, b map[string]string) (shared int, err error) {
	for _, identity := range slices.Sorted(maps.Keys(a)) {
		other, ok := b[identity]
		if !ok {
			continue
		}
		if other != a[identity] {
			return 0, fmt.Errorf("the rolls of %s differ: %s and %s: exogenous draws must be keyed by seed and identity alone", identity, a[identity], other)
		}
		shared++
	}
	return shared, nil
}

// enough returns an error if a comparison of so few means nothing.
func enough(shared int) error {
	if shared >= MinShared {
		return nil
	}
	return fmt.Errorf("they share %d identities, too few to tell (at least %d): give the scenario more work", shared, MinShared)
}

// sameAndEnough is both.
func sameAndEnough(a, b map[string]string) error {
	shared, err := sameRolls(a, b)
	if err != nil {
		return err
	}
	return enough(shared)
}

// Tracer is a world whose randomness is all in a trace that is made before
// anything runs.
type Tracer interface {
	// Exogenous makes a run and returns the digest of the trace that the run
	// really used, taken after it.
	Exogenous(ctx context.Context, contestant string, seed uint64) (string, error)
}

// OneTrace checks that all contestants had the same trace, and that none of
// them changed it.
func OneTrace(ctx context.Context, w Tracer, contestants []string, seed uint64) error {
	first := ""
	for i, c := range contestants {
		digest, err := w.Exogenous(ctx, c, seed)
		if err != nil {
			return fmt.Errorf("fairness: one trace: %s, seed %d: %w", c, seed, err)
		}
		if i == 0 {
			first = digest
		}
		if digest != first {
			return fmt.Errorf("fairness: one trace: seed %d: %s ran on %s, and %s on %s", seed, contestants[0], first, c, digest)
		}
	}
	return nil
}

// Forecaster is a world with weather.
type Forecaster interface {
	// Weather sends requests at this pace, whatever becomes of them, and
	// returns what the world was like at fixed instants (storms, capacity),
	// by instant and place.
	Weather(ctx context.Context, seed uint64, pace time.Duration) (map[string]string, error)
}

// Weather checks that light and heavy traffic see the same weather at the same
// instants.
func Weather(ctx context.Context, w Forecaster, seed uint64) error {
	var seen []map[string]string
	for _, pace := range []time.Duration{5 * time.Second, 30 * time.Millisecond} {
		s, err := w.Weather(ctx, seed, pace)
		if err != nil {
			return fmt.Errorf("fairness: weather: seed %d: a request every %v: %w", seed, pace, err)
		}
		seen = append(seen, s)
	}
	if err := sameAndEnough(seen[0], seen[1]); err != nil {
		return fmt.Errorf("fairness: weather: seed %d: light and heavy traffic: %w", seed, err)
	}
	return nil
}

// ClientRoller is a world whose client has randomness of its own.
type ClientRoller interface {
	// ClientRolls makes a run with this many workers and returns the first
	// number of every stream that the client came to, by purpose and logical
	// identity (such as "retry job 17 step 0 attempt 1"), drawn or not.
	ClientRolls(ctx context.Context, contestant string, seed uint64, workers int) (map[string]string, error)
}

// ClientDraws checks that the client draws the same for the same piece of
// work, whoever does it: with a different number of workers almost every piece
// is done by another one.
func ClientDraws(ctx context.Context, w ClientRoller, contestant string, seed uint64) error {
	var drawn []map[string]string
	for _, workers := range []int{12, 7} {
		d, err := w.ClientRolls(ctx, contestant, seed, workers)
		if err != nil {
			return fmt.Errorf("fairness: client draws: %s, seed %d, %d workers: %w", contestant, seed, workers, err)
		}
		drawn = append(drawn, d)
	}
	if err := sameAndEnough(drawn[0], drawn[1]); err != nil {
		return fmt.Errorf("fairness: client draws: %s, seed %d: 12 and 7 workers: %w", contestant, seed, err)
	}
	return nil
}
