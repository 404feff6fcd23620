package acquire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// vendor is an error as a vendor's client makes them.
type vendor struct{ status int }

func (v vendor) Error() string   { return fmt.Sprintf("vendor: code %d", v.status) }
func (v vendor) StatusCode() int { return v.status }

// slow is an error that knows whether it was a timeout.
type slow struct {
	error
	timeout bool
}

func (s slow) Timeout() bool { return s.timeout }
func (s slow) Unwrap() error { return s.error }

func TestClassify(t *testing.T) {
	plain := errors.New("plain")
	reset := &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	for _, c := range []struct {
		name string
		err  error
		want acquire.Class
	}{
		{"nothing", nil, acquire.Unknown},
		{"a plain error", plain, acquire.Unknown},

		{"a cancellation", context.Canceled, acquire.Canceled},
		{"a cancellation inside a client's error", &url.Error{Op: "Get", URL: "/", Err: context.Canceled}, acquire.Canceled},
		{"a cancellation that claims to be retryable", acquire.WithClass(context.Canceled, acquire.Retryable), acquire.Canceled},
		{"the end of a simulation", fmt.Errorf("sleep: %w", clock.ErrStopped), acquire.Canceled},

		{"an explicit class", acquire.WithClass(plain, acquire.Retryable), acquire.Retryable},
		{"an explicit class further in", fmt.Errorf("call: %w", acquire.WithClass(plain, acquire.Fatal)), acquire.Fatal},
		{"an explicit class against the status", acquire.WithClass(vendor{503}, acquire.Fatal), acquire.Fatal},
		{"an explicit class against the type", acquire.WithClass(context.DeadlineExceeded, acquire.Unknown), acquire.Unknown},

		{"nothing to lease", fmt.Errorf("try: %w", pool.ErrUnavailable), acquire.Unknown},
		{"nothing to lease before the deadline", &pool.CooldownError{Cause: context.DeadlineExceeded}, acquire.Unknown},

		{"a deadline", context.DeadlineExceeded, acquire.Timeout},
		{"a deadline that a client hides from Timeout()", &url.Error{Op: "Get", URL: "/", Err: fmt.Errorf("x: %w", context.DeadlineExceeded)}, acquire.Timeout},
		{"an I/O deadline", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, acquire.Timeout},
		{"a DNS timeout", &net.DNSError{IsTimeout: true}, acquire.Timeout},
		{"ETIMEDOUT", os.NewSyscallError("connect", syscall.ETIMEDOUT), acquire.Timeout},
		{"a timeout below an error that says it is none", slow{slow{plain, true}, false}, acquire.Timeout},
		{"a timeout among several errors", errors.Join(slow{plain, false}, slow{plain, true}), acquire.Timeout},
		{"an error that says it is no timeout", slow{plain, false}, acquire.Unknown},

		{"a connection reset", reset, acquire.Connection},
		{"a connection reset inside a client's error", &url.Error{Op: "Get", URL: "/", Err: reset}, acquire.Connection},
		{"connection refused", syscall.ECONNREFUSED, acquire.Connection},
		{"a broken pipe", fmt.Errorf("write: %w", syscall.EPIPE), acquire.Connection},
		{"an unexpected end", io.ErrUnexpectedEOF, acquire.Connection},
		{"an end instead of an answer", &url.Error{Op: "Post", URL: "/", Err: io.EOF}, acquire.Connection},
		{"an unreachable host", errors.Join(plain, syscall.EHOSTUNREACH), acquire.Connection},
		{"another system error", syscall.ENOENT, acquire.Unknown},

		{"a status", vendor{502}, acquire.Upstream},
		{"a status further in", fmt.Errorf("call: %w", vendor{404}), acquire.Fatal},
		{"a type against the status", fmt.Errorf("%w: %w", vendor{400}, syscall.ECONNRESET), acquire.Connection},
		{"our own status error", &acquire.StatusError{Status: 429}, acquire.RateLimit},
		{"our own status error further in", fmt.Errorf("call: %w", &acquire.StatusError{Status: 504}), acquire.Timeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := acquire.Classify(c.err); got != c.want {
				t.Errorf("Classify(%v) = %v, want %v", c.err, got, c.want)
			}
		})
	}
}

func TestClassifyStatus(t *testing.T) {
	special := map[int]acquire.Class{
		408: acquire.Timeout, 504: acquire.Timeout, 425: acquire.RateLimit, 429: acquire.RateLimit,
	}
	for status := -1; status < 1000; status++ {
		want, ok := special[status]
		switch {
		case ok:
		case status >= 400 && status < 500:
			want = acquire.Fatal
		case status >= 500 && status < 600:
			want = acquire.Upstream
		}
		if got := acquire.ClassifyStatus(status); got != want {
			t.Errorf("status %d: %v, want %v", status, got, want)
		}
	}
}

func TestClassRetryableAndNames(t *testing.T) {
	for _, c := range []struct {
		class     acquire.Class
		name      string
		retryable bool
	}{
		{acquire.Unknown, "unknown", false},
		{acquire.RateLimit, "rate_limit", true},
		{acquire.Timeout, "timeout", true},
		{acquire.Connection, "connection", true},
		{acquire.Upstream, "upstream", true},
		{acquire.Retryable, "retryable", true},
		{acquire.Fatal, "fatal", false},
		{acquire.Canceled, "canceled", false},
		{99, "Class(99)", false},
	} {
		if c.class.String() != c.name || c.class.Retryable() != c.retryable {
			t.Errorf("%d: %v, retryable %v; want %s, %v", uint8(c.class), c.class, c.class.Retryable(), c.name, c.retryable)
		}
	}
}

func TestWithClassKeepsTheError(t *testing.T) {
	err := acquire.WithClass(io.EOF, acquire.Fatal)
	if !errors.Is(err, io.EOF) || err.Error() != "EOF" {
		t.Errorf("WithClass(EOF) = %v, must still be EOF", err)
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, c := range []struct {
		name string
		err  error
	}{
		{"status", &acquire.StatusError{Status: 429}},
		{"wrapped-status", fmt.Errorf("call: %w", &acquire.StatusError{Status: 429})},
		{"connection", os.NewSyscallError("read", syscall.ECONNRESET)},
		{"unavailable", fmt.Errorf("try: %w", pool.ErrUnavailable)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				acquire.Classify(c.err)
			}
		})
	}
}
