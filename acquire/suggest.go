package acquire

import (
	"fmt"
	"strings"
)

// mustBeOneOf says what would have been right instead of got, and which of the
// choices was probably meant.
func mustBeOneOf(got string, choices []string) string {
	if len(choices) == 0 {
		return "there are none"
	}
	s := "must be one of " + strings.Join(choices, ", ")
	if near := nearest(got, choices); near != "" {
		s += fmt.Sprintf("; did you mean %q?", near)
	}
	return s
}

// nearest returns the first choice with the fewest edits from got, at most one
// and a third of its length, or "".
func nearest(got string, choices []string) string {
	best, fewest := "", len(got)/3+2
	for _, c := range choices {
		if len(got) > 2*len(c) {
			continue // hopeless, and the table would be large
		}
		if n := edits(got, c); n < fewest {
			best, fewest = c, n
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
