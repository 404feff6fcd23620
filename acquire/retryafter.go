package acquire

import (
	"math"
	"strings"
	"time"
)

// ParseRetryAfter reads how long a server asks to wait from the headers of its
// answer, as seen at now. It understands
//
//	Retry-After-Ms: 1500                             milliseconds
//	Retry-After: 2                                   seconds (RFC 9110, 10.2.3)
//	Retry-After: Sat, 01 Jan 2000 00:00:05 GMT       IMF-fixdate
//	Retry-After: Saturday, 01-Jan-00 00:00:05 GMT    RFC 850
//	Retry-After: Sat Jan  1 00:00:05 2000            asctime
//
// and fractions ("1.5"), which some servers send. If both headers can be read,
// the milliseconds win, being the finer. A value that cannot be read counts as
// absent, and ok is false: the caller's own backoff applies.
//
// A negative number, or a date in the past, is 0. A wait beyond the largest
// Duration (292 years) is the largest Duration. Nothing else is cut off here:
// whether a wait is too long is for Retry.MaxRetryAfter and the pool to say.
//
// Header names must be in canonical or in lower case.
func ParseRetryAfter(header map[string][]string, now time.Time) (wait time.Duration, ok bool) {
	if wait, ok = parseWait(first(header, "Retry-After-Ms", "retry-after-ms"), time.Millisecond); ok {
		return wait, true
	}
	value := first(header, "Retry-After", "retry-after")
	if wait, ok = parseWait(value, time.Second); ok {
		return wait, true
	}
	date, ok := parseHTTPDate(value, now)
	if !ok {
		return 0, false
	}
	return max(0, date.Sub(now)), true // Sub saturates
}

func first(header map[string][]string, names ...string) string {
	for _, name := range names {
		if values := header[name]; len(values) > 0 {
			return strings.TrimSpace(values[0])
		}
	}
	return ""
}

// parseWait reads [-]digits[.digits] as a number of units. It is exact to the
// nanosecond, which a float is not, and takes no exponent, infinity or NaN.
func parseWait(s string, unit time.Duration) (wait time.Duration, ok bool) {
	s, negative := strings.CutPrefix(s, "-")
	whole, fraction, dot := strings.Cut(s, ".")
	if !digits(whole) || dot && !digits(fraction) {
		return 0, false
	}
	if negative {
		return 0, true
	}
	for _, c := range whole {
		digit := time.Duration(c-'0') * unit
		if wait > (math.MaxInt64-digit)/10 {
			return math.MaxInt64, true
		}
		wait = wait*10 + digit
	}
	for _, c := range fraction {
		unit /= 10
		digit := time.Duration(c-'0') * unit
		if wait > math.MaxInt64-digit {
			return math.MaxInt64, true
		}
		wait += digit
	}
	return wait, true
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// parseHTTPDate reads the three spellings of RFC 9110, 5.6.7. All are in GMT.
func parseHTTPDate(s string, now time.Time) (time.Time, bool) {
	for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.ANSIC} {
		if date, err := time.Parse(layout, s); err == nil {
			return date, true
		}
	}
	date, err := time.Parse("Monday, 02-Jan-06 15:04:05 GMT", s)
	if err != nil {
		return time.Time{}, false
	}
	return expandYear(date, now)
}

// expandYear finds the century of a date that was given with two digits of its
// year: the last one that is not more than 50 years after now (RFC 9110, 5.6.7).
func expandYear(date, now time.Time) (time.Time, bool) {
	limit := now.UTC().AddDate(50, 0, 0)
	year := limit.Year()/100*100 + date.Year()%100
	expanded := date.AddDate(year-date.Year(), 0, 0)
	if expanded.After(limit) {
		expanded = date.AddDate(year-100-date.Year(), 0, 0)
	}
	return expanded, expanded.Day() == date.Day() // no 29 February in that year
}
