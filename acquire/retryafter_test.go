package acquire_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
)

const largest = time.Duration(math.MaxInt64)

func TestRetryAfter(t *testing.T) {
	absent := time.Duration(-1)
	for _, c := range []struct {
		name      string
		value, ms string
		want      time.Duration
	}{
		{name: "seconds", value: "2", want: 2 * time.Second},
		{name: "a fraction of a second", value: "0.25", want: 250 * ms},
		{name: "more digits than a nanosecond has", value: "1.0000000019", want: time.Second + 1},
		{name: "zero is at once, not absent", value: "0", want: 0},
		{name: "spaces around it", value: " 7\t", want: 7 * time.Second},
		{name: "a negative number is bounded below", value: "-5", want: 0},
		{name: "a huge negative number is bounded below", value: "-99999999999999999999", want: 0},
		{name: "five days", value: "410400", want: 114 * time.Hour},
		{name: "the last second that a Duration holds", value: "9223372036", want: 9223372036 * time.Second},
		{name: "the last nanosecond that a Duration holds", value: "9223372036.854775807", want: largest},
		{name: "one nanosecond more", value: "9223372036.854775808", want: largest},
		{name: "one second more", value: "9223372037", want: largest},
		{name: "absurd", value: "99999999999999999999999999", want: largest},

		{name: "IMF-fixdate", value: "Sat, 01 Jan 2000 00:00:05 GMT", want: 5 * time.Second},
		{name: "RFC 850", value: "Saturday, 01-Jan-00 00:00:05 GMT", want: 5 * time.Second},
		{name: "asctime", value: "Sat Jan  1 00:00:05 2000", want: 5 * time.Second},
		{name: "a date in the past", value: "Fri, 31 Dec 1999 23:59:59 GMT", want: 0},
		{name: "a date beyond the largest Duration", value: "Fri, 01 Jan 9999 00:00:00 GMT", want: largest},
		{name: "RFC 850, less than 50 years ahead", value: "Friday, 31-Dec-49 00:00:00 GMT",
			want: time.Date(2049, 12, 31, 0, 0, 0, 0, time.UTC).Sub(clock.Epoch)},
		{name: "RFC 850, more than 50 years ahead is in the past", value: "Sunday, 02-Jan-50 00:00:00 GMT", want: 0},

		{name: "milliseconds", ms: "1500", want: 1500 * ms},
		{name: "both: the finer wins", value: "2", ms: "1500", want: 1500 * ms},
		{name: "both, the finer is unreadable", value: "2", ms: "soon", want: 2 * time.Second},
		{name: "milliseconds are no date", ms: "Sat, 01 Jan 2000 00:00:05 GMT", want: absent},

		{name: "nothing", want: absent},
		{name: "a word", value: "soon", want: absent},
		{name: "not a number", value: "NaN", want: absent},
		{name: "infinity", value: "Inf", want: absent},
		{name: "an exponent", value: "1e3", want: absent},
		{name: "hexadecimal", value: "0x10", want: absent},
		{name: "a unit", value: "5s", want: absent},
		{name: "a point only", value: ".", want: absent},
		{name: "no digit after the point", value: "5.", want: absent},
		{name: "no digit before the point", value: ".5", want: absent},
		{name: "a minus only", value: "-", want: absent},
		{name: "two numbers", value: "1, 2", want: absent},
		{name: "digits of another script", value: "٣", want: absent},
		{name: "RFC 3339 is no HTTP date", value: "2000-01-01T00:00:05Z", want: absent},
		{name: "HTTP dates are in GMT", value: "Sat, 01 Jan 2000 00:00:05 PST", want: absent},
		{name: "the 30th of February", value: "Wed, 30 Feb 2000 00:00:05 GMT", want: absent},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			if c.value != "" {
				h.Set("Retry-After", c.value)
			}
			if c.ms != "" {
				h.Set("retry-after-ms", c.ms)
			}
			got, ok := acquire.ParseRetryAfter(h, clock.Epoch)
			if !ok {
				got = absent
			}
			if got != c.want {
				t.Errorf("Retry-After %q, Retry-After-Ms %q: %v, want %v (-1ns is absent)", c.value, c.ms, got, c.want)
			}
		})
	}
}

// RFC 9110, 5.6.7: two digits of a year mean the last such year that is not
// more than 50 years ahead, whatever the century of the reader.
func TestRetryAfterExpandsTheYearOfRFC850(t *testing.T) {
	for _, c := range []struct {
		now  time.Time
		date string
		want time.Time
	}{
		{date(1999, 12, 31), "Saturday, 01-Jan-00 00:00:00 GMT", date(2000, 1, 1)},
		{date(2026, 9, 17), "Monday, 01-Jan-75 00:00:00 GMT", date(2075, 1, 1)},
		{date(2026, 9, 17), "Wednesday, 16-Sep-76 00:00:00 GMT", date(2076, 9, 16)},
		{date(2099, 12, 31), "Friday, 01-Jan-00 00:00:00 GMT", date(2100, 1, 1)},
	} {
		h := http.Header{"Retry-After": {c.date}}
		if got, ok := acquire.ParseRetryAfter(h, c.now); !ok || got != c.want.Sub(c.now) {
			t.Errorf("%s at %v: %v, %v, want %v", c.date, c.now.Year(), got, ok, c.want.Sub(c.now))
		}
	}
	h := http.Header{"Retry-After": {"Monday, 29-Feb-00 00:00:00 GMT"}}
	if got, ok := acquire.ParseRetryAfter(h, date(2090, 1, 1)); ok {
		t.Errorf("29 February 2100 does not exist, yet %v", got)
	}
}

func date(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

func TestRetryAfterReadsHeaderNamesInLowerCase(t *testing.T) {
	for _, h := range []map[string][]string{{"retry-after": {"2"}}, {"Retry-After": {}, "retry-after": {"2", "9"}}} {
		if got, ok := acquire.ParseRetryAfter(h, clock.Epoch); !ok || got != 2*time.Second {
			t.Errorf("%v: %v, %v, want 2s", h, got, ok)
		}
	}
}

func TestCheckStatus(t *testing.T) {
	h := http.Header{"Retry-After": {"2"}}
	if err := acquire.CheckStatus(200, h, clock.Epoch); err != nil {
		t.Errorf("200: %v", err)
	}
	err := fmt.Errorf("list users: %w", acquire.CheckStatus(429, h, clock.Epoch))
	if err.Error() != "list users: status 429, retry after 2s" {
		t.Errorf("message %q", err)
	}
	if wait, ok := acquire.RetryAfterOf(err); !ok || wait != 2*time.Second {
		t.Errorf("RetryAfterOf = %v, %v, want 2s", wait, ok)
	}
	if wait, ok := acquire.RetryAfterOf(acquire.CheckStatus(503, nil, clock.Epoch)); ok {
		t.Errorf("a 503 without the header asks for %v", wait)
	}
	if _, ok := acquire.RetryAfterOf(errors.New("x")); ok {
		t.Error("a plain error asks for a wait")
	}
}

// Any header: no panic, never negative, and a number is read exactly.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"2", "-1", "1.5", "9223372036", "9223372037", "Sat, 01 Jan 2000 00:00:05 GMT",
		"Saturday, 01-Jan-00 00:00:05 GMT", "Sat Jan  1 00:00:05 2000", "NaN", "1e309", "", "٣", "Monday, 29-Feb-00 00:00:00 GMT"} {
		f.Add(s, s, int64(0))
		f.Add(s, "", int64(4102444800)) // 2100
	}
	f.Fuzz(func(t *testing.T, value, millis string, now int64) {
		h := http.Header{"Retry-After": {value}, "Retry-After-Ms": {millis}}
		at := time.Unix(now%(1<<40), 0)
		wait, ok := acquire.ParseRetryAfter(h, at)
		if wait < 0 || !ok && wait != 0 {
			t.Fatalf("%q, %q at %v: %v, %v", value, millis, at, wait, ok)
		}
		var n uint32
		if _, err := fmt.Sscanf(value, "%d", &n); err == nil && fmt.Sprint(n) == value && millis == "" {
			if want := time.Duration(n) * time.Second; wait != want {
				t.Fatalf("%q: %v, want %v", value, wait, want)
			}
		}
	})
}
