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

var steady = acquire.Backoff{Base: time.Second, Factor: 2, Cap: 8 * time.Second, Jitter: acquire.NoJitter}

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

var _ = Describe("Off by one at the quota (litellm#33032)", func() {
	It("prefers a resource up to exactly its quota, and not beyond", func() {
		simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
			small, large := capacity("small", 1), capacity("large", 1)
			small.Quota = map[string]float64{"requests": 4}
			large.Quota = map[string]float64{"requests": 400}
			p := newPool(GinkgoTB(), clk, "p", pool.Options{}, small, large)
			use := func(query pool.Query, spec string, usage float64) string {
				lease, err := mustParse(spec).Acquire(ctx, acquire.Request{Pool: p, Query: query})
				Expect(err).NotTo(HaveOccurred())
				defer lease.Release()
				lease.Report(pool.Outcome{Usage: map[string]float64{"requests": usage}})
				return lease.ResourceID()
			}
			use(pool.Query{ID: "small"}, "immediate", 3) // a quarter left
			use(pool.Query{ID: "large"}, "immediate", 396)
			const spec = "quota_aware(metric=requests,reserve=0)"
			Expect(use(pool.Query{}, spec, 1)).To(Equal("small"), "1 of 4 left: brings it to exactly its quota")
			Expect(use(pool.Query{}, spec, 4)).To(Equal("large"), "nothing of small is left, 4 of 400 are")
			Expect([]string{use(pool.Query{}, spec, 0), use(pool.Query{}, spec, 0)}).To(
				ConsistOf("small", "large"), "a preference is not a limit: with no quota left anywhere they take turns")
		})
	})
})

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

var _ = Describe("Sticky to the dead (traefik#1299)", func() {
	DescribeTable("a target that cannot be had is replaced, and the new one is kept after the old one returns",
		func(breakIt, mendIt func(clk *clock.Virtual, p *pool.Pool)) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{Health: pool.Health{
					DegradeAfter: 3, DeadAfter: 8, Cooldown: time.Minute, HonorRetryAfter: true,
				}}, capacity("a", 2), capacity("b", 2))
				affinity := new(acquire.Affinity)
				use := func() string {
					lease, err := mustParse("sticky").Acquire(ctx, acquire.Request{Pool: p, Affinity: affinity})
					Expect(err).NotTo(HaveOccurred())
					defer lease.Release()
					return lease.ResourceID()
				}
				Expect([]string{use(), use(), use()}).To(Equal([]string{"a", "a", "a"}))
				breakIt(clk, p)
				Expect([]string{use(), use()}).To(Equal([]string{"b", "b"}))
				mendIt(clk, p)
				Expect(p.Snapshot()).To(ContainElement(And(HaveField("ID", "a"), HaveField("State", pool.Ready))))
				Expect([]string{use(), use(), use()}).To(Equal([]string{"b", "b", "b"}))
			})
		},
		Entry("dead", func(_ *clock.Virtual, p *pool.Pool) {
			lease, err := p.TryAcquire(context.Background(), pool.Query{ID: "a"})
			Expect(err).NotTo(HaveOccurred())
			for range 8 {
				lease.Report(pool.Outcome{Err: errors.New("broken")})
			}
			lease.Release()
		}, func(_ *clock.Virtual, p *pool.Pool) { Expect(p.Publish(capacity("a", 2))).To(Succeed()) }),
		Entry("removed", func(_ *clock.Virtual, p *pool.Pool) {
			Expect(p.Revoke("a")).To(Succeed())
		}, func(_ *clock.Virtual, p *pool.Pool) { Expect(p.Publish(capacity("a", 2))).To(Succeed()) }),
		Entry("cooling down for long", func(_ *clock.Virtual, p *pool.Pool) {
			refuse(GinkgoTB(), p, "a", time.Hour)
		}, func(clk *clock.Virtual, p *pool.Pool) {
			Expect(clk.Sleep(context.Background(), time.Hour)).To(Succeed())
			lease, err := p.TryAcquire(context.Background(), pool.Query{ID: "a"}) // whoever asks sees that it is back
			Expect(err).NotTo(HaveOccurred())
			lease.Release()
		}),
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

// retrying is Do's options for n attempts with waits of 1, 2, 4 and 8 s.
func retrying(n int) acquire.Options {
	return acquire.Options{Retry: acquire.Retry{MaxAttempts: n, Backoff: steady}}
}

// failing is a call that always fails at once.
func failing(err error) acquire.Call {
	return func(context.Context, *pool.Lease) (map[string]float64, error) { return nil, err }
}

func gaveUp(err error) *acquire.GiveUpError {
	GinkgoHelper()
	var e *acquire.GiveUpError
	Expect(errors.As(err, &e)).To(BeTrue(), "%v must be a *GiveUpError", err)
	return e
}
