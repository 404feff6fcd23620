package reports

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// seedList is a list of seeds that JSON keeps as texts: a number above 2^53
// does not survive every reader.
type seedList []uint64

// MarshalJSON writes ["20260917", ...].
func (s seedList) MarshalJSON() ([]byte, error) {
	texts := make([]string, len(s))
	for i, seed := range s {
		texts[i] = strconv.FormatUint(seed, 10)
	}
	return json.Marshal(texts)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *seedList) UnmarshalJSON(data []byte) error {
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		return err
	}
	*s = nil
	for _, text := range texts {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %q: must be a whole number below 2^64", text)
		}
		*s = append(*s, seed)
	}
	return nil
}

// formatSeeds writes seeds in their order, and those that follow each other as
// a range: 20260917..20260926,7,9.
func formatSeeds(seeds []uint64) string {
	var parts []string
	for i := 0; i < len(seeds); {
		last := i
		for last+1 < len(seeds) && seeds[last+1] == seeds[last]+1 && seeds[last+1] != 0 {
			last++
		}
		part := strconv.FormatUint(seeds[i], 10)
		if last > i {
			part += ".." + strconv.FormatUint(seeds[last], 10)
		}
		parts = append(parts, part)
		i = last + 1
	}
	return strings.Join(parts, ",")
}

// maxSeeds bounds what a few characters in a file may ask for.
const maxSeeds = 100_000

// parseSeeds reads what formatSeeds wrote.
func parseSeeds(text string) ([]uint64, error) {
	var seeds []uint64
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "..")
		first, err := strconv.ParseUint(from, 10, 64)
		last := first
		if err == nil && isRange {
			last, err = strconv.ParseUint(to, 10, 64)
		}
		if err != nil || last < first || last-first >= maxSeeds {
			return nil, fmt.Errorf("seeds %q: must be numbers and ranges such as 7,20260917..20260926", part)
		}
		if uint64(len(seeds))+last-first >= maxSeeds {
			return nil, fmt.Errorf("seeds: must be at most %d", maxSeeds)
		}
		for i := range last - first + 1 {
			seeds = append(seeds, first+i)
		}
	}
	return seeds, nil
}
