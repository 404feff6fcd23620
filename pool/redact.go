package pool

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unicode"
)

// redacted stands where a secret was.
const redacted = "[redacted]"

// secretWords make a key look like a secret if one of its words is one of
// them; secretParts, if it contains one of them once separators are gone.
// "max_tokens" is no secret, "session_token", "apiKey" and "DB-PASSWORD" are.
var (
	secretWords = []string{"key", "token", "auth", "pwd", "pass", "jwt", "dsn", "pin", "cookie", "bearer"}
	secretParts = []string{"secret", "password", "passwd", "passphrase", "credential", "authorization", "apikey", "accesskey", "privatekey", "authtoken", "accesstoken"}
)

// isSecret reports whether a value under this key must not be shown.
func isSecret(key string) bool {
	var words []string
	var word strings.Builder
	lower := true // the last letter was lower case
	flush := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, c := range key {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) || unicode.IsUpper(c) && lower {
			flush()
		}
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			word.WriteRune(unicode.ToLower(c))
		}
		lower = !unicode.IsUpper(c)
	}
	flush()
	whole := strings.Join(words, "")
	return slices.ContainsFunc(secretWords, func(s string) bool { return slices.Contains(words, s) }) ||
		slices.ContainsFunc(secretParts, func(s string) bool { return strings.Contains(whole, s) })
}

// redact returns a copy of m without secrets.
func redact(m map[string]string) map[string]string {
	shown := make(map[string]string, len(m))
	for key, value := range m {
		if value != "" && isSecret(key) {
			value = redacted
		}
		shown[key] = value
	}
	return shown
}

// String shows the resource with secrets redacted, also for %v and %+v.
func (d Resource) String() string {
	return fmt.Sprintf("{ID:%s Kind:%s Capacity:%d Tags:%v Options:%v Quota:%v}", d.ID, d.Kind, d.Capacity, redact(d.Tags), redact(d.Options), d.Quota)
}

// GoString shows the resource with secrets redacted, for %#v.
func (d Resource) GoString() string { return "pool.Resource" + d.String() }

// LogValue shows the resource with secrets redacted, to package slog.
func (d Resource) LogValue() slog.Value { return slog.StringValue(d.String()) }

// scrub returns the text of err without the resource's secrets, in which
// errors of clients and factories like to quote them; "" for nil.
func (r *resource) scrub(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	for _, secret := range r.secrets() {
		text = strings.ReplaceAll(text, secret, redacted)
	}
	return text
}

// secrets returns the secret values, longest first, so that one that contains
// another one is replaced as a whole.
func (r *resource) secrets() []string {
	var all []string
	for _, m := range []map[string]string{r.tags, r.options} {
		for key, value := range m {
			if value != "" && isSecret(key) {
				all = append(all, value)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return all
}

// scrubbed returns err, still to be found by errors.Is and errors.As, with a
// text without the resource's secrets.
func (r *resource) scrubbed(err error) error { return &scrubbedError{r.scrub(err), err} }

type scrubbedError struct {
	text string
	err  error
}

func (e *scrubbedError) Error() string { return e.text }
func (e *scrubbedError) Unwrap() error { return e.err }
