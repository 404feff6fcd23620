package experiment

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckContestant reports why a name cannot be a contestant's, or nil. A name
// becomes a part of a benchmark's name in benchstat text. There a space ends
// the name, a slash starts the next part, and digits after a last hyphen are
// read as a number of processors and cut off, which would merge contestants
// without a word.
func CheckContestant(name string) error {
	if err := checkName(name); err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	return nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("contestant %q: must have a name", name)
	case !isWord(name):
		return fmt.Errorf("contestant %q: must be without spaces and control characters", name)
	case strings.Contains(name, "/"):
		return fmt.Errorf("contestant %q: must be without slashes", name)
	}
	digits := strings.TrimRight(name, "0123456789")
	if digits != name && strings.HasSuffix(digits, "-") {
		return fmt.Errorf("contestant %q: must not end in a hyphen and digits, which benchstat cuts off: write %q",
			name, strings.TrimSuffix(digits, "-")+"_"+name[len(digits):])
	}
	return nil
}

// isKey reports whether s is [a-z0-9_]+.
func isKey(s string) bool {
	for _, c := range []byte(s) {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// isWord reports whether s survives as one field of a line of text.
func isWord(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) })
}
