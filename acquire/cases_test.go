package acquire_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

// What operators of clients, pools and routers have reported in public, as
// classes of bugs: the project and number in brackets tell one of each.

var _ = Describe("Retry-After has several forms (go-retryablehttp#144)", func() {
	DescribeTable("after a refusal at 0 s",
		func(header http.Header, want time.Duration) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
				var calls []time.Duration
				err := acquire.Do(ctx, acquire.Options{
					Request: request(p), Retry: acquire.Retry{MaxAttempts: 2, Backoff: steady},
				}, func(context.Context, *pool.Lease) (map[string]float64, error) {
					calls = append(calls, clk.Elapsed())
					if len(calls) == 1 {
						return nil, acquire.CheckStatus(429, header, clk.Now())
					}
					return nil, nil
				})
				Expect(err).NotTo(HaveOccurred())
				Expect(calls).To(Equal([]time.Duration{0, want}))
			})
		},
		Entry("IMF-fixdate", http.Header{"Retry-After": {"Sat, 01 Jan 2000 00:00:05 GMT"}}, 5*time.Second),
		Entry("RFC 850", http.Header{"Retry-After": {"Saturday, 01-Jan-00 00:00:05 GMT"}}, 5*time.Second),
		Entry("asctime", http.Header{"Retry-After": {"Sat Jan  1 00:00:05 2000"}}, 5*time.Second),
		Entry("a date in the past is now", http.Header{"Retry-After": {"Fri, 31 Dec 1999 23:59:59 GMT"}}, 0*time.Second),
		Entry("what cannot be parsed is absent: the backoff's 1 s", http.Header{"Retry-After": {"soon"}}, time.Second),
		Entry("nothing at all: the backoff's 1 s", http.Header{}, time.Second),
		// Units (azure-sdk-for-net#5268).
		Entry("seconds", http.Header{"Retry-After": {"2"}}, 2*time.Second),
		Entry("milliseconds", http.Header{"Retry-After-Ms": {"1500"}}, 1500*ms),
		Entry("both: the finer wins", http.Header{"Retry-After": {"2"}, "Retry-After-Ms": {"1500"}}, 1500*ms),
	)

	DescribeTable("a waiter is granted the cooled down resource at that instant, not before",
		func(spec string) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
				wait, ok := acquire.ParseRetryAfter(http.Header{"Retry-After": {"Sat, 01 Jan 2000 00:00:05 GMT"}}, clk.Now())
				Expect(ok).To(BeTrue())
				refuse(GinkgoTB(), p, "a", wait)
				lease, err := mustParse(spec).Acquire(ctx, request(p))
				Expect(err).NotTo(HaveOccurred())
				Expect(clk.Elapsed()).To(Equal(5 * time.Second))
				lease.Release()
			})
		},
		Entry(nil, "wait"),
		Entry(nil, "wait(timeout=6s)"),
		Entry(nil, "backoff(max_wait=5s)"),
		Entry(nil, "least_busy"),
		Entry(nil, "failover"),
		Entry(nil, "sticky"),
		Entry(nil, "quota_aware"),
	)
})

var _ = Describe("A huge Retry-After looks like a hang (azure-sdk-for-net#50949)", func() {
	const days = 410400 * time.Second

	DescribeTable("without another resource it fails at once and carries the requested wait",
		func(spec string) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
				refuse(GinkgoTB(), p, "a", days)
				_, err := mustParse(spec).Acquire(ctx, request(p))
				Expect(err).To(MatchError(pool.ErrUnavailable))
				var cooling *pool.CooldownError
				Expect(errors.As(err, &cooling)).To(BeTrue())
				Expect(cooling.RetryAfter).To(Equal(days))
				Expect(clk.Elapsed()).To(BeZero())
			})
		},
		Entry(nil, "immediate"),
		Entry(nil, "wait"),
		Entry(nil, "wait(timeout=60s)"),
		Entry(nil, "backoff"),
		Entry(nil, "backoff(max_wait=60s)"),
		Entry(nil, "least_busy"),
		Entry(nil, "failover(pools=p)"),
		Entry(nil, "sticky"),
		Entry(nil, "quota_aware"),
	)

	It("fails over to another pool at once", func() {
		simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
			a := newPool(GinkgoTB(), clk, "a", pool.Options{}, capacity("one", 1))
			b := newPool(GinkgoTB(), clk, "b", pool.Options{}, capacity("two", 1))
			refuse(GinkgoTB(), a, "one", days)
			req := acquire.Request{Pool: a, Pools: map[string]*pool.Pool{"b": b}}
			lease, err := mustParse("failover(pools=a|b)").Acquire(ctx, req)
			Expect(err).NotTo(HaveOccurred())
			Expect(lease.ResourceID()).To(Equal("two"))
			Expect(clk.Elapsed()).To(BeZero())
		})
	})

	DescribeTable("the ceiling is 10 minutes, and both sides of it are decided",
		func(spec string, asked time.Duration, granted bool) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
				refuse(GinkgoTB(), p, "a", asked)
				_, err := mustParse(spec).Acquire(ctx, request(p))
				if granted {
					Expect(err).NotTo(HaveOccurred())
					Expect(clk.Elapsed()).To(Equal(asked))
				} else {
					Expect(err).To(MatchError(pool.ErrTooLong))
					Expect(clk.Elapsed()).To(BeZero())
				}
			})
		},
		Entry(nil, "wait", 10*time.Minute, true),
		Entry(nil, "wait", 10*time.Minute+1, false),
		Entry(nil, "wait", 9223372036*time.Second, false),
		Entry(nil, "wait", largest, false), // what 9223372037 s is read as
		Entry(nil, "backoff(max_wait=1h)", 10*time.Minute, true),
		Entry(nil, "backoff(max_wait=1h)", 10*time.Minute+1, false),
		Entry(nil, "backoff", 10*time.Minute+1, false),
		Entry(nil, "backoff", largest, false),
	)

	It("ends Do, which says how long the server wants to be left alone", func() {
		simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
			p := newPool(GinkgoTB(), clk, "p", pool.Options{Health: pool.ReferenceHealth()}, capacity("a", 1))
			err := acquire.Do(ctx, acquire.Options{Request: request(p), Retry: acquire.DefaultRetry()}, failing(refusal(days)))
			Expect(gaveUp(err)).To(And(HaveField("Stop", acquire.TooLong), HaveField("Delay", days), HaveField("Attempts", 1)))
			Expect(clk.Elapsed()).To(BeZero())
		})
	})
})

var _ = Describe("Everything cools down (litellm#3646)", func() {
	DescribeTable("with a later deadline each gets the first that returns, at that instant, in order",
		func(spec string, want ...string) {
			var grants []string
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1), capacity("b", 1))
				refuse(GinkgoTB(), p, "a", 5*time.Second)
				refuse(GinkgoTB(), p, "b", 8*time.Second)
				for _, who := range []string{"first", "second"} {
					clk.Go(ctx, who, func(ctx context.Context) {
						ctx, cancel := clk.WithTimeout(ctx, time.Minute)
						defer cancel()
						lease, err := mustParse(spec).Acquire(ctx, acquire.Request{Pool: p, Rand: &fixed{u: 0.5}})
						Expect(err).NotTo(HaveOccurred())
						grants = append(grants, fmt.Sprintf("%s gets %s at %v", who, lease.ResourceID(), clk.Elapsed()))
					})
				}
			})
			Expect(grants).To(Equal(want))
		},
		Entry(nil, "wait", "first gets a at 5s", "second gets b at 8s"),
		// At 5 s the second finds a busy, no longer cooling down, and backs off: 0.1, 0.2, 0.4, 0.8, 1.6 s.
		Entry(nil, "backoff", "first gets a at 5s", "second gets b at 8.1s"),
	)

	DescribeTable("one grant takes at most two clock events",
		func(spec string) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
				refuse(GinkgoTB(), p, "a", 9*time.Minute)
				ctx, cancel := clk.WithTimeout(ctx, time.Hour)
				defer cancel()
				before := clk.Steps()
				_, err := mustParse(spec).Acquire(ctx, request(p))
				Expect(err).NotTo(HaveOccurred())
				Expect(clk.Elapsed()).To(Equal(9 * time.Minute))
				Expect(clk.Steps() - before).To(BeNumerically("<=", 2))
			})
		},
		Entry(nil, "wait"),
		Entry(nil, "backoff"),
	)

	DescribeTable("with an earlier deadline it fails at once with the earliest instant in the error",
		func(spec string, deadline time.Duration, why error) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1), capacity("b", 1))
				refuse(GinkgoTB(), p, "a", 8*time.Second)
				refuse(GinkgoTB(), p, "b", 5*time.Second)
				if deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = clk.WithTimeout(ctx, deadline)
					defer cancel()
				}
				_, err := mustParse(spec).Acquire(ctx, request(p))
				Expect(err).To(And(MatchError(pool.ErrUnavailable), MatchError(why)))
				Expect(errors.Is(err, context.DeadlineExceeded) && errors.Is(err, acquire.ErrTimeout)).To(
					Equal(spec == "wait(timeout=3s)"), "whose limit it is must be clear")
				var cooling *pool.CooldownError
				Expect(errors.As(err, &cooling)).To(BeTrue())
				Expect(cooling.Until).To(Equal(clock.Epoch.Add(5 * time.Second)))
				Expect(clk.Elapsed()).To(BeZero())
			})
		},
		Entry(nil, "immediate", time.Hour, pool.ErrUnavailable),
		Entry(nil, "wait", 3*time.Second, context.DeadlineExceeded),
		Entry("at the deadline itself it is too late:", "wait", 5*time.Second, context.DeadlineExceeded),
		Entry(nil, "wait(timeout=3s)", time.Duration(0), acquire.ErrTimeout),
		Entry(nil, "backoff", 3*time.Second, context.DeadlineExceeded),
		Entry("at the deadline itself it is too late:", "backoff", 5*time.Second, context.DeadlineExceeded),
		Entry(nil, "backoff(max_wait=3s)", time.Duration(0), acquire.ErrTimeout),
		Entry(nil, "sticky", 3*time.Second, context.DeadlineExceeded),
		Entry(nil, "failover(pools=p,fallback=backoff)", 3*time.Second, context.DeadlineExceeded),
	)
})
