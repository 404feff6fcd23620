package acquire_test

import (
	"context"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

var _ = Describe("Backoff overflows (jpillora/backoff#11)", func() {
	It("sends an endpoint that is down for 2 h no more requests than the cap allows", func() {
		simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
			p := newPool(GinkgoTB(), clk, "p", pool.Options{Health: pool.Health{RefusalFails: true}}, capacity("a", 1))
			backoff := acquire.Backoff{Base: 200 * ms, Factor: 2, Cap: 10 * time.Second, Jitter: acquire.NoJitter}
			requests := 0
			err := acquire.Do(ctx, acquire.Options{
				Request: request(p), Retry: acquire.Retry{MaxAttempts: acquire.Unlimited, Backoff: backoff},
			}, func(context.Context, *pool.Lease) (map[string]float64, error) {
				if clk.Elapsed() >= 2*time.Hour {
					return nil, nil
				}
				requests++
				return nil, &acquire.StatusError{Status: 503}
			})
			Expect(err).NotTo(HaveOccurred())
			// At most 2h/cap + log2(cap/base) + 1 = 726.6. In fact: at 0 s, after 0.2, 0.4 ... 6.4 s
			// (together 12.6 s, 6 more), and every 10 s from 22.6 s to 7192.6 s (718 more).
			Expect(requests).To(Equal(1 + 6 + 718))
		})
	})
})

var _ = Describe("Sleeping towards a deadline that will be missed (go-retryablehttp#272)", func() {
	provider := &acquire.StatusError{Status: 503}
	unlucky := fmt.Errorf("call: %w", provider)

	DescribeTable("Do stops at once and says why",
		func(o acquire.Options, deadline time.Duration, call acquire.Call, stop acquire.Stop, at time.Duration, cause error) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				if deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = clk.WithTimeout(ctx, deadline)
					defer cancel()
				}
				o.Pool = newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
				err := acquire.Do(ctx, o, call)
				Expect(gaveUp(err)).To(HaveField("Stop", stop))
				Expect(clk.Elapsed()).To(Equal(at))
				Expect(err.Error()).To(ContainSubstring(stop.String()))
				if cause != nil {
					Expect(err).To(MatchError(cause))
				}
				Expect(active(o.Pool)).To(BeZero())
			})
		},
		Entry("before a backoff of 1 s that ends beyond the deadline",
			retrying(9), 999*ms, failing(unlucky), acquire.OutOfTime, 0*time.Second, context.DeadlineExceeded),
		Entry("before a backoff of 1 s that ends at the deadline",
			retrying(9), time.Second, failing(unlucky), acquire.OutOfTime, 0*time.Second, context.DeadlineExceeded),
		Entry("after the backoff of 1 s, before that of 2 s, 1 ns later",
			retrying(9), time.Second+1, failing(unlucky), acquire.OutOfTime, time.Second, context.DeadlineExceeded),
		Entry("before a Retry-After that ends beyond the deadline",
			retrying(9), time.Minute, failing(refusal(2*time.Minute)), acquire.OutOfTime, 0*time.Second, context.DeadlineExceeded),
		Entry("before the policy's MaxTotal, 1 + 2 + 4 s, would be exceeded",
			acquire.Options{Retry: acquire.Retry{MaxAttempts: 9, Backoff: steady, MaxTotal: 7 * time.Second}},
			0*time.Second, failing(unlucky), acquire.OutOfTime, 3*time.Second, context.DeadlineExceeded),
		Entry("when the attempts are exhausted",
			retrying(3), time.Hour, failing(unlucky), acquire.Exhausted, 3*time.Second, provider),
		Entry("at a permanent error",
			retrying(9), time.Hour, failing(vendor{400}), acquire.Permanent, 0*time.Second, vendor{400}),
		Entry("at a cancellation",
			retrying(9), time.Hour, failing(context.Canceled), acquire.Abandoned, 0*time.Second, context.Canceled),
		Entry("when there is nothing to lease, which is not retried by default",
			acquire.Options{Algorithm: mustParse("immediate"), Request: acquire.Request{Query: pool.Query{ID: "b"}}, Retry: acquire.DefaultRetry()},
			time.Hour, failing(unlucky), acquire.Permanent, 0*time.Second, pool.ErrUnavailable),
	)

	It("wraps the deadline and the last provider error", func() {
		simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
			p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
			ctx, cancel := clk.WithTimeout(ctx, 2500*ms)
			defer cancel()
			o := retrying(9)
			o.Pool = p
			err := acquire.Do(ctx, o, failing(unlucky))
			Expect(err).To(And(MatchError(context.DeadlineExceeded), MatchError(provider)))
			Expect(err).To(MatchError("acquire: gave up after attempt 2, 1s: would exceed the deadline " +
				"(the next attempt would be in 2s): context deadline exceeded: last error: call: status 503"))
		})
	})

	It("returns at once when it is cancelled while it sleeps, and does not call again", func() {
		simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
			o := retrying(9)
			o.Pool = newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
			ctx, cancel := clk.WithTimeout(ctx, time.Hour)
			clk.AfterFunc(1500*ms, cancel)
			calls := 0
			err := acquire.Do(ctx, o, func(context.Context, *pool.Lease) (map[string]float64, error) {
				calls++
				return nil, unlucky
			})
			Expect(gaveUp(err)).To(And(HaveField("Stop", acquire.Abandoned), HaveField("Elapsed", 1500*ms)))
			Expect(err).To(And(MatchError(context.Canceled), MatchError(provider)))
			Expect(calls).To(Equal(2))
		})
	})

	DescribeTable("an acquisition that polls does not sleep beyond its limit either",
		func(spec string, deadline, fails time.Duration, why error) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{}, capacity("a", 1))
				_, err := p.TryAcquire(ctx, pool.Query{}) // busy for ever
				Expect(err).NotTo(HaveOccurred())
				ctx, cancel := clk.WithTimeout(ctx, deadline)
				defer cancel()
				_, err = mustParse(spec).Acquire(ctx, request(p))
				Expect(err).To(And(MatchError(why), MatchError(pool.ErrUnavailable)))
				Expect(clk.Elapsed()).To(Equal(fails))
			})
		},
		// It tries at 0, 1 and 3 s; the next try would be at 7 s.
		Entry("beyond max_wait", "backoff(base=1s,jitter=none,max_wait=6s)", time.Hour, 3*time.Second, acquire.ErrTimeout),
		Entry("1 ns beyond max_wait", "backoff(base=1s,jitter=none,max_wait=6999999999ns)", time.Hour, 3*time.Second, acquire.ErrTimeout),
		Entry("at max_wait itself there is a last try", "backoff(base=1s,jitter=none,max_wait=7s)", time.Hour, 7*time.Second, acquire.ErrTimeout),
		Entry("beyond the deadline", "backoff(base=1s,jitter=none)", 6*time.Second, 3*time.Second, context.DeadlineExceeded),
		Entry("at the deadline itself", "backoff(base=1s,jitter=none)", 7*time.Second, 3*time.Second, context.DeadlineExceeded),
		Entry("1 ns before the deadline there is a last try", "backoff(base=1s,jitter=none)", 7*time.Second+1, 7*time.Second, context.DeadlineExceeded),
		Entry("whichever limit is earlier decides", "backoff(base=1s,jitter=none,max_wait=5s)", 6*time.Second, 3*time.Second, acquire.ErrTimeout),
	)
})

var _ = Describe("A retry quota that never refills (aws-sdk-go-v2#3550)", func() {
	DescribeTable("after an outage of any length, successes earn the next retry",
		func(outage int) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				budget := newBudget(GinkgoTB(), 0.1, 5)
				o := retrying(3)
				o.Pool = newPool(GinkgoTB(), clk, "p", pool.Options{Health: pool.Health{RefusalFails: true}}, capacity("a", 1))
				o.Budget = budget

				calls := 0
				down := func(context.Context, *pool.Lease) (map[string]float64, error) {
					calls++
					return nil, &acquire.StatusError{Status: 503}
				}
				var err error
				for range outage {
					err = acquire.Do(ctx, o, down)
				}
				Expect(gaveUp(err).Stop).To(Equal(acquire.OverBudget))
				Expect(calls).To(BeNumerically("<=", outage+5+outage/10), "retries <= burst + ratio * operations")

				up := func(context.Context, *pool.Lease) (map[string]float64, error) { return nil, nil }
				for range 10 {
					Expect(acquire.Do(ctx, o, up)).To(Succeed())
				}
				calls = 0
				Expect(acquire.Do(ctx, o, func(ctx context.Context, l *pool.Lease) (map[string]float64, error) {
					if calls == 0 {
						return down(ctx, l)
					}
					return nil, nil
				})).To(Succeed(), "10 operations at a ratio of 0.1 pay for one retry")
			})
		},
		Entry(nil, 10), Entry(nil, 100), Entry(nil, 3333),
	)
})
