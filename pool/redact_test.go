package pool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/ranktest/ranktest/pool"
)

func TestWhichKeysAreSecret(t *testing.T) {
	secret := []string{
		"key", "token", "api_key", "API-KEY", "apiKey", "apikey", "x.api.key", "accessKey", "AWS_SECRET_ACCESS_KEY", "secret", "clientSecret",
		"password", "DB_PASSWORD", "passwd", "pwd", "passphrase", "authToken", "auth", "Authorization", "bearer", "session_token",
		"credentials", "private-key", "cookie", "dsn", "jwt",
	}
	open := []string{"zone", "max_tokens", "tokens", "monkey", "keyboard", "author", "passenger", "region", "model", "", "tokenizer", "spinning"}
	for i, keys := range [][]string{secret, open} {
		for _, key := range keys {
			r := pool.Resource{ID: "a", Capacity: 1, Options: map[string]string{key: "v4lue"}}
			if hidden := !strings.Contains(r.String(), "v4lue"); hidden != (i == 0) {
				t.Errorf("%q: hidden %v", key, hidden)
			}
		}
	}
}

// Secrets are shown nowhere: not in a snapshot, an event, an error, or by
// printing a resource.
func TestSecretsAreShownNowhere(t *testing.T) {
	const secret, longer = "hunter2", "hunter2-and-more"
	a := pool.Resource{
		ID: "a", Capacity: 1,
		Tags:    map[string]string{"zone": "eu", "token": longer},
		Options: map[string]string{"password": secret, "url": "http://x", "empty_key": ""},
		Factory: func(context.Context) (any, error) {
			return nil, fmt.Errorf("login with %s and %s: %w", secret, longer, errDial)
		},
	}
	var shown bytes.Buffer
	simulate(t, pool.Options{}, []pool.Resource{a}, func(s *sim) {
		sub := s.p.Subscribe(100)
		_, err := s.p.TryAcquire(s.ctx, pool.Query{})
		if !errors.Is(err, errDial) {
			t.Errorf("%v: the cause is lost", err)
		}
		fmt.Fprintln(&shown, err)
		_, err = s.p.TryAcquire(s.ctx, pool.Query{})
		fmt.Fprintln(&shown, err)
		fmt.Fprintf(&shown, "%v %+v %#v\n", s.p.Snapshot(), s.p.Snapshot(), s.p.Snapshot())

		a.Factory = nil
		s.p.Publish(a)
		l := s.lease(pool.Query{})
		for range 8 {
			l.Report(pool.Outcome{Err: fmt.Errorf("401 for %s", longer)})
		}
		for _, e := range sub.Drain() {
			fmt.Fprintf(&shown, "%v %+v\n", e, e)
		}
		fmt.Fprintf(&shown, "%v %+v %#v %s\n", a, a, a, a)
		slog.New(slog.NewTextHandler(&shown, nil)).Info("resource", "r", a)

		st := s.status("a")
		if st.Tags["zone"] != "eu" || st.Options["url"] != "http://x" || st.Options["empty_key"] != "" {
			t.Errorf("%v %v: too much is hidden", st.Tags, st.Options)
		}
	})
	if i := strings.Index(shown.String(), secret); i >= 0 {
		t.Errorf("shown: %q", shown.String()[max(0, i-100):i+20])
	}
	for _, want := range []string{"login with [redacted] and [redacted]: dial", "401 for [redacted]\n", "token:[redacted]"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("no %q in what was shown:\n%s", want, shown.String())
		}
	}
}

func TestErrorsAreReadable(t *testing.T) {
	simulate(t, pool.Options{}, []pool.Resource{res("a", 1)}, func(s *sim) {
		show := func(want string, err error) {
			t.Helper()
			if err == nil || err.Error() != want {
				t.Errorf("%v\nwant %s", err, want)
			}
		}
		l := s.lease(pool.Query{})
		_, err := s.p.TryAcquire(s.ctx, pool.Query{})
		show(`pool "test": pool: no resource is available`, err)
		l.Report(refused(3600 * sec))
		_, err = s.p.TryAcquire(s.ctx, pool.Query{})
		show(`pool "test": every matching resource is cooling down: "a" returns first, in 1h0m0s, at 2000-01-01T01:00:00Z`, err)
		_, err = s.p.Acquire(s.ctx, pool.Query{})
		show(`pool "test": every matching resource is cooling down: "a" returns first, in 1h0m0s, at 2000-01-01T01:00:00Z: pool: longer than MaxRetryAfter`, err)
		ctx, cancel := s.v.WithTimeout(s.ctx, 0)
		defer cancel()
		_, err = s.p.Acquire(ctx, pool.Query{})
		show(`pool "test": acquire: context deadline exceeded`, err)
		_, err = s.p.Acquire(s.ctx, pool.Query{ID: "x"})
		show(`pool: no resource is available: pool "test": resource "x": pool: not published`, err)
		if s.p.Name() != "test" || s.p.Clock() != s.v {
			t.Error("name or clock")
		}
	})
}
